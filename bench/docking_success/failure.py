"""One line for what cannot go on."""

import sys


def fail(problem, why, what_to_do):
    sys.exit(f"error: {problem} ({why}): {what_to_do}")
