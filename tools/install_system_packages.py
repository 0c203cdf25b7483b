"""Programs that some tests talk to (a browser, Java), from the system's packages, where that is possible.

Nothing here fails: without a program, the tests that need it are skipped and say so. What is there already is left
alone, so it costs nothing the second time. Only a Debian or Ubuntu of which we are root is ever changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: The programs that do (any of them), the package that has one, and which tests want it.
WANTED = (
    (("chromium", "chromium-browser", "google-chrome"), "chromium", "the page in a browser"),
    (("java",), "default-jre-headless", "Spark"),
)
SECONDS = 300


def missing() -> dict[str, str]:
    """The packages of which no program is there, and what each is for."""
    return {package: what for programs, package, what in WANTED if not any(map(shutil.which, programs))}


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
        listed = ", ".join(f"{package} (for tests of {what})" for package, what in packages.items())
        print(f"Installing system packages: {listed}; SYSTEM=no leaves them out", file=sys.stderr)
        reason = install(list(packages))
        if reason:
            print(f"Not installed ({reason}): those tests are skipped", file=sys.stderr)


if __name__ == "__main__":
    main()
