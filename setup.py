"""Builds the engine; everything else about the package stands in pyproject.toml.

A module of a folder in `COMPILED` with a `.pxd` beside it is compiled, but for `engine/codes`: its
functions are compiled into the modules that use them.
`STICHWERK_PURE` says what happens when that cannot be done: unset, the build warns and goes on in
plain Python; `1` never compiles; `0` insists and fails. `STICHWERK_MARCH` names the processor to
compile for.

The modules of a folder in `SHARED` become one extension, `compiled`, as one for each would cost
minutes. Its source is put together from theirs, its .pxd is derived from their annotations.
Classes in them that extend no base class, such as kinds of events, stay Python classes.
"""

import ast
import multiprocessing
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from textwrap import shorten

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, CompileError, ExecError, PlatformError

SOURCE = Path("src")
INLINE = SOURCE / "stichwerk/engine/codes.pxd"  # compiled into its users only
HELPERS = "stichwerk.engine.codes"
COMPILED = (
    "stichwerk/engine",
    "stichwerk/games",
    "stichwerk/bots/tactics",
    "stichwerk/bots/nets",
    "stichwerk/envs",
    "stichwerk/training",
)
# Folders whose modules share an extension, and where their base classes are.
SHARED = {"stichwerk/games/stichtag/sheets": "stichwerk/games/stichtag/sheet"}
MADE = Path("build/shared")  # sources of shared extensions
C_TYPES = {"int": "int", "bool": "bint", "float": "double", "None": "void"}
CLASSES = {
    "State": "stichwerk.engine.state",
    "Moves": "stichwerk.engine.round_rules",
    "Generator": "stichwerk.engine.generator",
    "Bits": "stichwerk.engine.machine",
}
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
    single = [Extension(module_name(pxd), [source_of(pxd)]) for pxd in found if pxd != INLINE]
    together = [
        Extension(f"{folder.replace('/', '.')}.compiled", [str(MADE / folder / "compiled.py")])
        for folder in shared()
    ]
    return together + single  # the largest first: the others are built beside it


def shared() -> dict[str, str]:
    """The shared folders that this tree has."""
    return {folder: base for folder, base in SHARED.items() if (SOURCE / folder).is_dir()}


def is_shared(ext: Extension) -> bool:
    return ext.name.endswith(".compiled")


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def source_of(pxd: Path) -> str:
    pyx = pxd.with_suffix(".pyx")
    return str(pyx if pyx.exists() else pxd.with_suffix(".py"))


# -- Modules that share an extension ---------------------------------------------------------------


def write_shared() -> None:
    """Write source and declarations of every shared extension, where they have changed."""
    for folder, base in shared().items():
        made = MADE / folder
        made.mkdir(parents=True, exist_ok=True)
        for package in [made, *made.parents]:
            if package.is_relative_to(MADE) and package != MADE:
                write_changed(package / "__init__.py", "")
        files = [path for path in sorted((SOURCE / folder).glob("*.py")) if path.stem[0] != "_"]
        trees = {path: ast.parse(path.read_text("utf-8")) for path in files}
        constants = own_constants(trees)
        shown = "".join(f'globals()["{name}"] = {name}\n' for name in constants)
        source = "\n\n".join(path.read_text("utf-8") for path in files)
        write_changed(made / "compiled.py", f"{source}\n\n{shown}")
        write_changed(made / "compiled.pxd", declarations(trees, base, constants))


def write_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def own_constants(trees: dict[Path, ast.Module]) -> dict[str, float]:
    """Numbers that the modules define, and show to others; two of a name must be equal."""
    found: dict[str, float] = {}
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, value = node.targets[0].id, ast.literal_eval(node.value)
                if found.setdefault(name, value) != value:
                    sys.exit(f"{path}: {name} is {found[name]} in another module of the folder")
    return found


