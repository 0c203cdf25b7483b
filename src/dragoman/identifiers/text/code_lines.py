"""Lines that are commands or code: written by people, but in no language of theirs.

A line is taken for code by signs that prose does not have: a prompt, a command with options or files behind it, the
beginning or the end of a statement, SQL's words in capitals, or many of the signs of code. Prose that names a command
(`Run tar xvzf a.tar.gz to unpack it.`) is prose. It is meant to be right when it says yes.
"""

from __future__ import annotations

import re

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
)
_STATEMENTS = (
    r"#\s*(?:include|define|ifn?def|endif|pragma)\b",
    r"(?:async\s+)?def\s+\w+\s*\(",
    r"class\s+\w+\s*(?:[:({]|extends\b)",
    r"(?:from\s+[\w.]+\s+)?import\s+[\w.*{},\s]+(?:\s+from\s+.+)?;?$",
    r"(?:export\s+)?(?:default\s+)?function\s*\w*\s*\(",
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
_SIGN = re.compile(r"[{}\[\]=|$\\_<>^~#@;&/]")
_FIRST = frozenset(f"{_SHELL} {_WORDS} if else: try: def class import from".split())


def is_code(line: str) -> bool:
    """True for a line that is a command or code.

    >>> [is_code(one) for one in ("tar xvzf gentoo-0.9.12.tar.gz", "x = [n ** 2 for n in range(10)]", "make it so")]
    [True, True, False]
    >>> is_code("Run tar xvzf gentoo-0.9.12.tar.gz to unpack it.")
    False
    """
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
