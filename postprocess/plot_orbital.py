#!/usr/bin/env python3
"""Draws an orbital, a density or another field: a slice through its grid and its isosurface.

    postprocess/plot_orbital.py run.h5 [-o run.png] [--orbital HOMO] [--frame 1] [--color esp]
                                [--plane z] [--at 0.0] [--view 20,30] [--only slice|surface]

--orbital takes a label of the result, density, spin_density, mean_density, a derived field such as elf, or the name of
a combination. The slice shows its values in a plane through the middle of the box, or --at a coordinate in Angstrom,
with labelled contours; the atoms nearer to it than 0.5 Angstrom are named. The surface stands around atoms and bonds.
It needs a run with --isosurface; a run without --grids has no slice. Positive lobes are blue, negative ones red, as in
the exported meshes. With --color the surface has the colours of a vertex field. Needs numpy, h5py and matplotlib; opens
no window."""

import argparse

from drawing import PAPER_DPI, fail, open_result, save, text_of
from molecules import atoms_and_bonds
from surfaces import picture_of, view_axes

import h5py
import numpy
from matplotlib import cm, colors, pyplot

ANGSTROM = 0.529177210903  # of a bohr
POSITIVE, NEGATIVE = "#3b6fb6", "#c8443a"
LOBES = colors.LinearSegmentedColormap.from_list("lobes", (NEGATIVE, "white", POSITIVE))
NEAR_PLANE = 0.5  # Angstrom
NEGLIGIBLE = 1e-6  # bohr^-3/2: what a nodal plane holds is rounding
OPACITY = 0.6  # of the surface
DENSITIES = ("density", "spin_density", "mean_density")
# How fields are written; others by their names.
SYMBOLS = {"density": "\u03c1", "spin_density": "\u03c1\u03b1 \u2212 \u03c1\u03b2", "mean_density": "mean \u03c1", "elf": "ELF",
           "lol": "LOL", "rdg": "s", "esp": "electrostatic potential", "laplacian": "\u2207\u00b2\u03c1",
           "gradient_norm": "|\u2207\u03c1|", "tau": "\u03c4"}


def readable(units):
    """bohr^-3/2 as it is printed."""
    base, caret, power = units.partition("^")
    return f"{base}$^{{{power}}}$" if caret else units


def fields_of(run):
    """The groups of all fields but orbitals by their names, also of those that have a surface and no grid."""
    places = {name: name for name in DENSITIES if name in run}
    for group in ("fields", "combinations"):
        places.update({name: one.name for name, one in run.get(group, {}).items() if isinstance(one, h5py.Group)})
    for frame in run.get("isosurfaces", {}).values():
        places = {**{name: name for name in frame}, **places}
    return places


class Orbital:
    """What one orbital or field of one frame left in a result file; lengths in Angstrom."""

    def __init__(self, run, label, number):
        orbitals = run["orbitals"]
        frames = list(orbitals["frames"][:])
        labels = list(orbitals["labels"].asstr())
        others = fields_of(run)
        choices = labels + [name for name in others if name not in labels]
        if not choices:
            fail("there is nothing to draw", "the result holds no grid and no isosurface", "see tessera info")
        label = label or choices[0]
        number = frames[0] if number is None else number
        if number not in frames or label not in choices:
            fail(f"no orbital or field '{label}' in frame {number}",
                 f"frames {frames[0]} to {frames[-1]}; {', '.join(choices[:12])}", "choose one of them")
        self.of_orbital = label in labels
        values = f"{'orbitals' if self.of_orbital else others[label]}/values"
        frame = frames.index(number)
        place = (frame, labels.index(label)) if self.of_orbital else (frame,) if label != "mean_density" else ()
        name = label.replace("_", " ") + (f", frame {number}" if len(frames) > 1 and place else "")
        self.title = f"{name}, {orbitals['energies'][place]:.4f} hartree" if self.of_orbital else name
        self.symbol = "\u03c8" if self.of_orbital else SYMBOLS.get(label, label.replace("_", " "))
        self.nuclei = run[f"frames/{number}/positions"][:] * ANGSTROM
        self.symbols = list(run[f"frames/{number}/symbols"].asstr())
        self.origin = orbitals["origin"][frame] * ANGSTROM
        self.spacing = orbitals["spacing"][:] * ANGSTROM
        self.shape = orbitals["shape"][:]
        self.values, self.units = None, "bohr^-3/2" if self.of_orbital else "bohr^-3"
        if values in run:
            self.values = (run[values], place)
            self.units = text_of(run[values].attrs.get("units", ""))
        self.units = readable(self.units)
        self.mesh, self.fields = None, {}
        if f"isosurfaces/{number}/{label}" in run:
            surface = run[f"isosurfaces/{number}/{label}"]
            self.mesh = (surface["vertices"][:] * ANGSTROM, surface["normals"][:], surface["triangles"][:],
                         int(surface.attrs["positive_triangles"]))
            self.both_lobes = self.mesh[3] < len(self.mesh[2])
            self.level = float(surface.attrs["isovalue"])
            self.fields = {name: (one[:], readable(text_of(one.attrs.get("units", ""))))
                           for name, one in surface.get("fields", {}).items()}

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


