"""Lets the environment that runs this find all packages of another one too, after its own: lay_over.py ENVIRONMENT."""

from __future__ import annotations

import site
import sys
from pathlib import Path


def main() -> None:
    """Write the file by which Python finds them."""
    (packages,) = Path(sys.argv[1]).resolve().glob("lib/python3.*/site-packages")
    here = Path(site.getsitepackages()[0])
    line = f"import site; site.addsitedir({str(packages)!r})\n"
    (here / "lower_environment.pth").write_text(line, encoding="utf-8")


if __name__ == "__main__":
    main()
