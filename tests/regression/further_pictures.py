#!/usr/bin/env python3
"""The pictures of derived fields, combinations and potentials, of rings, of samplings and of profile likelihoods are fit
for print, and show what the results hold (pictures.py: the others). Skips without matplotlib.
Usage: further_pictures.py PATH/OF/tessera [--renew]"""

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
from docked_poses import matrices_of  # noqa: E402
from picture_checks import check_labels, check_picture  # noqa: E402
from tessera_runs import check, run  # noqa: E402


def check_fields(program, folder):
    """Derived fields and combinations have their units and scales, and the potential colours the surface."""
    made = run(program, "orbital", small_results.ORBITAL[1], "--esp", "--esp-surface", "0.01", "--field", "elf", "--combine",
               "half = density/2", "--grids", "--spacing", "0.4", "--device", "openmp", "-o", "fields.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    plot = script_tests.load("postprocess/plot_orbital.py")
    with h5py.File(folder / "fields.h5") as file:
        check(set(plot.fields_of(file)) == {"density", "elf", "esp", "half"}, f"fields {set(plot.fields_of(file))}")
        for name, units in (("elf", ""), ("esp", "hartree/e"), ("half", "bohr$^{-3}$")):
            field = plot.Orbital(file, name, None)
            figure, axes = plot.pyplot.subplots()
            plot.draw_slice(figure, axes, field, "x", 0.0)
            check(field.units == units and figure.axes[1].get_ylabel() == units, f"{name}: units {field.units}")
            middle = round(-file["orbitals/origin"][0, 0] / file["orbitals/spacing"][0])
            place = f"combinations/{name}" if name == "half" else f"fields/{name}"
            check(numpy.array_equal(axes.images[0].get_array(), file[f"{place}/values"][0, :, :, middle]), f"{name}: slice")
            plot.pyplot.close(figure)
        density = plot.Orbital(file, "density", None)
        check(plot.chosen_color(density, None) == "esp", "the potential does not colour the surface")
        colors, scale = plot.colors_of_surface(density, "esp")
        values = density.fields["esp"][0][density.mesh[2]].mean(axis=1)
        check(colors[values.argmax(), 2] > colors[values.argmax(), 0] and colors[values.argmin(), 0] > colors[values.argmin(), 2]
              and scale.norm.vmax == -scale.norm.vmin > 0, "positive is not blue, or negative not red")
        figure, axes = plot.pyplot.subplots(figsize=(4.6, 4.2), layout="constrained")
        plot.draw_surface(axes, density, (20, 30), "esp")
        check("potential (hartree/e)" in figure.axes[1].get_ylabel(), figure.axes[1].get_ylabel())
    check_picture(figure, folder / "potential.png", 4, 1)
    for words, wanted in ((("--color", "elf"), "no vertex field 'elf'"), (("--orbital", "lol"), "density, half, elf, esp")):
        refused = script_tests.run_script("postprocess/plot_orbital.py", folder / "fields.h5", *words)
        check(refused.returncode != 0 and refused.stderr.startswith("error: ") and wanted in refused.stderr,
              f"{words}: {refused.stderr}")


def check_sample(folder):
    """The picture has the quantiles of the draws, and half of a normal distribution lies within its contour."""
    plot = script_tests.load("postprocess/plot_sample.py")
    sample = plot.read_sample(folder / "sample.h5")
    draws = numpy.random.default_rng(1).multivariate_normal((1, 2), ((1, 0.8), (0.8, 1)), (4, 5000))
    sample.draws[:2] = draws[:, :, 0], draws[:, :, 1]
    chosen = plot.chosen_parameters(sample, "sample.h5", sample.names[:2])
    figure = plot.draw_corner(sample, chosen, None)
    check_picture(figure, folder / "posterior.png", 4, 3)
    check_labels(figure, *sample.names[:2], *sample.units[:2])
    counts = plot.smoothed(numpy.histogram2d(*(values.ravel() for values in sample.draws[:2]), plot.BINS)[0])
    for level, share in zip(plot.levels_around(counts), plot.WITHIN):
        within = counts[counts > level].sum() / counts.sum()
        check(abs(within - share) < 0.03, f"{within} instead of {share} of the draws lie within a contour")
    check("1.0" in figure.axes[0].get_title(), f"median {figure.axes[0].get_title()}")
    check_picture(plot.draw_traces(sample, chosen, None), folder / "traces.png", 6.5, 2)
    refused = script_tests.run_script("postprocess/plot_sample.py", folder / "sample.h5", "--parameters", "none")
    check(refused.returncode != 0 and "no parameter 'none'" in refused.stderr, refused.stderr)


def check_profiles(folder):
    """A parabola as profile, since the small fit has none."""
    plot = script_tests.load("postprocess/plot_fit.py")
    fit = plot.read_fit(folder / "fit.h5")
    name, best = fit.names[0], fit.best[0]
    check(not fit.profiles, "profiles from nowhere")
    fit.errors[0], fit.levels = 0.5, numpy.array((0.5, 2.0))
    values = best + numpy.linspace(-1.2, 1.2, 25)
    fit.profiles = {name: (values, 2 * (values - best)**2, best + numpy.array(((-0.5, 0.5), (-1, 1))))}
    figure = plot.draw_profiles(fit, "fit.h5", [], None)
    check_picture(figure, folder / "profile.png", 4, 1)
    check_labels(figure, name, "drop of ln likelihood")
    refused = script_tests.run_script("postprocess/plot_fit.py", folder / "fit.h5", "--profile")
    check(refused.returncode != 0 and "holds no profiles" in refused.stderr, refused.stderr)


def check_ring(program, folder):
    """Contacts of a ring are those of a copy with any other one."""
    made = run(program, "dock", "receptor.pdb", "--symmetry", "C4", "--axes", "60", "--spacing", "3", "--coefficients",
               "balanced", "--poses", "20", "--device", "openmp", "-o", "ring.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    interface = script_tests.load("postprocess/interface.py")
    with h5py.File(folder / "ring.h5") as file:
        docking = file["docking"]
        poses, atoms = docking["poses/balanced"], docking["receptor/atoms/position"][:]
        rotations = docking["rotations"][:][poses["rotation"][:]]
        residues = docking["receptor/atoms/residue_index"][:]
        counts = numpy.zeros(residues[-1] + 1)
        for rotation, translation in zip(rotations, poses["translation"][:]):
            matrix, near, copy = interface.matrix_of(rotation), numpy.zeros(len(atoms), dtype=bool), atoms
            for _ in range(3):
                copy = (copy - docking["ligand_center"][:]) @ matrix.T + translation
                near |= (numpy.square(atoms[:, None] - copy[None]).sum(axis=2) < 25).any(axis=1)
            counts[numpy.unique(residues[near])] += 1
        found = interface.interface_of(docking, "balanced")
        check(list(found) == ["copy"] and counts.sum() > 0, f"partners of a ring: {list(found)}")
        check(numpy.allclose(found["copy"].percent, 100 * counts / len(rotations)), "other contacts of a ring")
    plot = script_tests.load("postprocess/plot_docking.py")
    title, sets = plot.read_run(folder / "ring.h5", [], "ligand_rmsd")
    figure = plot.draw(title, sets, "ligand_rmsd")
    check(title.startswith("ring C4, 60 axes"), title)
    check_labels(figure, "residue of each copy")
    plot.pyplot.close(figure)


def check_complex(folder):
    """All copies of a ring are drawn where its motion puts them, and a link has the shorter length of both
    directions."""
    plot = script_tests.load("postprocess/plot_complex.py")
    with h5py.File(folder / "ring.h5") as file:
        docking = file["docking"]
        atoms, center = docking["receptor/atoms"], docking["ligand_center"][:]
        quaternion = docking["rotations"][docking["poses/balanced/rotation"][1]]
        axis, turn = quaternion[1:], matrices_of(quaternion)
        shift, alpha = docking["poses/balanced/translation"][1], atoms["texts"].asstr()[:][atoms["name"][:]] == "CA"
        copies = [atoms["position"][:]]
        for _ in range(3):
            copies.append((copies[-1] - center) @ turn.T + shift)
        shown = plot.Complex(file, "balanced", 2)
        first, second = (numpy.flatnonzero(alpha & (atoms["residue_number"][:] == number))[0] for number in (5, 40))
        ends = shown.link(5, 40)
    check(all(numpy.allclose(a, b, atol=1e-6) for a, b in zip(shown.copies, copies)) and len(shown.copies) == 4, "copies")
    lengths = [numpy.linalg.norm(copies[k][first] - copies[1 - k][second]) for k in (0, 1)]
    check(abs(numpy.linalg.norm(ends[0] - ends[1]) - min(lengths)) < 1e-6, f"link {ends}, lengths {lengths}")
    view = shown.view()
    check(numpy.allclose(view @ view.T, numpy.eye(3)), "the view is no rotation")
    check(abs(view[2] @ axis) > 0.999 * numpy.linalg.norm(axis), "a ring is not seen along its axis")
    figure = plot.draw(shown, "ring", [(5, 40)])
    check(f"{min(lengths):.1f} Å" in [text.get_text() for text in figure.axes[0].texts], "the length is not told")
    check(len(figure.axes[0].collections[-1].get_segments()) == 4 * len(shown.receptor.steps()[0]), "traces")
    plot.pyplot.close(figure)
    refused = script_tests.run_script("postprocess/plot_complex.py", folder / "ring.h5", "--set", "balanced", "--pose", "99")
    check(refused.returncode != 0 and "there is no pose 99" in refused.stderr, refused.stderr)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-pictures-") as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder, ("fit", "sample"))
        check_fields(program, folder)
        check_ring(program, folder)
        check_complex(folder)
        check_sample(folder)
        check_profiles(folder)
    print("passed")


main()
