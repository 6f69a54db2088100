#!/usr/bin/env python3
"""Draws an orbital or a density: a slice through its grid and its isosurface.

    postprocess/plot_orbital.py run.h5 [-o run.png] [--orbital HOMO] [--frame 1]
                                [--plane z] [--at 0.0] [--view 20,30] [--only slice|surface]

The slice shows its values in a plane through the middle of the box, or --at a coordinate in Angstrom, with labelled
contours; the atoms nearer to it than 0.5 Angstrom are named. The surface stands around atoms and bonds. It needs a
run with --isosurface; a run without --grids has no slice. Positive lobes are blue, negative ones red, as in the
exported meshes. Needs numpy, h5py and matplotlib; opens no window."""

import argparse

from drawing import PAPER_DPI, fail, open_result, save
from molecules import atoms_and_bonds

import numpy
from matplotlib import collections, colors, pyplot

ANGSTROM = 0.529177210903  # of a bohr
POSITIVE, NEGATIVE = "#3b6fb6", "#c8443a"
NEAR_PLANE = 0.5  # Angstrom
NEGLIGIBLE = 1e-6  # bohr^-3/2: what a nodal plane holds is rounding
SEE_THROUGH = 0.55  # opacity of the surface


DENSITIES = {"density": "\u03c1", "spin_density": "\u03c1\u03b1 \u2212 \u03c1\u03b2"}  # and how they are written


class Orbital:
    """What one orbital or density of one frame left in a result file; lengths in Angstrom."""

    def __init__(self, run, label, number):
        orbitals = run["orbitals"]
        frames = list(orbitals["frames"][:])
        labels = list(orbitals["labels"].asstr())
        choices = labels + [name for name in DENSITIES if name in run]
        label = label or choices[0]
        number = frames[0] if number is None else number
        if number not in frames or label not in choices:
            fail(f"no orbital '{label}' in frame {number}",
                 f"frames {frames[0]} to {frames[-1]}, orbitals {', '.join(choices[:8])}", "choose one of them")
        of_orbital = label in labels
        group = orbitals if of_orbital else run[label]
        place = (frames.index(number), labels.index(label)) if of_orbital else (frames.index(number),)
        name = label.replace("_", " ") + (f", frame {number}" if len(frames) > 1 else "")
        self.title = f"{name}, {orbitals['energies'][place]:.4f} hartree" if of_orbital else name
        self.symbol = "\u03c8" if of_orbital else DENSITIES[label]
        self.units = "bohr$^{-3/2}$" if of_orbital else "bohr$^{-3}$"
        self.nuclei = run[f"frames/{number}/positions"][:] * ANGSTROM
        self.symbols = list(run[f"frames/{number}/symbols"].asstr())
        self.origin = orbitals["origin"][place[0]] * ANGSTROM
        self.spacing = orbitals["spacing"][:] * ANGSTROM
        self.shape = orbitals["shape"][:]
        self.values = (group["values"], place) if "values" in group else None
        self.mesh = None
        if f"isosurfaces/{number}/{label}" in run:
            surface = run[f"isosurfaces/{number}/{label}"]
            self.mesh = (surface["vertices"][:] * ANGSTROM, surface["normals"][:], surface["triangles"][:],
                         int(surface.attrs["positive_triangles"]))
            self.both_lobes = label != "density"
            self.level = float(surface.attrs["isovalue"])

    def slice(self, axis, at):
        """Values in the grid plane nearest to coordinate `at` of `axis`, and that coordinate."""
        dataset, place = self.values
        index = int(round((at - self.origin[axis]) / self.spacing[axis]))
        if not 0 <= index < self.shape[axis]:
            low, high = self.origin[axis], self.origin[axis] + self.spacing[axis] * (self.shape[axis] - 1)
            fail(f"--at {at:g} lies outside the grid", f"it goes from {low:.3f} to {high:.3f} A", "choose another")
        where = [slice(None)] * 3
        where[2 - axis] = index  # stored as [z, y, x]
        return dataset[(*place, *where)], self.origin[axis] + index * self.spacing[axis]


def draw_slice(figure, axes, orbital, plane, at):
    axis = "xyz".index(plane)
    across, up = [a for a in range(3) if a != axis]
    middle = orbital.origin[axis] + orbital.spacing[axis] * (orbital.shape[axis] - 1) / 2
    values, at = orbital.slice(axis, middle if at is None else at)
    extent = [orbital.origin[a] + end * orbital.spacing[a] * (orbital.shape[a] - 1)
              for a in (across, up) for end in (0, 1)]
    largest = float(numpy.abs(values).max())
    empty = largest < NEGLIGIBLE
    largest = max(largest, NEGLIGIBLE)
    ramp = colors.LinearSegmentedColormap.from_list("lobes", (NEGATIVE, "white", POSITIVE))
    image = axes.imshow(values, origin="lower", extent=extent, cmap=ramp, vmin=-largest, vmax=largest,
                        interpolation="bilinear")
    draw_contours(axes, values, extent, largest)
    for i in numpy.flatnonzero(numpy.abs(orbital.nuclei[:, axis] - at) < NEAR_PLANE):
        axes.annotate(orbital.symbols[i], orbital.nuclei[i, [across, up]], ha="center", va="center", fontsize=8,
                      fontweight="bold", bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "ec": "0.25", "lw": 0.7})
    axes.set_xlabel(f"{'xyz'[across]} (\u00c5)", fontsize=9)
    axes.set_ylabel(f"{'xyz'[up]} (\u00c5)", fontsize=9)
    axes.set_title(f"{orbital.symbol} at {plane} = {at:.2f} \u00c5" + (": a nodal plane" if empty else ""), fontsize=10)
    axes.tick_params(labelsize=8)
    bar = figure.colorbar(image, ax=axes, shrink=0.75)
    bar.set_label(orbital.units, fontsize=8)
    bar.ax.tick_params(labelsize=7)