def norm_of(orbital, values, largest):
    """Colours and their scale. Fields that are large near nuclei, but orbitals, are cut off or compressed."""
    if orbital.of_orbital:
        return LOBES, colors.Normalize(-largest, largest), "neither"
    if values.min() >= 0:
        white_to_blue = colors.LinearSegmentedColormap.from_list("positive", ("white", POSITIVE, "#12305c"))
        return white_to_blue, colors.PowerNorm(0.5 if largest > 1.5 else 1, 0, largest), "neither"
    end = max(NEGLIGIBLE, float(numpy.percentile(numpy.abs(values), 97)))
    return LOBES, colors.Normalize(-end, end), "both"


def draw_slice(figure, axes, orbital, plane, at):
    axis = "xyz".index(plane)
    across, up = [a for a in range(3) if a != axis]
    middle = orbital.origin[axis] + orbital.spacing[axis] * (orbital.shape[axis] - 1) / 2
    values, at = orbital.slice(axis, middle if at is None else at)
    extent = [orbital.origin[a] + end * orbital.spacing[a] * (orbital.shape[a] - 1)
              for a in (across, up) for end in (0, 1)]
    largest = float(numpy.abs(values).max())
    empty = orbital.of_orbital and largest < NEGLIGIBLE
    largest = max(largest, NEGLIGIBLE)
    ramp, norm, cut = norm_of(orbital, values, largest)
    image = axes.imshow(values, origin="lower", extent=extent, cmap=ramp, norm=norm, interpolation="bilinear")
    draw_contours(axes, values, extent, norm.vmax if cut == "both" else largest)
    for i in numpy.flatnonzero(numpy.abs(orbital.nuclei[:, axis] - at) < NEAR_PLANE):
        axes.annotate(orbital.symbols[i], orbital.nuclei[i, [across, up]], ha="center", va="center", fontsize=8,
                      fontweight="bold", bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "ec": "0.25", "lw": 0.7})
    axes.set_xlabel(f"{'xyz'[across]} (\u00c5)", fontsize=9)
    axes.set_ylabel(f"{'xyz'[up]} (\u00c5)", fontsize=9)
    axes.set_title(f"{orbital.symbol} at {plane} = {at:.2f} \u00c5" + (": a nodal plane" if empty else ""), fontsize=10)
    axes.tick_params(labelsize=8)
    bar = figure.colorbar(image, ax=axes, shrink=0.75, extend=cut)
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


def colors_of_surface(orbital, color):
    """Of each triangle: those of the lobes, or of the vertex field `color`. Then the colour bar, if there is one."""
    _, _, triangles, positive = orbital.mesh
    if color is None:
        lobes = [colors.to_rgb(POSITIVE), colors.to_rgb(NEGATIVE)]
        return numpy.where((numpy.arange(len(triangles)) < positive)[:, None], *lobes), None
    values = orbital.fields[color][0]
    end = float(numpy.percentile(numpy.abs(values), 99)) or 1.0
    scale = cm.ScalarMappable(colors.Normalize(-end, end), LOBES)
    return scale.to_rgba(values[triangles].mean(axis=1))[:, :3], scale


def draw_surface(axes, orbital, view, color=None):
    vertices, normals, triangles, _ = orbital.mesh
    paint, scale = colors_of_surface(orbital, color)
    surface = vertices[triangles], normals[triangles].mean(axis=1), paint
    opacity = OPACITY if color is None else 0.85
    pixels, ((x0, x1), (y0, y1)) = picture_of(surface, atoms_and_bonds(orbital.symbols, orbital.nuclei),
                                              view_axes(*view), opacity)
    axes.imshow(pixels, extent=(x0, x1, y0, y1))
    axes.set_axis_off()
    sign = "\u00b1" if orbital.both_lobes else ""
    axes.set_title(f"{orbital.symbol} = {sign}{orbital.level:g} {orbital.units}", fontsize=10)
    if scale:
        bar = axes.figure.colorbar(scale, ax=axes, shrink=0.75, extend="both")
        bar.set_label(f"{SYMBOLS.get(color, color)} ({orbital.fields[color][1]})", fontsize=8)
        bar.ax.tick_params(labelsize=7)


def chosen_color(orbital, wanted):
    """The vertex field that colours the surface: the one that was asked for, or the potential if it is there."""
    if wanted and wanted not in orbital.fields:
        fail(f"the surface has no vertex field '{wanted}'", f"it has {', '.join(orbital.fields) or 'none'}",
             "choose one of them, or run tessera orbital with --vertex-field")
    return wanted or ("esp" if "esp" in orbital.fields else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera orbital")
    parser.add_argument("-o", "--output", help="picture to write; default: RUN.png (.pdf and .svg work too)")
    parser.add_argument("--orbital", help="label of an orbital, a density, a derived field or a combination; default: the first")
    parser.add_argument("--color", help="vertex field that colours the surface; default: esp if there is one")
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
            fail(f"{options.run} has nothing to draw", "no grid, no isosurface of this orbital or field",
                 "run tessera orbital with --isosurface V --grids")
        figure, all_axes = pyplot.subplots(1, len(parts), figsize=(4.6 * len(parts), 4.2), squeeze=False,
                                           layout="constrained")
        for part, axes in zip(parts, all_axes[0]):
            if part == "slice":
                draw_slice(figure, axes, orbital, options.plane, options.at)
            else:
                draw_surface(axes, orbital, view, chosen_color(orbital, options.color))
        figure.suptitle(orbital.title, fontsize=11)
    save(figure, options.output, options.run, options.dpi)


if __name__ == "__main__":
    main()
