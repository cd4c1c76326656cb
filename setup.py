"""Builds the engine; everything else about the package stands in pyproject.toml.

A module of `engine/`, `games/`, `bots/tactics/` or `envs/` with a `.pxd` beside it is compiled, but
for `engine/codes`: its functions are compiled into the modules that use them.
`STICHWERK_PURE` says what happens when that cannot be done: unset, the build warns and goes on in
plain Python; `1` never compiles; `0` insists and fails. `STICHWERK_MARCH` names the processor to
compile for.
"""

import os
import platform
import sys
import tempfile
from pathlib import Path
from textwrap import shorten

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, CompileError, ExecError, PlatformError

SOURCE = Path("src")
INLINE = SOURCE / "stichwerk/engine/codes.pxd"  # compiled into its users only
COMPILED = ("stichwerk/engine", "stichwerk/games", "stichwerk/bots/tactics", "stichwerk/envs")
DIRECTIVES = {
    "language_level": 3,
    "infer_types": True,
    # The C types stand in the .pxd files; the annotations are for readers and mypy.
    "annotation_typing": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
    "show_performance_hints": False,
}


def extensions() -> list[Extension]:
    """One extension for every other .pxd, from the .pyx of its name or else from the .py."""
    found = sorted(pxd for part in COMPILED for pxd in (SOURCE / part).rglob("*.pxd"))
    return [Extension(module_name(pxd), [source_of(pxd)]) for pxd in found if pxd != INLINE]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def source_of(pxd: Path) -> str:
    pyx = pxd.with_suffix(".pyx")
    return str(pyx if pyx.exists() else pxd.with_suffix(".py"))


class BuildEngine(build_ext):
    """Compiles all extensions or none: a compiled class cannot extend a plain one."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        wish = os.environ.get("STICHWERK_PURE", "")
        if wish == "1":
            return self.go_plain("STICHWERK_PURE=1")
        self.translate()
        inplace = self.inplace
        try:
            super().run()
        except (CCompilerError, ExecError, PlatformError) as error:
            if wish == "0":
                raise
            self.inplace = inplace  # setuptools switches it off while it compiles
            self.go_plain(shorten(f"no working C compiler: {error}", 120, placeholder=" ..."))
        else:
            self.sweep(keep={ext.name for ext in self.extensions})

    def translate(self) -> None:
        """Python to C. An error here is a mistake in our source, so it is not caught."""
        from Cython.Build import cythonize

        made = cythonize(
            self.extensions,
            build_dir="build/cython",
            compiler_directives=DIRECTIVES,
            include_path=[str(SOURCE)],
            quiet=not self.verbose,
        )
        sources = {ext.name: ext.sources for ext in made}
        for ext in self.extensions:
            ext.sources = sources[ext.name]

    def build_extensions(self) -> None:
        if self.compiler.compiler_type != "msvc":
            # The Python forms of the functions in INLINE are made in each module and used in none.
            flags = ["-O3", "-Wno-unused-variable", *self.march()]
            for ext in self.extensions:
                ext.extra_compile_args = flags
        super().build_extensions()

    def march(self) -> list[str]:
        """The processor flag. x86-64-v2 (every x86-64 since 2009) counts bits in one step."""
        wish = os.environ.get("STICHWERK_MARCH")
        if wish is not None:
            return [f"-march={wish}"] if wish else []
        usual = "-march=x86-64-v2"
        x86 = platform.machine().lower() in ("x86_64", "amd64")
        return [usual] if x86 and self.accepts(usual) else []

    def accepts(self, flag: str) -> bool:
        """Older compilers, and those that build for two processors at once, refuse the flag."""
        with tempfile.TemporaryDirectory() as folder:
            probe = Path(folder, "probe.c")
            probe.write_text("int probe(void) { return 0; }\n")
            try:
                self.compiler.compile([str(probe)], output_dir=folder, extra_postargs=[flag])
            except CompileError:
                return False
        return True

    def go_plain(self, reason: str) -> None:
        self.extensions = self.distribution.ext_modules = []
        self.sweep(keep=set())
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel:  # it took the extensions for granted when it chose its name
            wheel.root_is_pure = True
        print(
            f"\nWARNING: stichwerk is installed as plain Python ({reason}).\n"
            "WARNING: It plays the same, only slower; `stichwerk doctor` says which engine runs.\n",
            file=sys.stderr,
            flush=True,
        )

    def sweep(self, keep: set[str]) -> None:
        """Removes libraries that would hide their .py: left from a failed or an older build."""
        suffix = Path(self.get_ext_filename("x")).name.removeprefix("x")
        # Another build of this tree, in a wheel, is no reason to touch what lies beside the source.
        for root in [Path(self.build_lib), *([SOURCE] if self.inplace else [])]:
            for part in COMPILED:
                for library in (root / part).rglob(f"*{suffix}"):
                    name = ".".join(library.relative_to(root).parts).removesuffix(suffix)
                    if name not in keep:
                        library.unlink()


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildEngine})
