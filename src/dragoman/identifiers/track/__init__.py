"""Where the language of a text changes: `track` gives spans, and the writers colour, mark up and tell them.

text ──► tokens ──► costs by language (lexicon) ──► languages worth naming ──► cheapest path ──► spans

tokens      words, and what stands before each
lexicon     what a word costs in each language; counting and table are how it is learnt and kept
home        which languages are at home, by the identifier of texts
choose      which languages a text has
decode      the cheapest path through styles and languages
assemble    tokens with languages become spans
tracker     all of it, in cells, so that a text of any length needs little memory
methods     `track`, and the ways to do it by name: beside ours `sentences` and `hmm_network`
writing     spans as JSON, XML and HTML;  colours  for people
"""

from __future__ import annotations

from dragoman.identifiers.track.methods import DEFAULT, TRACKERS, open_tracker, placed, track

__all__ = ["DEFAULT", "TRACKERS", "open_tracker", "placed", "track"]
