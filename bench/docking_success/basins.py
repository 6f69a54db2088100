"""The list that the program makes of scored poses (docs/method/docking-refinement.md, "Near-duplicates and
clusters"), for many scores of the same poses: who is near whom is found out once."""

import numpy as np

NO_RANK = 10**9


class Neighbours:
    """Who lies within `radius` of each pose; where: [n,12] of near.places."""

    def __init__(self, where, radius, block=1000):
        where = (where - where.mean(0)).astype(np.float32)
        norms = (where**2).sum(1)
        counts, found = [], []
        for begin in range(0, len(where), block):
            part = slice(begin, begin + block)
            squared = norms[part, None] + norms - 2 * where[part] @ where.T
            rows, others = np.nonzero(squared < radius * radius)
            found.append(others.astype(np.int32))
            counts.append(np.bincount(rows, minlength=len(where[part])))
        self.others = np.concatenate(found)
        self.starts = np.append(0, np.cumsum(np.concatenate(counts)))

    def of(self, pose):
        return self.others[self.starts[pose]:self.starts[pose + 1]]


def ranked(scores, neighbours):
    """(leaders of the basins, best first, and the basins' scores)."""
    free, leaders, sums = np.ones(len(scores), bool), [], []
    for pose in np.argsort(scores, kind="stable"):
        if free[pose]:
            its = neighbours.of(pose)
            its = its[free[its]]
            leaders.append(pose)
            sums.append(scores[pose] - np.log(np.exp(scores[pose] - scores[its]).sum()))
            free[its] = False
            free[pose] = False
    order = np.argsort(sums, kind="stable")
    return np.array(leaders)[order], np.array(sums)[order]


def rank_of_first(hits):
    """From 1, or NO_RANK."""
    where = np.flatnonzero(hits)
    return int(where[0]) + 1 if len(where) else NO_RANK


def cluster_leaders(where, leaders, radius, count):
    """The first `count` leaders of clusters; each takes all leaders within the radius."""
    free, chosen, where = np.ones(len(leaders), bool), [], where[leaders]
    while free.any() and len(chosen) < count:
        first = int(np.argmax(free))
        chosen.append(leaders[first])
        free &= ((where - where[first]) ** 2).sum(1) >= radius * radius
        free[first] = False
    return np.array(chosen, int)


def first_hits(scores, good, where, neighbours, cluster_radius=9, clusters=10):
    """(rank of the first good pose, rank of the first good cluster among `clusters`)"""
    leaders, _ = ranked(scores, neighbours)
    heads = cluster_leaders(where, leaders, cluster_radius, clusters)
    return rank_of_first(good[leaders]), rank_of_first(good[heads])
