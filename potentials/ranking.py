"""Weights of a linear score that ranks: the share of the good poses in sum exp(-score), maximised."""

import numpy as np


def log_sums(scores, starts):
    """ln sum exp(-score) of each complex, and each pose's share of it."""
    lengths = np.diff(np.append(starts, len(scores)))
    highest = np.maximum.reduceat(-scores, starts)
    shares = np.exp(-scores - np.repeat(highest, lengths))
    sums = np.add.reduceat(shares, starts)
    return highest + np.log(sums), shares / np.repeat(sums, lengths)


class ShareLoss:
    """Mean over complexes of -ln(share of the acceptable poses), plus sum penalty w^2.

    features: one [poses, k] array a complex; good: one boolean array a complex, some of it true; stands_for: where
    the poses are a sample, how many each stands for, one array a complex."""

    def __init__(self, features, good, penalty, stands_for=None):
        self.all = np.concatenate(features).astype(np.float32)
        self.starts = np.cumsum([0] + [len(f) for f in features[:-1]])
        mask = np.concatenate(good)
        self.good = self.all[mask]
        self.good_starts = np.cumsum([0] + [g.sum() for g in good[:-1]])
        self.penalty = penalty
        weights = np.log(np.concatenate(stands_for)) if stands_for else np.zeros(len(mask))
        self.offset, self.good_offset = -weights, -weights[mask]

    def __call__(self, weights):
        """Loss and gradient."""
        w = weights.astype(np.float32)
        total, shares = log_sums((self.all @ w).astype(float) + self.offset, self.starts)
        part, good_shares = log_sums((self.good @ w).astype(float) + self.good_offset,
                                     self.good_starts)
        gradient = (good_shares.astype(np.float32) @ self.good
                    - shares.astype(np.float32) @ self.all) / len(total)
        loss = np.mean(total - part)
        return loss + self.penalty @ weights**2, gradient + 2 * self.penalty * weights


def descent_direction(gradient, steps, changes):
    """-H gradient with the L-BFGS estimate of H (Nocedal & Wright 2006, algorithm 7.4)."""
    q, factors = gradient.copy(), []
    for s, y in zip(reversed(steps), reversed(changes)):
        factors.append(s @ q / (y @ s))
        q -= factors[-1] * y
    q *= steps[-1] @ changes[-1] / (changes[-1] @ changes[-1]) if steps else 1 / max(1, np.linalg.norm(q))
    for s, y, factor in zip(steps, changes, reversed(factors)):
        q += s * (factor - y @ q / (y @ s))
    return -q


def minimise(function, start, iterations=60, memory=10):
    """Where the iterations end, from `start` on; `function` gives value and gradient."""
    x, (value, gradient) = start, function(start)
    steps, changes = [], []
    for _ in range(iterations):
        direction = descent_direction(gradient, steps, changes)
        slope, length = gradient @ direction, 1.0
        if slope > -1e-9:
            break
        while True:
            following = x + length * direction
            next_value, next_gradient = function(following)
            if next_value <= value + 1e-4 * length * slope or length < 1e-6:
                break
            length /= 2
        if (next_gradient - gradient) @ (following - x) > 1e-12:
            steps = [*steps, following - x][-memory:]
            changes = [*changes, next_gradient - gradient][-memory:]
        x, value, gradient = following, next_value, next_gradient
    return x
