"""Chooses constants on the complexes of the training folds. One rule serves all constants, and it was fixed before
the first choice. The best candidate has the lowest mean log10 rank of the first acceptable pose. Among equal
candidates it is the one with the smallest change. It replaces the value known beforehand only if the 95 % bootstrap
interval of the paired difference over complexes excludes 0."""

import numpy as np

import rates

NEVER = 3000


def log_rank(hits):
    """log10 of the first rank at which `hits` is true, or of NEVER if there is none before."""
    where = np.flatnonzero(hits)
    return np.log10(min(where[0] + 1, NEVER) if len(where) else NEVER)


class Choice:
    """`value`, the best `candidate`, and its change of the log rank relative to the start: mean, low, high."""

    def __init__(self, logs, start):
        """logs: {value: [complexes]}, ordered by growing change; start: the value known beforehand."""
        self.candidate = min(logs, key=lambda value: (round(float(logs[value].mean()), 9), value != start))
        change = logs[self.candidate] - logs[start]
        self.change, (self.low, self.high) = change.mean(), rates.bootstrap_interval(change)
        self.value = self.candidate if self.high < 0 else start

    def __str__(self):
        return f"best {self.candidate} {self.change:+.2f} [{self.low:+.2f}, {self.high:+.2f}] -> {self.value}"
