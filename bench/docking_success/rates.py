"""Success rates: the share of complexes with a hit among the first N."""

import numpy as np

CRITERIA = {
    "acceptable": lambda q: q["capri_class"] >= 1,
    "medium": lambda q: q["capri_class"] >= 2,
    "high": lambda q: q["capri_class"] >= 3,
    "i-RMSD < 2.5 A": lambda q: q["interface_rmsd"] < 2.5,
    "ligand interface CA < 10 A": lambda q: q["ligand_interface_ca_rmsd"] < 10,
}
TOP = {"pose": (1, 5, 10, 100, 1000), "cluster": (1, 5, 10)}
NEVER = np.iinfo(np.int64).max


def first_hit(quality, criterion):
    """Rank, from 1, of the first entry that meets a criterion, or NEVER if none does."""
    hits = np.flatnonzero(CRITERIA[criterion](quality))
    return int(hits[0]) + 1 if len(hits) else NEVER


def bootstrap_interval(values, seed=2026, resamples=10_000, level=0.95):
    """Percentile interval of the mean over resamples of the complexes with replacement."""
    rng = np.random.default_rng(seed)
    means = rng.choice(values, (resamples, len(values))).mean(1)
    return np.quantile(means, [(1 - level) / 2, (1 + level) / 2])


def lists_of(runs, name, unit):
    """Poses or clusters of one list of every run."""
    return [run.rankings[name].poses if unit == "pose" else run.rankings[name].clusters for run in runs]


def rate_rows(runs, folds=None):
    """Rows (list, unit, criterion, top, rate, low, high, [rate of each fold]) of all lists, in %."""
    rows = []
    for name in runs[0].rankings:
        for unit, tops in TOP.items():
            lists = lists_of(runs, name, unit)
            for criterion in CRITERIA:
                ranks = np.array([first_hit(quality, criterion) for quality in lists])
                for top in tops:
                    hit = ranks <= top
                    low, high = bootstrap_interval(hit)
                    by_fold = [] if folds is None else [
                        hit[folds == fold].mean() * 100 for fold in np.unique(folds)]
                    rows.append((name, unit, criterion, top, hit.mean() * 100, low * 100, high * 100,
                                 by_fold))
    return rows


def step_rows(runs):
    """Rows (list, unit, criterion, top, change, low, high): the change of the rate from the list before to each list
    but the first, in % of complexes, with the interval of the paired difference."""
    rows, names = [], list(runs[0].rankings)
    for before, name in zip(names, names[1:]):
        for unit, tops in TOP.items():
            for criterion in CRITERIA:
                old, new = (np.array([first_hit(quality, criterion) for quality in lists_of(runs, n, unit)])
                            for n in (before, name))
                for top in tops:
                    change = (new <= top) * 100.0 - (old <= top) * 100.0
                    rows.append((name, unit, criterion, top, change.mean(), *bootstrap_interval(change)))
    return rows


def mean_log_ranks(runs, never=3000):
    """{list: (mean log10 rank of the first acceptable pose, its change from the list before, low, high)}.
    If no pose is acceptable, the rank counts as `never`."""
    result, before = {}, None
    for name in runs[0].rankings:
        ranks = [first_hit(quality, "acceptable") for quality in lists_of(runs, name, "pose")]
        logs = np.log10([never if rank == NEVER else rank for rank in ranks])
        change = logs - (logs if before is None else before)
        result[name] = (logs.mean(), change.mean(), *bootstrap_interval(change))
        before = logs
    return result
