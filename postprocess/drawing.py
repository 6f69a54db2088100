"""What the plot_*.py have in common: their modules, opening a result and writing a picture."""

import pathlib
import sys

from results import fail, open_result, printable, text_of  # noqa: F401  (the scripts take them from here)

try:
    import matplotlib
except ImportError as missing:
    fail(f"the Python module {missing.name} is missing", f"looked for it with {sys.executable}",
         f"apt-get install python3-{missing.name}, or pip install {missing.name}")

matplotlib.use("Agg")  # opens no window; before pyplot is imported


PAPER_DPI = 300  # what journals ask for


def save(figure, output, run, dpi, suffix=".png"):
    """Writes the picture to `output`, or beside `run`."""
    output = output or str(pathlib.Path(run).with_suffix(suffix))
    try:
        figure.savefig(output, dpi=dpi)
    except (OSError, ValueError) as problem:
        fail(f"cannot write {output}", str(problem), "choose another name or folder")
    print(printable(f"written: {output}"))
