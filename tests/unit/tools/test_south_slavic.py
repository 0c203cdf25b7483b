"""What keeps Bosnian, Croatian and Serbian apart in the lists and lines that train the text model."""

from __future__ import annotations

import south_slavic as tool


def test_words_and_lines_of_a_neighbour_are_astray() -> None:
    by = tool.Neighbours({"riječ": 2.0, "vijest": 1.0}, {"reč": 2.0, "vest": 1.0}, ("sedmica", "uhapš*"))
    cases = {
        ("reč", "hr"): True,
        ("riječ", "hr"): False,
        ("riječ", "sr"): True,
        ("reč", "sr"): False,
        ("реч", "sr"): False,
        ("«Riječ je o tome»", "sr"): True,
        ("sedmica", "hr"): True,
        ("uhapšeni su", "hr"): True,
        ("sedmica", "bs"): False,
        ("tjedan", "bs"): True,
        ("tjedan", "hr"): False,
        ("reč", "sl"): False,
    }
    assert {case: tool.astray(*case, by) for case in cases} == cases


def test_what_croatian_hardly_has_is_counted_in_its_treebanks() -> None:
    lines = [tool.Line("tijekom dana", "hr", "hr500k")] * 3
    lines += [tool.Line("sekretar i tajnik", "hr", "hr500k")] * 3
    by = tool.neighbours([tool.ListedWord("реч", "sr", 0.5, 0.5)], lines)
    assert by.serbian == {"reč": 0.5}
    assert "tokom" in by.not_croatian
    assert "sekretar" not in by.not_croatian


def test_bosnian_is_made_of_its_neighbours() -> None:
    assert tool.bosnian("Tijekom tjedna") == "tokom sedmice"
    assert tool.bosnian("dobar dan") is None
    assert tool.ijekavian("dobra reč", {"riječ": 1.0}) == "dobra riječ"
    assert tool.ekavian("dobra riječ", {"reč": 1.0}) == "dobra reč"
