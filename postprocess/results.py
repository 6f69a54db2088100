"""What the scripts that read results have in common: error lines, texts, and opening a result."""

import pathlib
import sys


def printable(text):
    """Names and texts of files may hold anything: they must not steer the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)


def fail(problem, why, what_to_do):
    sys.exit(printable(f"error: {problem} ({why}): {what_to_do}"))


try:
    import h5py
    import numpy  # noqa: F401  (the scripts use it; a missing one is told here)
except ImportError as missing:
    fail(f"the Python module {missing.name} is missing", f"looked for it with {sys.executable}",
         f"apt-get install python3-{missing.name}, or pip install {missing.name}")


def text_of(value):
    """A text of the file, whatever its version of h5py makes of it."""
    return value.decode() if isinstance(value, bytes) else value


def open_result(path, group, content, command):
    """The file of a run of `command`, which holds `content` in `group`."""
    if not pathlib.Path(path).is_file():
        fail(f"cannot open {path}", "no such file", "check the name")
    try:
        file = h5py.File(path, "r")
    except OSError as problem:
        fail(f"cannot open {path} as HDF5", str(problem), f"give the output of {command}")
    if group not in file:
        fail(f"{path} holds no {content}", f"its workload is {file.attrs.get('workload')}",
             f"give the output of {command}")
    return file
