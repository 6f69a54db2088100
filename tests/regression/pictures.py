#!/usr/bin/env python3
"""The pictures of postprocess/ are fit for print: 300 dots per inch, something drawn in every panel, units on the
axes; contacts and bonds are those of all pairs of atoms. Each looks like its small copy in support/pictures, which
somebody has looked at; --renew writes these copies anew. Skips without matplotlib.
Usage: pictures.py PATH/OF/tessera [--renew]"""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
import script_tests  # noqa: E402

script_tests.need("h5py", "numpy", "matplotlib")

import h5py  # noqa: E402
import numpy  # noqa: E402
import small_results  # noqa: E402
from picture_checks import check_labels, check_picture  # noqa: E402
from tessera_runs import check, run  # noqa: E402


def check_docking(folder):
    plot = script_tests.load("postprocess/plot_docking.py")
    title, sets = plot.read_run(folder / "dock.h5", [], "ligand_rmsd")
    figure = plot.draw(title, sets, "ligand_rmsd")
    check_picture(figure, folder / "dock.png", 4, 15)
    check_labels(figure, "score", "poses in cluster", "residue of the receptor", "residue of the ligand", "(%)")
    with h5py.File(folder / "dock.h5") as file:
        docking = file["docking"]
        poses = docking["poses"][sets[0].name]
        interface = script_tests.load("postprocess/interface.py")
        found = interface.interface_of(docking, sets[0].name)
        receptor, ligand = (docking[f"{name}/atoms/position"][:] for name in ("receptor", "ligand"))
        residues = docking["receptor/atoms/residue_index"][:]
        counts = numpy.zeros(residues[-1] + 1)
        rotations = docking["rotations"][:][poses["rotation"][:100]]
        for rotation, translation in zip(rotations, poses["translation"][:100]):
            moved = (ligand - docking["ligand_center"][:]) @ interface.matrix_of(rotation).T + translation
            near = numpy.square(receptor[:, None] - moved[None]).sum(axis=2) < 25
            counts[numpy.unique(residues[near.any(axis=1)])] += 1
        check(numpy.allclose(found["receptor"].percent, 100 * counts / len(rotations)) and counts.sum() > 0,
              "other contacts of the receptor")


def check_orbital(folder):
    plot = script_tests.load("postprocess/plot_orbital.py")
    with h5py.File(folder / "orbital.h5") as file:
        orbital = plot.Orbital(file, "HOMO", None)
        figure, (slice_, surface) = plot.pyplot.subplots(1, 2, figsize=(9.2, 4.2), layout="constrained")
        plot.draw_slice(figure, slice_, orbital, "x", 0.3)
        plot.draw_surface(surface, orbital, (20, 30))
        other, node = plot.pyplot.subplots()
        plot.draw_slice(other, node, orbital, "x", 0.0)  # the plane of the molecule is a node of the HOMO
        check("nodal plane" in node.get_title() and node.images[0].norm.vmax > 1e-7,
              f"rounding is drawn as values: {node.get_title()}, up to {node.images[0].norm.vmax}")
    check_picture(figure, folder / "orbital.png", 9, 2)
    check_labels(figure, "y (\u00c5)", "z (\u00c5)", "bohr")
    numbers = [text.get_text() for text in slice_.texts]
    check("O" in numbers and "H" in numbers, f"the slice names no atoms: {numbers}")
    molecules = script_tests.load("postprocess/molecules.py")
    bonds = molecules.bonds_of(orbital.symbols, orbital.nuclei)
    named = sorted("".join(sorted(orbital.symbols[i] + orbital.symbols[j])) for i, j in bonds)
    check(named == ["HO", "HO"], f"water has the bonds {named}")
    corners, normals, colors = molecules.atoms_and_bonds(orbital.symbols, orbital.nuclei)
    check(len(corners) == len(normals) == len(colors) and numpy.isfinite(normals).all(), "atoms without normals")
    lines = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    along = numpy.abs(numpy.einsum("ij,ij->i", lines, normals))
    flat = numpy.linalg.norm(lines, axis=1) > 1e-9
    check((along[flat] / numpy.linalg.norm(lines[flat], axis=1) > 0.8).all(), "normals that lean over")


