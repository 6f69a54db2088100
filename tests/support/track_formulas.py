"""Distances from the track of a stream in numpy: the spline by its slopes at the knots (Hermite's form), the nearest
point by trying many and then by the golden section."""

import numpy

SUN = numpy.array([-8.5, 0, 0])


def slopes(at, knots):
    """Of the natural cubic spline, at its knots."""
    h, n = numpy.diff(at), len(knots)
    chord = numpy.diff(knots, axis=0) / h[:, None]
    matrix, right = numpy.zeros((n, n)), numpy.zeros((n, 3))
    matrix[0, :2], right[0] = (2, 1), 3 * chord[0]
    matrix[-1, -2:], right[-1] = (1, 2), 3 * chord[-1]
    for k in range(1, n - 1):
        matrix[k, k - 1:k + 2] = h[k], 2 * (h[k - 1] + h[k]), h[k - 1]
        right[k] = 3 * (h[k] * chord[k - 1] + h[k - 1] * chord[k])
    return numpy.linalg.solve(matrix, right)


class Track:
    def __init__(self, knots, first_across=0.0, first_away=0.0, last_across=0.0, last_away=0.0):
        """Galactocentric knots [n,3]."""
        knots = numpy.array(knots, float)
        self.at = numpy.append(0, numpy.linalg.norm(numpy.diff(knots, axis=0), axis=1).cumsum())
        share = self.at / self.at[-1]
        moved = knots.copy()
        for k, slope in enumerate(slopes(self.at, knots)):
            sight = knots[k] - SUN
            across = numpy.cross(slope, sight)  # perpendicular to both
            across /= numpy.linalg.norm(across)
            away = numpy.cross(across, slope)
            away /= numpy.linalg.norm(away)
            moved[k] += ((1 - share[k]) * first_across + share[k] * last_across) * across + \
                ((1 - share[k]) * first_away + share[k] * last_away) * away
        self.knots, self.slopes = moved, slopes(self.at, moved)

    def place(self, k, u):
        """On interval k, a share u of it from its beginning: [..., 3]."""
        h = (self.at[k + 1] - self.at[k])[..., None]
        u = u[..., None]
        return (1 + 2 * u) * (1 - u)**2 * self.knots[k] + u * (1 - u)**2 * h * self.slopes[k] + \
            u**2 * (3 - 2 * u) * self.knots[k + 1] + u**2 * (u - 1) * h * self.slopes[k + 1]

    def of_interval(self, k, points):
        """Squared distances of points [n,3] from an interval."""
        samples, golden = 48, (5**0.5 - 1) / 2
        k = numpy.array(k)

        def off(share):
            return ((points - self.place(k, share))**2).sum(axis=1)

        tried = numpy.array([off(numpy.array(share)) for share in numpy.linspace(0, 1, samples + 1)])
        u = tried.argmin(axis=0) / samples
        low, high = numpy.maximum(u - 1 / samples, 0), numpy.minimum(u + 1 / samples, 1)
        for _ in range(40):
            c, d = high - golden * (high - low), low + golden * (high - low)
            left = off(c) < off(d)
            low, high = numpy.where(left, low, c), numpy.where(left, d, high)
        return off((low + high) / 2)

    def squared_distance(self, at):
        """Of galactocentric places [3, ...]."""
        points = at.reshape(3, -1).T
        best = numpy.min([self.of_interval(k, points) for k in range(len(self.at) - 1)], axis=0)
        for knot, outwards in ((0, -self.slopes[0]), (-1, self.slopes[-1])):
            along = outwards / numpy.linalg.norm(outwards)
            away = points - self.knots[knot]
            beyond = numpy.maximum(away @ along, 0)
            best = numpy.minimum(best, ((away - beyond[:, None] * along)**2).sum(axis=1))
        return best.reshape(at.shape[1:])
