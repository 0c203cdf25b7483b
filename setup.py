"""Builds the kernels: plain C without Python's headers, loaded by ctypes (docs/decisions/0001-kernels-in-c.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

KERNELS = Path("src", "dragoman", "kernels")
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


class BuildKernels(build_ext):
    """Compile to a plain shared library: no module initialiser, no Python version in its name."""

    def get_ext_filename(self, fullname: str) -> str:
        return str(Path(*fullname.split("."))) + SUFFIX

    def copy_extensions_to_source(self) -> None:
        # A program that has the old library open keeps it: a file overwritten in place would change under its feet.
        (KERNELS / f"native{SUFFIX}").unlink(missing_ok=True)
        super().copy_extensions_to_source()

    def get_export_symbols(self, ext: Extension) -> list[str]:
        return list(ext.export_symbols)


class PlatformWheel(bdist_wheel):
    """One wheel per platform serves every Python 3, because nothing of Python's C interface is used."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


flags: dict[str, Any] = (
    {"extra_compile_args": ["/O2"]}
    if sys.platform == "win32"
    else {
        "libraries": ["m"],
        "extra_compile_args": [
            "-O3",
            "-std=c11",
            "-ffp-contract=off",
            "-Wall",
            "-Wextra",
            "-fvisibility=hidden",
        ],
    }
)
setup(
    ext_modules=[
        Extension(
            "dragoman.kernels.native",
            sources=[str(path) for path in sorted(KERNELS.glob("*.c"))],
            depends=[str(path) for path in sorted(KERNELS.glob("*.h"))],
            **flags,
        )
    ],
    cmdclass={"build_ext": BuildKernels, "bdist_wheel": PlatformWheel},
)
