from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.added_packages import added_package

from dragoman.errors import BrokenMember, UnknownName
from dragoman.registry import Member, Registry, subclass_problem

OWN = {
    "text": Member("builtins:str", "some text", "urls"),
    "number": Member("builtins:int", "a number"),
    "gone": Member("no_such_module:Thing", "never imported to be listed"),
}


def registry(group: str = "dragoman.made", members: dict[str, Member] | None = None) -> Registry[type]:
    return Registry("thing", group, OWN if members is None else members, lambda name, one: subclass_problem(one, str))


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[type]:
    """A family to which another package adds a good member and several bad ones."""
    source = '''
        class Loud(str):
            """Text that is loud.

            More about it.
            """

            reads = "text"

        class Number(int):
            pass
    '''
    points = {"loud": "Loud", "figure": "Number", "lost": "Nothing", "text": "Loud"}
    added_package(tmp_path, "loud_things", dedent(source), "dragoman.made", **points)
    monkeypatch.syspath_prepend(tmp_path)
    return registry()


def test_nothing_is_imported_to_list_and_describe_our_own() -> None:
    things = registry("dragoman.nobody")
    assert list(things) == ["text", "number", "gone"]
    assert len(things) == 3
    assert things.about("gone") == "never imported to be listed"
    assert things.reads("text") == "urls"
    assert "gone" in things


def test_a_member_is_imported_when_it_is_asked_for() -> None:
    assert registry("dragoman.nobody")["text"] is str
    assert registry("dragoman.nobody").get("txt", int) is int


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"Unknown thing 'txt'\. Known: gone, number, text\. Did you mean 'text'\?"):
        registry("dragoman.nobody")["txt"]


@pytest.mark.filterwarnings("ignore:.*passed over")
def test_another_package_adds_a_member(added: Registry[type]) -> None:
    assert issubclass(added["loud"], str)
    assert added.about("loud") == "Text that is loud."
    assert added.reads("loud") == "text"
    assert list(added)[:3] == list(OWN)
    assert {"loud", "figure", "lost"} <= set(added)


@pytest.mark.parametrize(
    ("name", "problem"),
    [("figure", "Number is no subclass of str"), ("lost", "AttributeError: module 'loud_things' has no attribute")],
)
@pytest.mark.filterwarnings("ignore:.*passed over")
def test_one_that_cannot_be_used_says_whose_it_is_and_why(added: Registry[type], name: str, problem: str) -> None:
    with pytest.raises(BrokenMember) as caught:
        added[name]
    assert str(caught.value).startswith(f"The thing '{name}' of the package 'loud_things' cannot be used: {problem}")
    assert "\n" not in str(caught.value)
    assert added.about(name) == str(caught.value)


def test_a_name_of_ours_is_not_taken_over(added: Registry[type]) -> None:
    assert added["text"] is str
    with pytest.warns(UserWarning, match="loud_things's thing 'text' is passed over: Dragoman itself has one"):
        assert "loud" in added


@pytest.mark.parametrize("broken", ["1 / 0", "def (", "import no_such_module", "raise SystemError('no\\nluck')"])
def test_whatever_goes_wrong_in_the_import_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    added_package(tmp_path, "bad_things", broken, "dragoman.bad", bad="Thing")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BrokenMember, match=r"'bad' of the package 'bad_things' cannot be used: .*Error") as caught:
        registry("dragoman.bad")["bad"]
    assert "\n" not in str(caught.value)


def test_a_class_that_lacks_what_the_family_needs_is_named() -> None:
    class Base:
        __abstractmethods__ = frozenset({"b", "a"})

    def problem(value: Any) -> str | None:
        return subclass_problem(value, Base)

    assert problem(Base) == "Base lacks a, b"
    assert problem(Base()) is not None
