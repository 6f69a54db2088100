"""One line for what cannot go on."""

import sys


def fail(problem, why, what_to_do):
    sys.exit(f"error: {problem} ({why}): {what_to_do}")


def module_missing(error):
    """For an ImportError."""
    fail(f"the Python module {error.name} is missing", f"looked for it with {sys.executable}",
         f"apt-get install python3-{error.name}, or pip install {error.name}")
