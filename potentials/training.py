"""What the weights of refined poses are trained on, and their training: used by train_rescoring and by
bench/docking_success/choose_rescoring."""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import ranking

SHELLS = ("contact_below_4.5", "contact_below_6")
# Contacts a weight is told in, so that one penalty serves both shells: the wider one holds more.
CONTACT_SCALE = (4.0, 6.0)


def as_text(name):
    return name.decode() if isinstance(name, bytes) else str(name)


def read_folds(path):
    """{complex: fold} of a table of folds.py."""
    with open(path, encoding="utf-8") as file:
        return {row["complex"]: int(row["fold"]) for row in csv.DictReader(l for l in file if not l.startswith("#"))}


def count_contacts(counter, receptor, ligand, rotation, translation):
    """[poses, shells, types, types] contacts and the types' names; [poses, terms] statistical terms and their names; [poses]
    the share of the contacts that CDRs make, or nothing without an antibody."""
    with tempfile.TemporaryDirectory() as folder:
        poses, counts = pathlib.Path(folder, "poses.h5"), pathlib.Path(folder, "counts.h5")
        with h5py.File(poses, "w") as file:
            file["rotation"], file["translation"] = rotation, translation
        if subprocess.run([counter, receptor, ligand, poses, counts]).returncode:
            sys.exit(f"error: {counter} failed on {receptor}: see above")
        with h5py.File(counts) as file:
            return (file["contacts"][:], [as_text(name) for name in file["contacts"].attrs["types"]],
                    file["statistical"][:], [as_text(name) for name in file["statistical"].attrs["names"]],
                    file["cdr_share"][:] if "cdr_share" in file else None)


class Complex:
    """Terms [poses, terms] and contacts [poses, pairs of all shells], none without a counter, and which are
    acceptable. The partners are where they were docked, or in COMPLEXES/NAME."""

    stands_for = None  # all poses are here

    def __init__(self, path, counter, complexes=None):
        with h5py.File(path) as file:
            consensus = file["docking/consensus"]
            given = json.loads(file["run"].attrs["input"])
            self.name = pathlib.Path(path).stem
            self.partners = [complexes / self.name / f"{part}.pdb" if complexes else given[part]
                             for part in ("receptor", "ligand")]
            self.good = consensus["evaluation/capri_class"][:] >= 1
            self.terms = np.hstack([consensus[d][:] for d in ("terms", "search_terms")])
            self.term_names = [(kind, as_text(name)) for kind, d in
                               (("refined", "terms"), ("searched", "search_terms"))
                               for name in consensus[d].attrs["names"]]
            rotation, translation = (consensus[d][:] for d in ("rotation", "translation"))
        self.types, self.contacts = [], np.empty((len(self.good), 0), np.float32)
        if not counter:
            return
        counts, self.types, *_ = count_contacts(counter, *self.partners, rotation, translation)
        upper = np.triu_indices(len(self.types))
        self.contacts = np.hstack([counts[:, s, upper[0], upper[1]] / np.float32(scale)
                                   for s, scale in enumerate(CONTACT_SCALE)]).astype(np.float32)

    def features(self, spread):
        return np.hstack([(self.terms / spread).astype(np.float32), self.contacts])


def train(complexes, contact_penalty, term_penalty, prior=None):
    """(weights of terms, weights of contacts a shell) from those that have an acceptable pose. If there is a `prior`,
    weights of the same form, the scores by it get one weight without a penalty. The penalties hold for the rest."""
    complexes = [c for c in complexes if c.good.any()]
    spread = np.mean([c.terms.std(0) for c in complexes], 0)
    features = [c.features(spread) for c in complexes]
    penalty = np.repeat([term_penalty, contact_penalty], [len(spread), complexes[0].contacts.shape[1]])
    start = np.zeros(len(penalty))
    if prior is not None:
        features = [np.column_stack([f, pose_scores(c, prior).astype(np.float32)]) for f, c in zip(features, complexes)]
        penalty, start = np.append(penalty, 0), np.append(start, 1)
    loss = ranking.ShareLoss(features, [c.good for c in complexes], penalty,
                             None if complexes[0].stands_for is None else [c.stands_for for c in complexes])
    weights = ranking.minimise(loss, start)
    own = weights[:len(spread)] / spread, weights[len(spread):len(spread) + complexes[0].contacts.shape[1]]
    return own if prior is None else tuple(w + weights[-1] * p for w, p in zip(own, prior))


def pose_scores(complex_, weights):
    return complex_.terms @ weights[0] + complex_.contacts @ weights[1]


def loss_on(complexes, weights):
    """Mean loss over those with an acceptable pose."""
    losses = []
    for c in complexes:
        if c.good.any():
            scores = pose_scores(c, weights)
            losses.append(ranking.log_sums(scores, [0])[0] - ranking.log_sums(scores[c.good], [0])[0])
    return np.mean(losses)


def read_weights(path, kinds, types):
    """(weights of terms, of contacts in the units of the training) from a table of write_weights."""
    with open(path, encoding="utf-8") as file:
        rows = {(row["kind"], row["first"], row["second"]): float(row["weight"])
                for row in csv.DictReader(l for l in file if not l.startswith("#"))}
    pairs = list(zip(*np.triu_indices(len(types))))
    return (np.array([rows.get((kind, name, ""), 0) if kind in ("statistical", "antibody") else rows[kind, name, ""]
                      for kind, name in kinds]),
            np.array([rows[shell, types[a], types[b]] * scale
                      for shell, scale in zip(SHELLS, CONTACT_SCALE) for a, b in pairs]))


def write_weights(path, complexes, weights, how):
    """A table for `tessera dock --rescoring`; how: the options of train_rescoring."""
    types = complexes[0].types
    pairs = list(zip(*np.triu_indices(len(types))))
    with open(path, "w", encoding="utf-8") as out:
        out.write("# Weights of refined poses' terms and contacts, nats: own derivation, Apache-2.0.\n"
                  f"# Written by potentials/train_rescoring {how} from {len(complexes)} lists of poses:\n"
                  "# docs/method/docking-refinement.md.\nkind,first,second,weight\n")
        for (kind, name), weight in zip(complexes[0].term_names, weights[0]):
            out.write(f"{kind},{name},,{weight:.5g}\n")
        for s, scale in enumerate(CONTACT_SCALE):
            of_shell = weights[1][s * len(pairs):(s + 1) * len(pairs)] / scale
            for (a, b), weight in zip(pairs, of_shell):
                out.write(f"{SHELLS[s]},{types[a]},{types[b]},{weight:.5f}\n")
