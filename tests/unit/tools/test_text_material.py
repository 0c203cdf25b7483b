from __future__ import annotations

from text_material import messages


def test_english_messages_are_there_beside_their_translations() -> None:
    found = [one for one in messages() if one.language in ("en", "de")]
    assert {"en", "de"} == {one.language for one in found}
    english = [one.text for one in found if one.language == "en"]
    assert len(english) == len(set(english)) > 300
    assert all(one.part == "train" for one in found)
    assert not any("\x04" in text for text in english)
