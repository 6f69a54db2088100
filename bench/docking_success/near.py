"""Near-duplicates and clusters of rigid poses by the ligand's C-alpha RMSD without superposition. The program treats
the consensus in the same way (docs/method/docking-refinement.md, "Near-duplicates and clusters")."""

import numpy as np


def rotation_matrices(quaternions):
    """[n,3,3] of unit quaternions [n,4], scalar first."""
    w, x, y, z = np.asarray(quaternions, float).T
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), -1, 0)


def places(points, rotations, translations):
    """[n,12]: points whose distances are the RMSDs of `points` [k,3] between the poses. `points` are relative to the
    centre of rotation. With the mean m and the covariance C = S S^T, a pose is at (R m + t, R S)."""
    mean = points.mean(0)
    values, vectors = np.linalg.eigh(np.cov(points.T, bias=True))
    factor = vectors * np.sqrt(np.maximum(values, 0))
    return np.hstack([rotations @ mean + translations, (rotations @ factor).reshape(-1, 9)])


def squared_distances(place, others):
    return ((others - place) ** 2).sum(1)


def without_duplicates(where, radius):
    """Indices of the places, best first, that are not within the radius of a better place that is kept."""
    kept = np.empty(len(where), int)
    kept_places = np.empty_like(where)
    count = 0
    for i, place in enumerate(where):
        if (squared_distances(place, kept_places[:count]) < radius * radius).any():
            continue
        kept[count], kept_places[count] = i, place
        count += 1
    return kept[:count]


def leaders(where, radius, count):
    """Indices of the first `count` leaders. The best place takes all within the radius, then the best of the rest."""
    free, leading = np.ones(len(where), bool), []
    while free.any() and len(leading) < count:
        leading.append(int(np.argmax(free)))
        free &= squared_distances(where[leading[-1]], where) >= radius * radius
        free[leading[-1]] = False
    return np.array(leading, int)
