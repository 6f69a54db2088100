#!/usr/bin/env python3
"""Draws a docking run: energy against distance from the native complex, the clusters, and the interface.

    postprocess/plot_docking.py run.h5 [-o run.png] [--sets balanced,vdw] [--distance ligand_rmsd]

One column a coefficient set, and one for the consensus of a run that refines poses. Above: every kept pose, its
score against its distance from the native complex (a run with --reference), or against its rank (a run without).
Numbers stand at the centres of the clusters. Below: how many poses each cluster holds. A run without a reference also
shows the scores within each cluster, and how often each residue is in contact (a heavy atom within 5 Angstrom of the
partner) over the first 100 poses. Needs numpy, h5py and matplotlib; opens no window."""

import argparse

from drawing import PAPER_DPI, fail, open_result, save, text_of
from interface import interface_of

import numpy
from matplotlib import pyplot

NEAR_NATIVE = 10.0  # Angstrom, as the program's own closing table counts
# Colours that stay apart for colour-blind readers (Okabe & Ito 2008), by CAPRI class.
CLASSES = (("incorrect", "#b8bcc4"), ("acceptable", "#56b4e9"), ("medium", "#0072b2"), ("high", "#d55e00"))
CONSENSUS = "consensus"
CLUSTER, NEAR_CLUSTER = "#8a909c", "#009e73"
DISTANCES = {
    "ligand_interface_ca_rmsd": "ligand interface C\u03b1 RMSD (\u00c5)",
    "ligand_rmsd": "ligand RMSD (\u00c5)",
    "interface_rmsd": "interface RMSD (\u00c5)",
}


class PoseSet:
    """Poses, clusters and, where there is one, the evaluation of a coefficient set or of the consensus."""

    def __init__(self, docking, name, distance):
        self.name = name
        places = ("consensus", "consensus/clusters", "consensus/evaluation") if name == CONSENSUS else \
            (f"poses/{name}", f"clusters/{name}", f"evaluation/{name}")
        poses, clusters, evaluation = (docking.get(place) for place in places)
        self.score = poses["score"][:]
        self.centers = clusters["center"][:]
        self.sizes, self.members = clusters["size"][:], clusters["members"][:]
        self.interface = interface_of(docking, name) if evaluation is None else None
        self.distance = self.capri = None
        if evaluation is not None:
            self.distance = evaluation[distance][:]
            self.capri = evaluation["capri_class"][:]
            self.near = evaluation["ligand_interface_ca_rmsd"][:] < NEAR_NATIVE

    def first_near(self):
        """Rank of the first near-native pose, from 1; None where none was kept."""
        return int(self.near.argmax()) + 1 if self.near.any() else None


def read_run(path, wanted, distance):
    """Title and lists of poses of a result file."""
    with open_result(path, "docking", "poses", "tessera dock") as file:
        docking = file["docking"]
        names = list(docking["poses"]) + [CONSENSUS] * (CONSENSUS in docking)
        for name in wanted:
            if name not in names:
                fail(f"no set '{name}' in {path}", f"it holds {', '.join(names)}", "choose one of them")
        sets = [PoseSet(docking, name, distance) for name in wanted or names]
        sets = [one for one in sets if len(one.score)]
        if not sets:
            fail(f"{path} holds no poses", "all its pose lists are empty", "run the docking again")
        rotations, symmetry = f"{len(docking['rotations']):,}", text_of(docking.attrs.get("symmetry", ""))
        kind = "assembly" if symmetry.startswith("D") else "ring"
        searched = f"{kind} {symmetry}, {rotations} axes" if symmetry else f"{rotations} rotations"
        title = (f"{searched}, {docking.attrs['grid']}\u00b3 points of "
                 f"{docking.attrs['spacing_angstrom']:g} \u00c5")
    return title, sets


def draw_poses(axes, poses, distance):
    evaluated = poses.distance is not None
    across = poses.distance if evaluated else numpy.arange(1, len(poses.score) + 1)
    classes = poses.capri if evaluated else numpy.zeros(len(poses.score), dtype=int)
    for rank, (label, color) in enumerate(CLASSES):
        chosen = classes == rank
        if chosen.any():
            axes.scatter(across[chosen], poses.score[chosen], s=9 if rank == 0 else 26, color=color,
                         linewidths=0, zorder=2 + rank, label=label if evaluated else None)
    title = poses.name
    if evaluated:
        axes.axvline(NEAR_NATIVE, color="0.6", linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        first = poses.first_near()
        title += f"\nfirst near-native pose: {first}" if first else "\nno near-native pose kept"
    for number, center in enumerate(poses.centers, 1):
        axes.annotate(str(number), (across[center], poses.score[center]), xytext=(0, 6),
                      textcoords="offset points", ha="center", fontsize=6.5, zorder=8,
                      bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "0.7", "lw": 0.5, "alpha": 0.85})
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(DISTANCES[distance] if evaluated else "rank", fontsize=9)


