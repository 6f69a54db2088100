"""Complexes of the training from the files of pose_cache.py: a sample of the poses for training, all for judging."""

import sys
import pathlib

import numpy as np

import ranking
import training

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench/docking_success"))

import basins  # noqa: E402

DUPLICATES, CLUSTERS = 5, 9  # A


def scaled(contacts):
    """The contacts in the units of the training, single precision."""
    shells = len(training.CONTACT_SCALE)
    scale = np.repeat(np.float32(training.CONTACT_SCALE), contacts.shape[1] // shells)
    return contacts.astype(np.float32) / scale


def kinds_of(file, statistical, share=False):
    """[(kind, name)] as in a table of weights: the last four of term_names are those of the search."""
    names = [str(name) for name in file["term_names"]]
    kinds = [("searched" if i >= len(names) - 4 else "refined", name) for i, name in enumerate(names)]
    kinds += [("statistical", str(name)) for name in file["statistical_names"]] * statistical
    return kinds + [("antibody", "cdr_share")] * share


def terms_of(file, statistical, share=False):
    """[n, terms] in the order of kinds_of."""
    names = ["terms", *["statistical"] * statistical, *["cdr_share"] * share]
    return np.column_stack([file[name] for name in names]).astype(float)


class Sample:
    """As training.Complex, with the statistical terms if `statistical`, the share of the contacts that CDRs make if
    `share`, all acceptable poses and `count` others at random, each of which stands for several. If the file is a
    sample itself, its array stands_for says how many poses each one stands for."""

    def __init__(self, path, count, seed=7, statistical=False, share=False):
        with np.load(path) as file:
            right = file["capri_class"] >= 1
            rng = np.random.default_rng([seed, *path.stem.encode()])
            wrong = np.flatnonzero(~right)
            chosen = np.sort(rng.choice(wrong, min(count, len(wrong)), replace=False))
            poses = np.concatenate([np.flatnonzero(right), chosen])
            self.name, self.good = path.stem, right[poses]
            kept = file["stands_for"] if "stands_for" in file else np.ones(len(right))
            self.stands_for = np.where(self.good, 1, len(wrong) / max(1, len(chosen))) * kept[poses]
            self.types, self.term_names = [str(name) for name in file["types"]], kinds_of(file, statistical, share)
            self.terms, self.contacts = terms_of(file, statistical, share)[poses], scaled(file["contacts"][poses])

    def features(self, spread):
        return np.hstack([(self.terms / spread).astype(np.float32), self.contacts])


def sample_loss(samples, weights):
    """Mean over the samples with an acceptable pose of -ln of the share of these."""
    losses = []
    for s in samples:
        if s.good.any():
            scores = s.terms @ weights[0] + s.contacts @ weights[1] - np.log(s.stands_for)
            losses.append(ranking.log_sums(scores, [0])[0] - ranking.log_sums(scores[s.good], [0])[0])
    return float(np.mean(losses))


class Judged:
    """All poses of a complex, to be ranked by many models."""

    def __init__(self, path, statistical=False):
        with np.load(path) as file:
            self.good = file["capri_class"] >= 1
            self.where = file["where"]
            self.terms, self.contacts = terms_of(file, statistical), scaled(file["contacts"])
        self.neighbours = basins.Neighbours(self.where, DUPLICATES)

    def linear_scores(self, models):
        """[models, poses]; models: (weights of terms, weights of contacts) each."""
        terms, contacts = (np.array([m[k] for m in models]) for k in (0, 1))
        return terms @ self.terms.T + (contacts.astype(np.float32) @ self.contacts.T)

    def judge(self, scores):
        """(rank of the first acceptable pose, of the first acceptable cluster of ten, loss or nan)"""
        loss = np.nan
        if self.good.any():
            loss = (ranking.log_sums(scores, [0])[0] - ranking.log_sums(scores[self.good], [0])[0])[0]
        return *basins.first_hits(scores, self.good, self.where, self.neighbours, CLUSTERS), float(loss)
