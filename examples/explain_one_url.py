"""How one URL is read, step by step: its parts, its tokens, the weights that spoke, the answer.

python examples/explain_one_url.py URL [MODEL]
"""

from __future__ import annotations

import sys

import dragoman
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.tokens import tokens
from dragoman.languages import name


def explain(url: str, model: str = "default") -> str | None:
    """Print it all; the language comes back."""
    address = read_address(url.encode())
    print(f"kind      {address.kind}")
    print(f"host      {address.host or '-'}   (top-level domain: {address.tld or 'none'})")
    print(f"rest      {address.rest or '-'}")
    print(f"tokens    {', '.join(f'{token.text} ({token.place})' for token in tokens(url.encode())) or '-'}")
    found = dragoman.identify(url, model, top=3, explain=True)
    for language, probability in found.scores.items():
        print(f"\n{name(language)}, probability {probability:.3f}")
        own = [one for one in found.contributions if one.language == language]
        for one in own[:8]:
            print(f"  {one.weight:+6.2f}  {one.feature}")
        if len(own) > 8:
            print(f"  {sum(one.weight for one in own[8:]):+6.2f}  ({len(own) - 8} more)")
        print(f"  {sum(one.weight for one in own):+6.2f}  the score")
    print(f"\nanswer    {name(found.language) if found.language else 'none'}")
    return found.language


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    explain(*sys.argv[1:])
