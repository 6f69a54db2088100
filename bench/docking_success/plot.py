"""Draws the success rate against the number of poses that are examined."""

import matplotlib
import numpy as np

import rates

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend is chosen first)

# Colours that colour-blind readers can tell apart (Okabe & Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")


def draw_unit(axes, docked, unit, limit):
    tops = np.unique(np.geomspace(1, limit, 200).astype(int))
    for colour, name in zip(COLOURS * 3, docked[0].rankings):
        lists = [run.rankings[name].poses if unit == "pose" else run.rankings[name].clusters
                 for run in docked]
        ranks = np.array([rates.first_hit(quality, "acceptable") for quality in lists])
        share = [(ranks <= top).mean() * 100 for top in tops]
        axes.step(tops, share, where="post", color=colour, label=name)
    axes.set_xlabel(f"number of {unit}s examined")
    axes.set_xscale("log")
    axes.set_xlim(1, limit)
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3, which="both")


def draw(docked, path):
    """Writes a picture of the rates by pose and by cluster, acceptable or better."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), sharey=True)
    draw_unit(left, docked, "pose", rates.TOP["pose"][-1])
    draw_unit(right, docked, "cluster", rates.TOP["cluster"][-1])
    left.set_ylabel("complexes with an acceptable one (%)")
    left.legend(frameon=False, fontsize=8)
    figure.suptitle(f"{len(docked)} complexes")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
