"""What the tests of Python scripts share: they need modules that not every machine has, and a script is a file
without a suffix."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("TESSERA_SOURCE_DIR",
                                   pathlib.Path(__file__).resolve().parent.parent.parent))
SKIPPED = 77


def need(*modules):
    """Ends the test with a message where a module is missing."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: no Python module {', '.join(missing)} ({sys.executable})")
        sys.exit(SKIPPED)


def need_module():
    """Ends the test with a message where the compiled module of the Python package is missing."""
    try:
        from tessera import _kernels  # noqa: F401
    except ImportError as problem:
        print(f"skipped: the module of the package is not built ({problem})")
        sys.exit(SKIPPED)


def load(path):
    """A script of the repository as a module; what lies beside it can be imported too."""
    path = ROOT / path
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    name = path.stem + "_script"
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def run_script(path, *arguments, flags=(), **options):
    return subprocess.run([sys.executable, *flags, str(ROOT / path), *map(str, arguments)],
                          capture_output=True, text=True, **options)


def expect_refused(test, result, words):
    """One line "error: problem (why): what to do" and nothing else."""
    test.assertNotEqual(result.returncode, 0, result.stdout)
    test.assertRegex(result.stderr, r"\Aerror: [^\n]+ \(.+\): [^\n]+\n\Z")
    test.assertRegex(result.stderr, words)