def draw_contours(axes, values, extent, largest):
    """Lines at round values; negative ones are dashed."""
    round_values = numpy.outer(10.0 ** numpy.arange(-6, 4), (1, 2, 5)).ravel()
    levels = round_values[round_values < largest][-4:]
    if not values.any() or not len(levels):
        return
    lines = axes.contour(values, levels=numpy.concatenate((-levels[::-1], levels)), extent=extent, colors="0.25",
                         linewidths=0.5, negative_linestyles="dashed")
    axes.clabel(lines, fmt="%g", fontsize=5.5)


def view_axes(elevation, azimuth):
    """Unit vectors to the right, upwards and towards the viewer (angles in degrees)."""
    e, a = numpy.radians([elevation, azimuth])
    towards = numpy.array([numpy.cos(e) * numpy.cos(a), numpy.cos(e) * numpy.sin(a), numpy.sin(e)])
    right = numpy.array([-numpy.sin(a), numpy.cos(a), 0.0])
    return right, numpy.cross(towards, right), towards


def solid_of(orbital):
    """Corners [n,3,3], normals [n,3] and colours [n,4] of all triangles: surface, atoms and bonds."""
    vertices, normals, triangles, positive = orbital.mesh
    colors_ = numpy.where((numpy.arange(len(triangles)) < positive)[:, None], colors.to_rgba(POSITIVE, SEE_THROUGH),
                          colors.to_rgba(NEGATIVE, SEE_THROUGH))
    inner = atoms_and_bonds(orbital.symbols, orbital.nuclei)
    return [numpy.concatenate(pair) for pair in
            zip((vertices[triangles], normals[triangles].mean(axis=1), colors_), inner)]


def draw_surface(axes, orbital, view):
    """Painter's algorithm: far triangles first, lit from the viewer's upper left."""
    right, up, towards = view_axes(*view)
    corners, normals, colors_ = solid_of(orbital)
    flat = numpy.stack((corners @ right, corners @ up), axis=2)
    order = numpy.argsort((corners @ towards).mean(axis=1))
    light = towards + 0.6 * up - 0.5 * right
    light /= numpy.linalg.norm(light)
    shade = 0.45 + 0.55 * numpy.clip(numpy.abs(normals @ light), 0, 1)
    paint = colors_.copy()
    paint[:, :3] = numpy.clip(paint[:, :3] * shade[:, None] + 0.25 * (shade[:, None]**8), 0, 1)
    axes.add_collection(collections.PolyCollection(flat[order], facecolors=paint[order], linewidths=0,
                                                   antialiased=False, rasterized=True))
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set_axis_off()
    sign = "\u00b1" if orbital.both_lobes else ""
    axes.set_title(f"{orbital.symbol} = {sign}{orbital.level:g} {orbital.units}", fontsize=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera orbital")
    parser.add_argument("-o", "--output", help="picture to write; default: RUN.png (.pdf and .svg work too)")
    parser.add_argument("--orbital", help="label as in /orbitals/labels, density or spin_density; default: the first")
    parser.add_argument("--frame", type=int, help="number of the frame; default: the first")
    parser.add_argument("--plane", default="z", choices="xyz", help="axis that the slice is cut across")
    parser.add_argument("--at", type=float, help="its coordinate, Angstrom; default: the middle of the box")
    parser.add_argument("--view", default="20,30", help="elevation and azimuth of the viewer, degrees")
    parser.add_argument("--only", choices=("slice", "surface"), help="one of both")
    parser.add_argument("--dpi", type=int, default=PAPER_DPI)
    options = parser.parse_args()
    try:
        view = [float(angle) for angle in options.view.split(",")]
        assert len(view) == 2
    except (ValueError, AssertionError):
        fail(f"--view {options.view} is not understood", "two angles are wanted", "give ELEVATION,AZIMUTH")
    with open_result(options.run, "orbitals", "orbitals", "tessera orbital") as run:
        orbital = Orbital(run, options.orbital, options.frame)
        parts = [part for part, there in (("slice", orbital.values), ("surface", orbital.mesh))
                 if there is not None and options.only in (None, part)]
        if not parts:
            fail(f"{options.run} has nothing to draw", "no grid, no isosurface of this orbital or density",
                 "run tessera orbital with --isosurface V --grids")
        figure, all_axes = pyplot.subplots(1, len(parts), figsize=(4.6 * len(parts), 4.2), squeeze=False,
                                           layout="constrained")
        for part, axes in zip(parts, all_axes[0]):
            if part == "slice":
                draw_slice(figure, axes, orbital, options.plane, options.at)
            else:
                draw_surface(axes, orbital, view)
        figure.suptitle(orbital.title, fontsize=11)
    save(figure, options.output, options.run, options.dpi)


if __name__ == "__main__":
    main()
