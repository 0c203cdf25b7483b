"""What a refusal looks like on the command line: nothing on stdout, one line on stderr, the right exit code."""

from __future__ import annotations

from click.testing import Result


def refused(result: Result, code: int = 1) -> str:
    """The line that a refused command wrote."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("dragoman: ")
    assert result.stderr.count("\n") == 1
    return result.stderr
