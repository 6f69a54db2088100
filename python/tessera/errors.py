"""The exception of this package."""


class Error(Exception):
    """What a user can put right, in one line: the problem, why it is one, and what to do."""