def draw_clusters(axes, poses):
    numbers = numpy.arange(1, len(poses.sizes) + 1)
    near = poses.near[poses.centers] if poses.distance is not None else numpy.zeros(len(numbers), dtype=bool)
    for chosen, color, label in ((~near, CLUSTER, None), (near, NEAR_CLUSTER, "centre near-native")):
        if chosen.any():
            axes.bar(numbers[chosen], poses.sizes[chosen], color=color, width=0.75, label=label)
    axes.set_xticks(numbers)
    axes.set_xlabel("cluster" if len(numbers) else "no clusters", fontsize=9)


def draw_energies(axes, poses):
    """The middle half of the scores of each cluster as a box, its median, and the range."""
    ends = numpy.cumsum(poses.sizes)
    groups = [poses.score[poses.members[end - size:end]] for end, size in zip(ends, poses.sizes)]
    if groups:
        axes.boxplot(groups, whis=(0, 100), widths=0.6, medianprops={"color": CLASSES[3][1]},
                     boxprops={"linewidth": 0.8}, whiskerprops={"linewidth": 0.8}, capprops={"linewidth": 0.8})
    axes.set_xlabel("cluster" if groups else "no clusters", fontsize=9)


def apart(places, least, count=3):
    """The first few places of which each is so far from those before it that names do not overlap."""
    chosen = []
    for place in places:
        if len(chosen) < count and all(abs(place - other) > least for other in chosen):
            chosen.append(place)
    return chosen


def draw_interface(axes, partner, shares):
    """Bars along the residues; the highest ones are named."""
    axes.bar(numpy.arange(1, len(shares.percent) + 1), shares.percent, width=1.0, color=CLASSES[2][1], linewidth=0)
    for i in apart(numpy.argsort(-shares.percent, kind="stable"), len(shares.percent) / 12):
        if shares.percent[i] > 0:
            axes.annotate(shares.names[i], (i + 1, shares.percent[i]), xytext=(0, 2), textcoords="offset points",
                          ha="center", fontsize=5.5, rotation=90, va="bottom")
    axes.set_ylim(0, 135)
    axes.set_yticks([0, 50, 100])
    axes.set_xlabel(f"residue of {'each' if partner == 'copy' else 'the'} {partner}", fontsize=9)


def draw(title, sets, distance):
    width = max(4.2, 2.9 * len(sets))
    heights, labels = [2.3, 1], ["score (lower is better)", "poses in cluster"]
    if sets[0].distance is None:
        heights, labels = heights + [1], labels + ["score"]
    if sets[0].interface is not None:
        partners = list(sets[0].interface)
        heights, labels = heights + [0.9] * len(partners), labels + ["poses in contact (%)"] * len(partners)
    figure, rows = pyplot.subplots(len(heights), len(sets), figsize=(width, 1.64 * sum(heights)), squeeze=False,
                                   gridspec_kw={"height_ratios": heights}, layout="constrained")
    for column, poses in enumerate(sets):
        draw_poses(rows[0][column], poses, distance)
        draw_clusters(rows[1][column], poses)
        if poses.distance is None:
            draw_energies(rows[2][column], poses)
        for axes, partner in zip((row[column] for row in rows[3:]), poses.interface or ()):
            draw_interface(axes, partner, poses.interface[partner])
    if sets[0].distance is not None:
        farthest = max(poses.distance.max() for poses in sets)
        for axes in rows[0]:
            axes.set_xlim(0, 1.04 * farthest)
    for row, label in zip(rows, labels):
        row[0].set_ylabel(label, fontsize=9 if label != labels[-1] or len(labels) < 4 else 7)
    for axes in rows.flat:
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    labels = {}
    for axes in rows.flat:
        labels.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
    if labels:
        figure.get_layout_engine().set(rect=(0, 0.06, 1, 0.94))  # room for it
        figure.legend(labels.values(), labels.keys(), loc="lower center", ncols=len(labels), fontsize=9,
                      frameon=False, markerscale=1.3)
    figure.suptitle(title, fontsize=11)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera dock")
    parser.add_argument("-o", "--output", help="picture to write; default: RUN.png (.pdf and .svg work too)")
    parser.add_argument("--sets", default="", help="coefficient sets or consensus, comma-separated; default: all")
    parser.add_argument("--distance", default="ligand_interface_ca_rmsd", choices=DISTANCES,
                        help="distance from the native complex to draw")
    parser.add_argument("--title", help="default: what was searched")
    parser.add_argument("--dpi", type=int, default=PAPER_DPI)
    options = parser.parse_args()
    wanted = [name for name in options.sets.split(",") if name]
    title, sets = read_run(options.run, wanted, options.distance)
    figure = draw(options.title or title, sets, options.distance)
    save(figure, options.output, options.run, options.dpi)


if __name__ == "__main__":
    main()
