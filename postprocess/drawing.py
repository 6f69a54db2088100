"""What the plot_*.py have in common: error lines, their modules, opening a result and writing a picture."""

import pathlib
import sys


def printable(text):
    """Names and texts of files may hold anything: they must not steer the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)


def fail(problem, why, what_to_do):
    sys.exit(printable(f"error: {problem} ({why}): {what_to_do}"))


try:
    import h5py
    import matplotlib
    import numpy  # noqa: F401  (the scripts use it; a missing one is told here)
except ImportError as missing:
    fail(f"the Python module {missing.name} is missing", f"looked for it with {sys.executable}",
         f"apt-get install python3-{missing.name}, or pip install {missing.name}")

matplotlib.use("Agg")  # opens no window; before pyplot is imported


PAPER_DPI = 300  # what journals ask for


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


def save(figure, output, run, dpi, suffix=".png"):
    """Writes the picture to `output`, or beside `run`."""
    output = output or str(pathlib.Path(run).with_suffix(suffix))
    try:
        figure.savefig(output, dpi=dpi)
    except (OSError, ValueError) as problem:
        fail(f"cannot write {output}", str(problem), "choose another name or folder")
    print(printable(f"written: {output}"))
