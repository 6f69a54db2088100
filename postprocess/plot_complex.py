#!/usr/bin/env python3
"""Draws a pose of a docking: the chains of both partners as traces of their C-alpha and phosphorus atoms.

    postprocess/plot_complex.py run.h5 [-o run.png] [--pose 1] [--set consensus] [--link 36,59] [--title TITLE]

The receptor is blue, the ligand orange. Of rings all copies are drawn, each in a colour of its own; the slab of a
membrane, with its normal upwards; the other conformers of the partners, pale; residues that were left out for their
low pLDDT, dotted; and molecules beside the proteins as balls. --link draws the line between a residue of the receptor
and one of the ligand, with its length; of a ring it is the shorter one of both directions.
Needs numpy, h5py and matplotlib; opens no window."""

import argparse

from drawing import PAPER_DPI, fail, open_result, save, text_of
from interface import places_of

import numpy
from matplotlib import pyplot
from matplotlib.collections import LineCollection

# Colours that stay apart for colour-blind readers (Okabe & Ito 2008).
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
TRACE = ("CA", "P")
LONGEST_STEP = 8.5  # Angstrom between neighbours of a trace; longer ones are gaps


class Partner:
    """The atoms of a partner that are drawn."""

    def __init__(self, docking, name):
        atoms = docking[f"{name}/atoms"]
        texts = atoms["texts"].asstr()[:]
        names = texts[atoms["name"][:]]
        hetero = atoms["hetero"][:].astype(bool) if "hetero" in atoms else numpy.zeros(len(names), bool)
        residues = atoms["residue_index"][:]
        self.places = atoms["position"][:]
        self.trace = numpy.flatnonzero(numpy.isin(names, TRACE) & ~hetero)
        self.balls = numpy.flatnonzero(hetero)
        self.numbers = atoms["residue_number"][:]
        self.segments = atoms["segment"][:]
        left_out = docking[f"plddt/{name}/residue_index"][:] if f"plddt/{name}" in docking else []
        self.left_out = numpy.isin(residues, left_out)
        conformers = f"conformers/{name}/position"
        self.conformers = docking[conformers][:] if conformers in docking else self.places[None]

    def steps(self):
        """Pairs of neighbours on the trace, as indices of atoms."""
        a, b = self.trace[:-1], self.trace[1:]
        near = numpy.linalg.norm(self.places[a] - self.places[b], axis=1) < LONGEST_STEP
        kept = near & (self.segments[a] == self.segments[b])
        return a[kept], b[kept]

    def place_of(self, residue):
        found = self.trace[self.numbers[self.trace] == residue]
        if not len(found):
            fail(f"there is no residue {residue}", "a link names a residue of each partner", "check --link")
        return found[0]


def across(vector, axis):
    """The unit vector across a unit axis that is nearest to another vector."""
    rest = vector - (vector @ axis) * axis
    return rest / numpy.linalg.norm(rest)


class Complex:
    """The pose, as places of all atoms of each copy: the receptor first."""

    def __init__(self, file, name, number):
        docking = file["docking"]
        name = name or ("consensus" if "consensus" in docking else text_of(docking.attrs["sets"][0]))
        if name != "consensus" and name not in docking["poses"]:
            fail(f"there is no set {name}", "the sets are " + ", ".join(docking["poses"]), "choose one with --set")
        poses = docking["consensus"] if name == "consensus" else docking[f"poses/{name}"]
        if not 1 <= number <= len(poses["score"]):
            fail(f"there is no pose {number}", f"the list has {len(poses['score'])}", "choose a smaller --pose")
        row = number - 1
        rotation = poses["rotation"][row]
        if name != "consensus":
            rotation = docking["rotations"][rotation]
        motion, opposite = (rotation, poses["translation"][row]), None
        if "opposite_rotation" in poses:
            opposite = poses["opposite_rotation"][row], poses["opposite_translation"][row]
        self.is_ring = "symmetry" in docking.attrs
        self.axis = rotation[1:] / max(numpy.linalg.norm(rotation[1:]), 1e-12)
        self.receptor, self.ligand = Partner(docking, "receptor"), Partner(docking, "ligand")
        self.chosen = [int(poses[f"{partner}_conformer"][row]) if f"{partner}_conformer" in poses else 0
                       for partner in ("receptor", "ligand")]
        self.moved = lambda atoms: places_of(docking, atoms, motion, opposite)
        self.copies = [self.receptor.conformers[self.chosen[0]],
                       *self.moved(self.ligand.conformers[self.chosen[1]])]
        self.slab = None
        if "membrane/receptor" in docking:
            slab = docking["membrane/receptor"].attrs
            self.slab = slab["normal"][:], float(slab["low_angstrom"]), float(slab["high_angstrom"])

    def others(self):
        """Partner and places of the conformers that the pose does not have."""
        for k, places in enumerate(self.receptor.conformers):
            if k != self.chosen[0]:
                yield self.receptor, places
        for k, places in enumerate(self.ligand.conformers):
            if k != self.chosen[1]:
                yield self.ligand, self.moved(places)[0]

    def view(self):
        """Rows: right, up and towards the eye. A ring is seen along its axis, a complex in its membrane upright, and
        two partners side by side."""
        traces = [copy[(self.receptor if k == 0 else self.ligand).trace] for k, copy in enumerate(self.copies)]
        points = numpy.concatenate(traces)
        longest = numpy.linalg.eigh(numpy.cov(points.T))[1][:, ::-1].T
        if self.slab:
            up = self.slab[0]
            right = across(longest[0] if abs(longest[0] @ up) < 0.8 else longest[1], up)
        elif len(self.copies) > 2:
            eye = self.axis
            right = across(longest[0] if abs(longest[0] @ eye) < 0.8 else longest[1], eye)
            up = numpy.cross(eye, right)
        else:
            right = traces[1].mean(0) - traces[0].mean(0)
            right /= numpy.linalg.norm(right)
            seen = points - numpy.outer(points @ right, right)
            up = across(numpy.linalg.eigh(numpy.cov(seen.T))[1][:, 2], right)
        return numpy.array([right, up, numpy.cross(right, up)])

    def link(self, receptor, ligand):
        """Ends of the line between two residues; of a ring the shorter one of both directions."""
        a, b = self.receptor.place_of(receptor), self.ligand.place_of(ligand)
        ends = [(self.copies[0][a], self.copies[1][b])]
        if self.is_ring:
            ends.append((self.copies[1][self.ligand.place_of(receptor)],
                         self.copies[0][self.receptor.place_of(ligand)]))
        return min(ends, key=lambda pair: numpy.linalg.norm(pair[0] - pair[1]))


