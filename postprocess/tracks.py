"""The tracks of streams in numpy: natural cubic splines through knots (docs/method/likelihood.md)."""

import numpy

SUN = numpy.array([8.5, 0.0, 0.0])  # from the Sun to the Galactic centre, kpc


class Spline:
    """A natural cubic spline through knots [n,3], along the lengths of the chords, with straight ends."""

    def __init__(self, knots, at=None):
        self.knots = numpy.asarray(knots, float)
        steps = numpy.linalg.norm(numpy.diff(self.knots, axis=0), axis=1)
        self.at = numpy.append(0, steps.cumsum()) if at is None else at
        h, n = numpy.diff(self.at), len(self.knots)
        matrix, right = numpy.eye(n), numpy.zeros((n, self.knots.shape[1]))
        slopes = numpy.diff(self.knots, axis=0) / h[:, None]
        for k in range(1, n - 1):
            matrix[k, k - 1:k + 2] = h[k - 1] / 6, (h[k - 1] + h[k]) / 3, h[k] / 6
            right[k] = slopes[k] - slopes[k - 1]
        self.second = numpy.linalg.solve(matrix, right)

    def __call__(self, t):
        """Places at t, kpc along the chords from the first knot."""
        t = numpy.atleast_1d(numpy.asarray(t, float))
        inside = numpy.clip(t, 0, self.at[-1])
        k = numpy.clip(numpy.searchsorted(self.at, inside, side="right") - 1, 0, len(self.at) - 2)
        h = numpy.diff(self.at)[k][:, None]
        b = (inside - self.at[k])[:, None] / h
        a = 1 - b
        place = a * self.knots[k] + b * self.knots[k + 1] + \
            ((a**3 - a) * self.second[k] + (b**3 - b) * self.second[k + 1]) * h**2 / 6
        return place + (t - inside)[:, None] * self.slope(inside)

    def slope(self, t):
        t = numpy.atleast_1d(numpy.asarray(t, float))
        k = numpy.clip(numpy.searchsorted(self.at, t, side="right") - 1, 0, len(self.at) - 2)
        h = numpy.diff(self.at)[k][:, None]
        b = (t - self.at[k])[:, None] / h
        a = 1 - b
        return (self.knots[k + 1] - self.knots[k]) / h + \
            ((3 * b**2 - 1) * self.second[k + 1] - (3 * a**2 - 1) * self.second[k]) * h / 6


def of_stream(stream):
    """The axis of a stream of a result, from the Sun: its knots, moved by its shifts."""
    knots = numpy.array(stream["track"]) + SUN
    spline = Spline(knots)
    along = spline.slope(spline.at)
    along /= numpy.linalg.norm(along, axis=1)[:, None]
    away = knots / numpy.linalg.norm(knots, axis=1)[:, None]
    away -= (away * along).sum(axis=1)[:, None] * along
    away /= numpy.linalg.norm(away, axis=1)[:, None]
    across = numpy.cross(along, away)
    share = (spline.at / spline.at[-1])[:, None]
    shift = {side: (1 - share) * stream[f"first_{side}"] + share * stream[f"last_{side}"]
             for side in ("across", "away")}
    return Spline(knots + shift["across"] * across + shift["away"] * away, spline.at)