def declarations(trees: dict[Path, ast.Module], base: str, constants: dict[str, float]) -> str:
    """The .pxd of a shared extension, from the annotations of its modules."""
    bases = ast.parse((SOURCE / base).with_suffix(".py").read_text("utf-8"))
    known = {node.name: node for node in bases.body if isinstance(node, ast.ClassDef)}
    inherited = {name for node in known.values() for name in methods_of(node)}
    lines = ["cimport cython"]
    lines += [f"from {module} cimport {name}" for name, module in CLASSES.items()]
    lines += [f"from {base.replace('/', '.')} cimport {name}" for name in known]
    lines += [f"from {HELPERS} cimport {name}" for name in imported(trees, is_of_helpers)]
    for name in sorted(set(constants) | set(imported(trees, is_of_numbers))):
        kind = "double" if isinstance(constants.get(name), float) else "int"
        lines.append(f"cdef {kind} {name}")
    of_class: dict[str, set[str]] = {}
    for node in (node for tree in trees.values() for node in tree.body):
        base_name = ast.unparse(node.bases[0]) if isinstance(node, ast.ClassDef) else ""
        if isinstance(node, ast.ClassDef) and (base_name in known or base_name in of_class):
            of_class[node.name] = {*methods_of(node), *fields_of(node)}
            lines += declared(node, inherited | of_class.get(base_name, set()))
    return "\n".join(lines) + "\n"


def imported(trees: dict[Path, ast.Module], is_wanted: Callable[[str], bool]) -> list[str]:
    """The names that the modules import from certain others."""
    found = {
        name.name
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and is_wanted(node.module or "")
        for name in node.names
    }
    return sorted(found)


def is_of_helpers(module: str) -> bool:
    """Whether a module's functions are compiled into those that use them."""
    return module == HELPERS


def is_of_numbers(module: str) -> bool:
    """Whether a module holds whole numbers and nothing else."""
    return module.endswith((".constants", ".storage"))


def declared(node: ast.ClassDef, inherited: set[str]) -> list[str]:
    """A class with its positions in the state, and its helpers that need no Python objects."""
    lines = [f"    cdef int {name}" for name in fields_of(node) if name not in inherited]
    for name, method in methods_of(node).items():
        signature = c_signature(method)
        if name not in inherited and signature:
            final = ["    @cython.final"] if signature.startswith("cdef") else []
            lines += [*final, f"    {signature}"]
    head = f"cdef class {node.name}({ast.unparse(node.bases[0])}):"
    return ["", head, *(lines or ["    pass"])]


def fields_of(node: ast.ClassDef) -> list[str]:
    """What a class assigns where it reserves or finds positions in the state."""
    return [
        target.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.FunctionDef) and inner.name in ("reserve", "find")
        for line in inner.body
        if isinstance(line, ast.Assign)
        for target in line.targets
        if isinstance(target, ast.Attribute)
    ]


def methods_of(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}


def c_signature(method: ast.FunctionDef) -> str:
    """The C declaration of a method: of one with numbers and states for compiled loops, of other
    methods with a state so that they write into it; empty for all others.
    """
    given = [(arg.arg, ast.unparse(arg.annotation)) for arg in method.args.args if arg.annotation]
    answer = ast.unparse(method.returns) if method.returns else ""
    types = {**C_TYPES, **{name: name for name in CLASSES}}
    arguments = ", ".join(["self", *(f"{types.get(kind, '')} {name}" for name, kind in given)])
    if answer not in C_TYPES or any(kind not in types for _, kind in given):
        has_state = "State" in [kind for _, kind in given]
        return f"cpdef {method.name}({arguments})" if has_state else ""
    return f"cdef {C_TYPES[answer]} {method.name}({arguments}) noexcept nogil"


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

        write_shared()
        made = cythonize(
            self.extensions,
            build_dir="build/cython",
            compiler_directives=DIRECTIVES,
            include_path=[str(SOURCE), str(MADE)],
            quiet=not self.verbose,
            # Other ways to start a process run this file again.
            nthreads=(os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0,
        )
        sources = {ext.name: ext.sources for ext in made}
        for ext in self.extensions:
            ext.sources = sources[ext.name]

    def build_extensions(self) -> None:
        if self.compiler.compiler_type != "msvc":
            # Debug symbols, on by default in most Pythons, cost a quarter of the build. The Python
            # forms of the functions in INLINE are made in each module and used in none.
            flags = ["-O3", "-g0", "-Wno-unused-variable", *self.march()]
            # Which pointers may be equal takes gcc long to find out in a file that large.
            quick = [flag for flag in ["-fno-tree-pta"] if self.accepts(flag)]
            for ext in self.extensions:
                ext.extra_compile_args = flags + (quick if is_shared(ext) else [])
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
