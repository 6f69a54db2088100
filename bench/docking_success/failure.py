"""Ends the program with one line: problem (why): what to do."""

import sys


def fail(problem, why, what_to_do):
    sys.exit(f"error: {problem} ({why}): {what_to_do}")