def check_density(program, folder):
    """A result without orbitals shows its density."""
    made = run(program, "orbital", small_results.ORBITAL[1], "--density", "--isosurface", "0.02", "--grids", "--spacing",
               "0.5", "--device", "openmp", "-o", "density.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    plot = script_tests.load("postprocess/plot_orbital.py")
    with h5py.File(folder / "density.h5") as file:
        density = plot.Orbital(file, None, None)
        figure, (slice_, surface) = plot.pyplot.subplots(1, 2)
        plot.draw_slice(figure, slice_, density, "x", 0.0)
        plot.draw_surface(surface, density, (20, 30))
        middle = round(-file["density/origin"][0, 0] / file["density/spacing"][0])
        check(numpy.array_equal(slice_.images[0].get_array(), file["density/values"][0, :, :, middle]), "another slice")
    check(surface.get_title() == "\u03c1 = 0.02 bohr$^{-3}$", surface.get_title())
    check(density.title == "density" and "nodal" not in slice_.get_title(), density.title)
    plot.pyplot.close(figure)


def check_fit(folder):
    plot = script_tests.load("postprocess/plot_fit.py")
    fit = plot.read_fit(folder / "fit.h5")
    figure = plot.draw(fit, None)
    check_picture(figure, folder / "fit.png", 6.5, 2)
    check_labels(figure, "evaluations", "ln likelihood")
    fit.errors = numpy.abs(fit.best) * 0.01 + 0.1
    fit.covariance = numpy.diag(fit.errors**2)  # the small fit determines nothing
    chosen = plot.chosen_parameters(fit, "fit.h5", fit.names[:3])
    check(chosen == [0, 1, 2], f"chosen: {chosen}")
    corner = plot.draw_corner(fit, chosen, None)
    check_picture(corner, folder / "corner.png", 4, 6)
    check_labels(corner, *fit.names[:3])
    wedge = script_tests.load("postprocess/plot_wedge.py")
    figure = wedge.draw(wedge.read_run(folder / "fit.h5", 1), 0, None)
    check_picture(figure, folder / "wedge.png", 7, 1)
    check_labels(figure, "kpc")
    run_of_wedge = wedge.read_run(folder / "members.h5", 1)
    figure = wedge.draw(run_of_wedge, 0, None, members=True)
    check_picture(figure, folder / "members.png", 7, 1)
    mixed = figure.axes[0].collections[0].get_facecolors()
    order = numpy.argsort(run_of_wedge.members[:, 1:].max(axis=1), kind="stable")
    check(numpy.ptp(mixed, axis=0).max() > 0.3 and len(mixed) == len(order), "all stars have one color")
    palette = numpy.array([wedge.colors.to_rgb(color) for color in (wedge.BACKGROUND, *wedge.STREAMS[:2])])
    surest = run_of_wedge.members[order[-1]]
    check(surest.argmax() > 0 and numpy.allclose(mixed[-1, :3], sum(p * color for p, color in zip(surest, palette))),
          f"the surest member of a stream, {surest}, is drawn in {mixed[-1]}")


def make_members(program, folder):
    """Stars of the example wedge with their memberships; one line refuses a result without them."""
    model = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/wedge.toml"
    for words in (("simulate", model, "--number", "3000", "--seed", "4", "-o", "drawn"),
                  ("likelihood", model, "--stars", "drawn", "-o", "plain.h5", "--device", "openmp"),
                  ("likelihood", model, "--stars", "drawn", "-o", "members.h5", "--device", "openmp", "--memberships")):
        made = run(program, *words, cwd=folder)
        check(made.returncode == 0, made.stderr)
    refused = script_tests.run_script("postprocess/plot_wedge.py", folder / "plain.h5", "--members")
    check(refused.returncode != 0 and refused.stderr.startswith("error: ") and "holds no memberships" in refused.stderr,
          f"--members without memberships: {refused.stderr}")


def check_corner_command(folder):
    """A fit that determines nothing has no pairs: one line says so."""
    with h5py.File(folder / "fit.h5", "a") as file:
        file["fit/standard_errors"][...] = numpy.nan
    for words, wanted in (((), "no pairs to draw"), (("--parameters", "none"), "no parameter 'none'")):
        refused = script_tests.run_script("postprocess/plot_fit.py", folder / "fit.h5", "--corner", *words)
        check(refused.returncode != 0 and refused.stderr.startswith("error: ") and wanted in refused.stderr,
              f"--corner {words}: {refused.stderr}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-pictures-") as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder)
        made = run(program, "orbital", small_results.ORBITAL[1], "--orbitals", "HOMO", "--spacing", "0.25", "--grids",
                   "--isosurface", "0.05", "--device", "openmp", "--force", "-o", "orbital.h5", cwd=folder)
        check(made.returncode == 0, made.stderr)
        make_members(program, folder)
        check_docking(folder)
        check_orbital(folder)
        check_density(program, folder)
        check_fit(folder)
        check_corner_command(folder)
    print("passed")


main()
