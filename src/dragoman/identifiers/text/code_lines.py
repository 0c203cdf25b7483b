"""Lines that are commands or code: written by people, but in no language of theirs.

A line is taken for code by signs that prose does not have: a prompt, a command with options or files behind it, the
beginning or the end of a statement, SQL's words in capitals, or many of the signs of code. Prose that names a command
(`Run tar xvzf a.tar.gz to unpack it.`) is prose. It is meant to be right when it says yes.

Much of a program has few such signs: `continue`, `FROM orders`, `for line in file:`. Between lines that are code such a
line is code, too (`coded_lines`); by itself it is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

#: Longer lines are looked at anew each time.
LONGEST_KEPT = 200

#: Words that only commands begin with, and words that begin commands and sentences.
_SHELL = (
    "apt-get aptitude awk bzip2 chgrp chmod chown dpkg dpkg-reconfigure egrep git grep gunzip ifconfig iptables lsof "
    "mkdir modprobe npm npx pip pip3 printf rmdir rsync sudo svn systemctl umount uname unzip wget xargs"
)
_WORDS = (
    "apt bash brew cargo cat cd conda cp curl docker docker-compose echo exec exit export find gcc go gzip head java "
    "kill kubectl less ln ls make man mount mv mysql node perl php ping ps psql python python3 rm ruby sed service set "
    "sh source ssh scp su tail tar test touch vi vim yarn yum zip"
)
_ENDINGS = (
    "tar gz tgz bz2 xz zip deb rpm iso img jar py c h cc cpp js ts json yml yaml toml xml html htm xhtml css sh conf "
    "cfg ini txt md csv sql log git so exe service"
)
_FILE = rf"(?:\S*\.(?:{_ENDINGS.replace(' ', '|')})|(?:\.{{0,2}}|~)/[\w.\-/]+|\S+/\S+/\S*|https?://\S+)"
_TYPES = "var let const final auto int char bool float double long void unsigned String".replace(" ", "|")

_COMMANDS = (
    r"(?:[\w.\-]+@[\w.\-]+[:\s]\S*)?[$%]\s+\S",
    r"\[[\w.@\- ~/]+\][$#]\s",
    r"[A-Z]:\\[\w\\ ]*>",
    r">>>\s",
    r"\.\.\.\s{2,}\S",
    r"#!/",
    rf"(?:{_SHELL.replace(' ', '|')})(?:\s+[-+]{{0,2}}[\w./$~:=@*\-]+){{1,12}}\s*(?:[|;&>\\].*)?$",
    rf"(?:{_WORDS.replace(' ', '|')})\s(?=(?:.*\s)?(?:[-+]-?\w[\w\-]*(?=[\s=]|$)|\S+@\S+\.\S+|{_FILE}(?=\s|$)"
    r"|[|>&]{1,2}(?=\s)))[\x21-\x7e\s]+$",
    r"(?:apt|brew|yum|dnf|make|docker)\s(?:install|update|upgrade|remove|clean|build|pull)(?:\s+[\w.@\-]+){0,6}$",
    r"(?:\./|/)?[\w\-./]*(?:configure|install)\s+--?\w",
    r"SELECT\b.*\bFROM\b|INSERT\s+INTO\b|UPDATE\b.*\bSET\b|DELETE\s+FROM\b|GRANT\b.*\bON\b",
    r"(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|VIEW|DATABASE|USER)\b",
    r"(?:SELECT|select)\s.*\w\(\*?[\w.]*\)|(?:WHERE|where|AND|HAVING|ON|on)\s+[\w.(*)]+\s*(?:[<>!]?=|[<>])\s",
    r".*;\s*(?:do|then)$|(?:done|fi|esac)\s*[<>|;]",
    r".*[\s(=]\"\$[\w{(@*]",
)
_STATEMENTS = (
    r"#\s*(?:include|define|ifn?def|endif|pragma)\b",
    r"(?:async\s+)?def\s+\w+\s*\(",
    r"class\s+\w+\s*(?:[:({]|extends\b)",
    r"(?:from\s+[\w.]+\s+)?import\s+[\w.*{},\s]+(?:\s+from\s+.+)?;?$",
    r"(?:(?:export|default|async|pub|unsafe|static)\s+)*(?:function|fn|func)\b\s*[\w<>]*\s*\(",
    r"(?:throw|export|import|package|use|using|namespace|struct|typedef|yield|await)\s+[\w.:*\"'()<>{}, ]{1,60};$",
    r"(?:for\s.*\sin|with)\s.*\w\(.*:$",
    r".*\)\s*(?:->\s*\w+\s*)?\{$",
    r"[\w, ]+\s:=\s",
    r"[a-z_][\w.]*\((?:[\w.,\[\] ]*\w\(\).*|[\"'].*)?\)$",
    r"[\w.]+\s=\s[\w.]+\([^.!?]*(?:\.\w+[\"'][^.!?]*)?\)$",
    r"-\s\w+=\S+$|[a-z_\-]+:\s\"[^\"]*\"$",
    r"\"[\w\-.@/ ]+\"\s*:\s*(?:\"|-?\d|[\[{]|true\b|false\b|null\b).*$",
    rf"(?:{_TYPES})\s+[\w*&\[\]<>]+\s*[=;(\[]",
    r"(?:public|private|protected|static|virtual|abstract)\s+[\w<>\[\], ]+\s*[({;=]",
    r"(?:if|while|for|switch|elif|foreach)\s*\(.*[){:;]$",
    r"(?:if|elif|while)\s[\w.()\[\] ]+(?:[=!<>]=|[<>])[^.!?]*:$",
    r"(?:else|try|finally|do)\s*[{:]$",
    r"return\b.*;$",
    r"\}\s*(?:else|catch|while|\)|;|,)?.{0,40}$",
    r"<\?(?:php|xml)\b|<!DOCTYPE\b",
    r"</?[a-z][\w\-]*(?:\s+[\w\-:]+=[\"'][^\"']*[\"'])*\s*/?>",
    r"@(?:Override|media|import|staticmethod|property)\b",
    r"[\w.\[\]]+\s[-+*/|&]?=\s[\w.\[\]()+*/ \-]+$",
    r"[\w.$\[\]>\-]+\s*(?:[-+*/|&]?=|:=)\s*[\w\"'\[{(.$\-][^.!?]*;$",
    r"[\w.$>:\-]+\([^.!?]*\)\s*[;{]$",
    r"[\w\-]+\s*:\s*[\w#.%\"' \-]+;$",
    r"[.#]?[\w\-. #>,:]+\s*\{[^{}]*\}?$",
)
_COMMAND, _STATEMENT = (re.compile("|".join(f"(?:{pattern})" for pattern in rows)) for rows in (_COMMANDS, _STATEMENTS))
_HARD = re.compile(r"[{}\[\]=|$\\_<>^~#@;&]|\)\.|::|->|\(\)|/\w+/|--\w")
_PROSE = re.compile(r"[^\W\d_]+[,.]?(?: [^\W\d_]+[,.]?){5}")
#: Most lines have no sign of code, and do not begin as a command does: they are not looked at any closer.
_SIGN = re.compile(r"[{}\[\]=|$\\_<>^~#@;&/]|\(\)|\([\"']")
_SQL = (
    "SELECT FROM WHERE AND OR GROUP ORDER HAVING LIMIT JOIN LEFT INNER OUTER UNION VALUES SET INSERT CREATE ALTER DROP "
    "UPDATE DELETE select from where left inner join group order having limit"
)
_FIRST = frozenset(
    f"{_SHELL} {_WORDS} if else: try: def class import from for with SELECT INSERT CREATE ALTER DROP select".split()
)
#: What a line begins with that is code among code, and words that make up a line by themselves there.
_AMONG = frozenset(
    f"{_SQL} for while with if elif else return yield raise except case match default const let var int char void "
    "struct public private static package import export use func fn end".split()
)
_ALONE = re.compile(r"(?:continue|break|pass|done|fi|esac|do|then|else|end|begin|main)\b\W*$")
_SHAPE = re.compile(
    r"\w\(|\w->\w|\w::|\w\.\w+\(|[\"'\w)\]}]\s*[;{}(\[,\\]$|\)\s*\S*$"
    r"|^[\"'].*[\"'](?:,|\s*:.*)?$|^[a-z][\w\-]*:(?:\s\S+)?$|^-\s\S+$"
)
_SENTENCE = re.compile(r"[^\W\d_]+,?(?: [^\W\d_]+,?){3}")
_COLUMN = re.compile(r"\b(?:INT|INTEGER|BIGINT|TEXT|VARCHAR|TIMESTAMP|PRIMARY KEY|NOT NULL|UNIQUE|REFERENCES)\b")
_LOOP = re.compile(r"for \w+(?:, \w+)* in [\w.()\[\]]+:$")
_MEMBER = re.compile(r"\w\.\w")
#: So many lines away, at most, stands the code that makes a line code; and words of a short line inside it.
_REACH, _FEW = 4, 3


def is_code(line: str) -> bool:
    """True for a line that is a command or code.

    >>> [is_code(one) for one in ("tar xvzf gentoo-0.9.12.tar.gz", "x = [n ** 2 for n in range(10)]", "make it so")]
    [True, True, False]
    >>> is_code("Run tar xvzf gentoo-0.9.12.tar.gz to unpack it.")
    False
    """
    return _is_code(line) if len(line) <= LONGEST_KEPT else _is_code.__wrapped__(line)


@lru_cache(maxsize=4096)  # four in ten lines of a site stand on others of its pages, too
def _is_code(line: str) -> bool:
    line = line.strip()[:500]
    if len(line) < 4 or (not _SIGN.search(line) and line.split(None, 1)[0] not in _FIRST):
        return False
    if _COMMAND.match(line):
        return True
    if _PROSE.search(line):
        return False
    if _STATEMENT.match(line):
        return True
    signs = len(_HARD.findall(line))
    visible = len(line) - line.count(" ")
    return signs >= 3 and 12 * signs >= visible and 10 * sum(map(str.isascii, line)) >= 9 * len(line)


def coded_lines(lines: Sequence[str]) -> list[bool]:
    """Which lines of a text are code: those that are by themselves, and those beside them that may be.

    >>> coded_lines(["Then:", "for (i = 0; i < n; i++) {", "  continue", "}", "That is all there is to it."])
    [False, True, True, True, False]
    """
    coded = [is_code(line) for line in lines]
    if not any(coded):
        return coded
    written = [number for number, line in enumerate(lines) if line.strip()]
    sure = [coded[number] for number in written]
    perhaps = [certain or _may_be_code(lines[number]) for certain, number in zip(sure, written, strict=True)]
    in_code = [likely and _reaches(row, sure, perhaps) for row, likely in enumerate(perhaps)]
    for row, number in enumerate(written):
        line = lines[number]
        beside = in_code[max(0, row - 1) : row] + in_code[row + 1 : row + 2]
        short = line[:1].isspace() and len(line.split()) <= _FEW
        coded[number] = in_code[row] or (short and all(beside))
    return coded


def _reaches(row: int, sure: Sequence[bool], perhaps: Sequence[bool]) -> bool:
    """True where a line that is code for sure stands near, with nothing but what may be code between."""
    for step in (-1, 1):
        at = row
        while 0 <= at < len(sure) and abs(at - row) <= _REACH and perhaps[at]:
            if sure[at]:
                return True
            at += step
    return False


def _may_be_code(line: str) -> bool:
    """True for a line that is code where it stands among code."""
    indented, line = line[:1].isspace(), line.strip()[:500]
    if not line.isascii() or _LOOP.match(line) or _ALONE.match(line) or not any(map(str.isalpha, line)):
        return line.isascii()
    first = line.split(None, 1)[0]
    statement = first in _AMONG and (first.isupper() or (indented and line[-1] not in ".!?") or _MEMBER.search(line))
    if statement or _COLUMN.search(line):
        return True
    return not _SENTENCE.search(line) and (first in _AMONG or bool(_SHAPE.search(line)))
