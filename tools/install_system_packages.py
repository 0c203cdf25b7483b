"""Programs that some tests talk to (a browser, Redis, Java), from the system's packages, where that is possible.

Nothing here fails: without a program, the tests that need it are skipped and say so. What is there already is left
alone, so it costs nothing the second time. Only a Debian or Ubuntu of which we are root is ever changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: The programs that do (any of them), and the package that has one.
WANTED = (
    (("chromium", "chromium-browser", "google-chrome"), "chromium"),
    (("redis-server",), "redis-server"),
    (("java",), "default-jre-headless"),
)
SECONDS = 300


def missing() -> list[str]:
    """The packages of which no program is there."""
    return [package for programs, package in WANTED if not any(shutil.which(program) for program in programs)]


def install(packages: list[str]) -> str | None:
    """None if they were installed, else why not."""
    apt = shutil.which("apt-get")
    if apt is None:
        return "this system has no apt-get"
    if os.geteuid() != 0:
        return "only root may install packages"
    # RUNLEVEL: a server that is installed for tests is not to be started for the whole machine.
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    commands = [
        [apt, "update"],
        [apt, "install", "--yes", "--no-install-recommends", "--option=DPkg::Lock::Timeout=120", *packages],
    ]
    for command in commands:
        try:
            done = subprocess.run(command, env=quiet, capture_output=True, text=True, timeout=SECONDS)  # noqa: S603
        except subprocess.TimeoutExpired:
            return f"'{' '.join(command[1:])}' took more than {SECONDS} s"
        if done.returncode:
            return (done.stderr.strip() or done.stdout.strip() or "apt-get failed").splitlines()[-1]
    return None


def main() -> None:
    """Install what is missing, or say why it is not."""
    packages = missing()
    if packages:
        print(f"Installing {', '.join(packages)} for the tests that need them", file=sys.stderr)
        reason = install(packages)
        if reason:
            print(f"Not installed ({reason}): those tests will be skipped", file=sys.stderr)


if __name__ == "__main__":
    main()