def frame_of(shown, view):
    """The point at the origin of the picture, and its width and height in inches. Heights in a membrane are kept."""
    seen = numpy.concatenate([copy[(shown.receptor if k == 0 else shown.ligand).trace] @ view.T
                              for k, copy in enumerate(shown.copies)])
    origin = (seen.min(0) + seen.max(0)) / 2
    if shown.slab:
        origin[1] = 0.0
    width, height = numpy.ptp(seen[:, 0]), numpy.ptp(seen[:, 1])
    return origin @ view, (5.0, min(6.0, 1.0 + 4.4 * max(height / width, 0.4)))


def draw_traces(axes, view, parts):
    """Steps of all traces, those behind first and paler. `parts`: partner, places, colour, opacity."""
    lines, colors, widths, styles, depths = [], [], [], [], []
    for partner, places, color, opacity in parts:
        seen = places @ view.T
        a, b = partner.steps()
        for i, j in zip(a, b):
            dotted = partner.left_out[i] or partner.left_out[j]
            lines.append((seen[i, :2], seen[j, :2]))
            colors.append((*pyplot.matplotlib.colors.to_rgb("#888888" if dotted else color), opacity))
            widths.append(1.0 if dotted or opacity < 1 else 2.2)
            styles.append("dotted" if dotted else "solid")
            depths.append((seen[i, 2] + seen[j, 2]) / 2)
    depths = numpy.array(depths)
    front = (depths - depths.min()) / max(numpy.ptp(depths), 1e-9)
    colors = [(*(1 - (0.35 + 0.65 * f) * (1 - numpy.array(c[:3]))), c[3]) for f, c in zip(front, colors)]
    order = numpy.argsort(depths, kind="stable")
    axes.add_collection(LineCollection([lines[i] for i in order], colors=[colors[i] for i in order],
                                       linewidths=[widths[i] for i in order], linestyles=[styles[i] for i in order],
                                       capstyle="round"))


def draw(shown, title, links=()):
    view = shown.view()
    origin, size = frame_of(shown, view)
    figure, axes = pyplot.subplots(figsize=size, layout="constrained")
    parts = [(partner, places - origin, COLORS[0 if partner is shown.receptor else 1], 0.35)
             for partner, places in shown.others()]
    for k, copy in enumerate(shown.copies):
        partner = shown.receptor if k == 0 else shown.ligand
        parts.append((partner, copy - origin, COLORS[k % len(COLORS)], 1.0))
        balls = (copy[partner.balls] - origin) @ view.T
        axes.scatter(balls[:, 0], balls[:, 1], s=40, color=COLORS[4], edgecolors="black", linewidths=0.5, zorder=3)
    if shown.slab:
        low, high = shown.slab[1:]
        axes.axhspan(low, high, color="#bbbbbb", alpha=0.35, linewidth=0)
        axes.set_ylabel("along the normal of the membrane (Å)", fontsize=8)
    draw_traces(axes, view, parts)
    for receptor, ligand in links:
        ends = numpy.array(shown.link(receptor, ligand))
        seen = (ends - origin) @ view.T
        axes.plot(seen[:, 0], seen[:, 1], "k--", linewidth=1.2, zorder=4)
        axes.annotate(f"{numpy.linalg.norm(ends[0] - ends[1]):.1f} Å", seen.mean(0)[:2], fontsize=8, zorder=5,
                      bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1})
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_xlabel("Å")
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(title, fontsize=10)
    return figure


def pair_of(text):
    try:
        receptor, ligand = text.split(",")
        return int(receptor), int(ligand)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' does not name a residue of each partner, such as 36,59") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera dock")
    parser.add_argument("-o", "--output", help="picture to write; default: RUN.png (.pdf and .svg work too)")
    parser.add_argument("--pose", type=int, default=1, help="number of the pose, from 1")
    parser.add_argument("--set", help="coefficient set or consensus; default: consensus, or the first set")
    parser.add_argument("--link", type=pair_of, action="append", default=[], metavar="R,L",
                        help="residue numbers of the receptor and the ligand; may be repeated")
    parser.add_argument("--title", default="")
    parser.add_argument("--dpi", type=int, default=PAPER_DPI)
    options = parser.parse_args()
    file = open_result(options.run, "docking", "docking", "tessera dock")
    if "receptor/atoms" not in file["docking"]:
        fail(f"{options.run} holds no atoms", "it comes from an early version", "dock again")
    figure = draw(Complex(file, options.set, options.pose), options.title, options.link)
    save(figure, options.output, options.run, options.dpi)


if __name__ == "__main__":
    main()
