"""Registry: the members of one family by name, each imported when it is asked for; other packages can add to it.

A family is whatever has one interface and many members: algorithms, feature sets, trackers, strategies, studies. A
member is a line here or there (`name: Member("module:attribute", "what it does")`) or an entry point of another
package in the family's group. Nothing is imported to list names, and nothing but the wanted member to get one.

>>> greetings = Registry("greeting", "dragoman.greetings", {"upper": Member("builtins:str", "says it loudly")})
>>> greetings["upper"], greetings.about("upper")
(<class 'str'>, 'says it loudly')
>>> greetings["uper"]
Traceback (most recent call last):
    ...
dragoman.errors.UnknownName: Unknown greeting 'uper'. Known: upper. Did you mean 'upper'?
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from dragoman.errors import BrokenMember, DragomanError, UnknownName, shorten

T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """Where a member is (`module:attribute`), one line about it, and what it reads (`urls`, `text`; empty: all one)."""

    target: str
    about: str = ""
    reads: str = ""
    #: The package whose entry point this is; empty for our own.
    package: str = ""


class Registry(Mapping[str, T], Generic[T]):
    """The members of a family by name.

    `check` is what every member of another package must pass when it is first asked for: it is given the name and the
    object and returns what is wrong with it in words, or None. Our own members are held to more by the contract tests.
    """

    def __init__(
        self,
        family: str,
        group: str,
        members: Mapping[str, Member],
        check: Callable[[str, Any], str | None] | None = None,
    ) -> None:
        self.family, self.group = family, group
        self._own, self._check = members, check
        self._loaded: dict[str, T] = {}

    @cached_property
    def _added(self) -> Mapping[str, Member]:
        """The members that installed packages add, found when a name is not our own or names are listed."""
        from importlib.metadata import entry_points  # takes as long as answering ten thousand URLs

        added: dict[str, Member] = {}
        for point in sorted(entry_points(group=self.group), key=lambda point: (point.name, point.value)):
            package = point.dist.name if point.dist else point.value
            rival = "Dragoman itself" if point.name in self._own else getattr(added.get(point.name), "package", None)
            if rival:  # one package's clash must not take away all the other names
                warnings.warn(f"{package}'s {self.family} '{point.name}' is passed over: {rival} has one", stacklevel=4)
            else:
                added[point.name] = Member(f"{point.module}:{point.attr}", package=package)
        return added

    def member(self, name: str) -> Member:
        """What is known of a member without importing it; UnknownName, with the names that exist, if there is none."""
        if name in self._own:
            return self._own[name]
        if name in self._added:
            return self._added[name]
        raise UnknownName(self.family, name, self)

    def about(self, name: str) -> str:
        """One line about a member; of an added one its docstring's first, or what keeps it from being used."""
        member = self.member(name)
        if not member.package:
            return member.about
        try:
            return (getattr(self[name], "__doc__", None) or "").strip().partition("\n")[0]
        except BrokenMember as error:
            return str(error)

    def reads(self, name: str) -> str:
        """What a member reads: as registered, else its class's own `reads` (which imports it)."""
        return self.member(name).reads or str(getattr(self[name], "reads", ""))

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            member = self.member(name)
            module, _, attribute = member.target.partition(":")
            with self.blaming(name):
                value: T = getattr(importlib.import_module(module), attribute)
            if member.package and self._check and (problem := self._check(name, value)):
                raise self.broken(name, problem)
            self._loaded[name] = value
        return self._loaded[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The member, or the default where there is none of this name."""
        return self[name] if name in self else default  # noqa: SIM401 (it would call itself)

    def made(self, name: str, *arguments: Any, examine: Callable[[Any], str | None]) -> Any:
        """What a member gives when it is called; that of another package must pass the examination first.

        `examine` returns what is wrong in words, or None; whatever it or the member raises is told in the same way.
        """
        member = self[name]
        if not self.member(name).package:
            return member(*arguments)  # type: ignore[operator]
        with self.blaming(name):
            instance = member(*arguments)  # type: ignore[operator]
            if problem := examine(instance):
                raise self.broken(name, problem)
        return instance

    @contextmanager
    def blaming(self, name: str) -> Iterator[None]:
        """Whatever is raised within by a member of another package becomes BrokenMember, but for what we raise."""
        try:
            yield
        except DragomanError:  # an extra that is not installed says so itself
            raise
        except Exception as error:
            if not self.member(name).package:
                raise
            raise self.broken(name, f"{type(error).__name__}: {shorten(str(error))}") from error

    def broken(self, name: str, problem: str) -> BrokenMember:
        """The error for a member that does not do what its family does."""
        return BrokenMember(self.family, name, self.member(name).package or "dragoman", problem)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._added

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._added

    def __len__(self) -> int:
        return len(self._own) + len(self._added)


def subclass_problem(value: Any, base: type, name: tuple[str, str] | None = None) -> str | None:
    """What keeps a value from being a usable class of a family: the first check of most families.

    `name` is the attribute in which the class says its own name, and the name under which it was registered.

    >>> subclass_problem(bool, int), subclass_problem(int, bool)
    (None, 'int is no subclass of bool')
    >>> subclass_problem(bool, int, ("__name__", "boolean"))
    "bool.__name__ is 'bool', not 'boolean'"
    """
    if not isinstance(value, type) or not issubclass(value, base):
        return f"{getattr(value, '__name__', value)} is no subclass of {base.__name__}"
    if missing := sorted(getattr(value, "__abstractmethods__", ())):
        return f"{value.__name__} lacks {', '.join(missing)}"
    if name and (own := getattr(value, name[0], None)) != name[1]:
        return f"{value.__name__}.{name[0]} is {own!r}, not {name[1]!r}"
    return None
