#!/usr/bin/env python3
"""Combinations of densities and orbitals (tessera orbital --combine): PySCF's values of tests/orbitals/references to
1e-10, Fukui functions whose integrals are 1, the tolerance, surfaces and values on vertices, exports, the bits of any
number of ranks and of compressed runs, trajectories, configurations, plans, and refusals.
Usage: combinations.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, answer, check, has_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCES = ROOT / "tests/orbitals/references/combinations"
WATER, ANION, CATION = (ROOT / f"examples/water{name}.molden" for name in ("", "_anion", "_cation"))
DIMER, DONOR, ACCEPTOR = (ROOT / f"examples/water_dimer{name}.molden.gz" for name in ("", "_donor", "_acceptor"))
IONS = ("--with", f"anion={ANION}", "--with", f"cation={CATION}")
FRAGMENTS = ("--with", f"donor={DONOR}", "--with", f"acceptor={ACCEPTOR}")
DEVICE = os.environ.get("TESSERA_TEST_DEVICE", "openmp")
OF_DIMER = {"deformation": "density - density(donor) - density(acceptor)",
            "weighted": "0.25*(2*density - density(donor))/0.5 - density(acceptor)",
            "mixed": "0.6*orbital(HOMO) - 0.8*orbital(LUMO)", "transition": "orbital(HOMO)*orbital(11)",
            "difference": "orbital(HOMO)*orbital(HOMO) - orbital(LUMO)*orbital(LUMO)",
            "hole": "density - (0.6*orbital(HOMO) + 0.8*orbital(LUMO))*(0.6*orbital(HOMO) + 0.8*orbital(LUMO))",
            "between": "1.5*orbital(donor, HOMO)*orbital(acceptor, 4)"}
OF_WATER = {"f_plus": "density(anion) - density", "f_minus": "density - density(cation)",
            "f_zero": "(density(anion) - density(cation))/2",
            "spins": "spin_density(cation) - spin_density(anion)"}


def combined(expressions):
    return [word for name, text in expressions.items() for word in ("--combine", f"{name} = {text}")]


def orbital(program, folder, name, *options, ranks=0, **more):
    made = run(program, "orbital", *options, "-o", folder / name, "--quiet", "--device", DEVICE, ranks=ranks, **more)
    check(made.returncode == 0, f"{name}: {made.stderr}")
    return folder / name


def refused(program, folder, words, *options):
    made = run(program, "orbital", *options, "-o", folder / "refused.h5", "--quiet")
    lines = [line for line in made.stderr.splitlines() if line.startswith("tessera: ")]
    check(made.returncode == 2 and len(lines) == 1 and words in lines[0],
          f"{options}: {made.returncode}, {made.stderr}")
    check(not list(folder.glob("refused*")), f"{options}: leaves a file behind")


def box_of(references):
    lengths = [",".join(repr(float(x)) for x in references[key]) + "bohr" for key in ("origin", "spacing")]
    return (f"--origin={lengths[0]}", "--spacing", lengths[1], "--grid", ",".join(map(str, references["shape"])))


def check_values(program, folder):
    with numpy.load(REFERENCES / "combinations.npz") as file:
        references = dict(file)
    box = box_of(references)
    for name, expressions, files in (("dimer", OF_DIMER, (DIMER, *FRAGMENTS)), ("water", OF_WATER, (WATER, *IONS))):
        words = (*files, *combined(expressions), *box, "--tolerance", "0")
        wide = orbital(program, folder, f"{name}.h5", *words, "--precision", "double")
        single = orbital(program, folder, f"{name}_single.h5", *words)
        with h5py.File(wide) as file, h5py.File(single) as other:
            group = file["combinations"]
            check(set(group) == {*expressions, "origin", "spacing", "shape", "frames"}, f"it has {list(group)}")
            for key, expression in expressions.items():
                values = group[key]["values"]
                error = abs(values[0] - references[key]).max()
                check(error <= 1e-10, f"{key}: {error:.1e} from PySCF's")
                of_orbitals = key == "mixed"
                check(values.attrs["units"] == ("bohr^-3/2" if of_orbitals else "bohr^-3"), f"{key}: the units")
                check(group[key].attrs["expression"] == expression, f"{key}: the expression")
                check(group[key].attrs["quantity"] == ("orbital" if of_orbitals else "density"), f"{key}: what it is")
                rounded = other["combinations"][key]["values"]
                check(rounded.dtype == "f4", f"{key}: {rounded.dtype}")
                if of_orbitals:
                    check(abs(rounded[0] - references[key]).max() <= 2e-6, f"{key} in single precision")
                else:  # squares are added in double precision, and rounded
                    check(numpy.array_equal(rounded, values[...].astype("f4")), f"{key}: not rounded")
                    check(group[key]["computed_in_double"][0] == 1, f"{key}: its precision")
                cell = numpy.prod(group["spacing"])
                total = (references[key] ** 2 if of_orbitals else references[key]).sum() * cell
                check(abs(group[key]["norm" if of_orbitals else "integral"][0] - total) <= 1e-9, f"{key}: its sum")
    print(f"{len(OF_DIMER) + len(OF_WATER)} combinations are PySCF's to 1e-10")


def check_fukui(program, folder):
    """One electron comes or goes."""
    result = orbital(program, folder, "fukui.h5", WATER, *IONS, *combined(OF_WATER), "--spacing", "0.1", "--padding",
                     "5", "--norms-only")
    with h5py.File(result) as file:
        group = file["combinations"]
        for name, electrons in (("f_plus", 1), ("f_minus", 1), ("f_zero", 1), ("spins", 0)):
            check(group[name]["electrons"][0] == electrons, f"{name} holds {group[name]['electrons'][0]} electrons")
            check(abs(group[name]["integral"][0] - electrons) < 1e-3, f"{name}: {group[name]['integral'][0]}")
        check("values" not in group["f_plus"], "there are grids")
    coarse = orbital(program, folder, "coarse.h5", WATER, *IONS, *combined(OF_WATER), "--spacing", "0.2", "--padding",
                     "5", "--norms-only")
    with h5py.File(coarse) as file:
        one = file["combinations/f_plus"]
        error, known = one["integral"][0] - 1, one["core_grid_error"][0]
        check(error > 0.01 and 0.7 * error < known < error, f"the grid is off by {error}, and {known} is explained")
    shown = run(program, "info", coarse)
    check("the grid is off by +0.01" in shown.stdout and "of it at the nuclei" in shown.stdout, f"info: {shown.stdout}")
    shown = run(program, "info", result)
    check("f_plus: 1.00" in shown.stdout and "electrons in the box; the orbitals hold 1.000000" in shown.stdout,
          f"info: {shown.stdout}")
    listed = run(program, "info", result, "--json")
    check('"f_minus"' in listed.stdout and "integral_electrons" in listed.stdout, f"info --json: {listed.stdout}")


def check_tolerance(program, folder):
    """psi of every row is off by at most T, and its square by 2 |psi| T + T^2; a sum of orbitals is one row."""
    expressions = {"m": "0.6*orbital(HOMO) - 0.8*orbital(LUMO)", "d": "density - 2*density(donor)",
                   "p": "orbital(HOMO)*orbital(LUMO)"}
    words = (DIMER, *FRAGMENTS[:2], *combined(expressions), "--spacing", "0.35", "--precision", "double")
    exact = orbital(program, folder, "exact.h5", *words, "--tolerance", "0", "--orbitals", "occupied,LUMO")
    own = orbital(program, folder, "donor.h5", DONOR, "--orbitals", "occupied", "--precision", "double", "--tolerance",
                  "0", "--spacing", "0.35", *box_like(exact))
    tolerance = 1e-4
    loose = orbital(program, folder, "loose.h5", *words, "--tolerance", tolerance)
    with h5py.File(exact) as a, h5py.File(loose) as b, h5py.File(own) as c:
        psi, of_donor = abs(a["orbitals/values"][0]), abs(c["orbitals/values"][0])
        rows = numpy.concatenate([psi[:-1], of_donor])
        weights = numpy.concatenate([numpy.full(len(psi) - 1, 2), numpy.full(len(of_donor), 4)])
        bounds = {"m": numpy.full(psi[0].shape, tolerance),
                  "d": numpy.einsum("r,rzyx->zyx", weights, 2 * rows * tolerance + tolerance ** 2),
                  "p": tolerance * numpy.maximum(psi[-2], psi[-1]) + tolerance ** 2 / 2}
        for name, bound in bounds.items():
            error = abs(a[f"combinations/{name}/values"][0] - b[f"combinations/{name}/values"][0])
            check(0 < error.max() and (error <= bound + 1e-14).all(), f"{name}: off by {(error / bound).max()} bounds")
        check(b["combinations"].attrs["tolerance"] == tolerance, "the tolerance in the file")


def box_like(result):
    """The grid of a result as options."""
    with h5py.File(result) as file:
        group = file["combinations"]
        origin = ",".join(repr(float(x)) for x in group["origin"][0])
        return f"--origin={origin}bohr", "--grid", ",".join(map(str, group["shape"]))


def check_expressions_of_fields(program, folder):
    """--field takes expressions, which may have commas, beside names."""
    words = (WATER, *IONS[:2], "--spacing", "0.6")
    expressions = {"p": "orbital(anion, 5)*orbital(1)", "d": "density(anion) - density"}
    plain = orbital(program, folder, "plain.h5", *words, *combined(expressions), "--field", "tau,laplacian")
    other = orbital(program, folder, "other.h5", *words, "--field",
                    f"tau,p = {expressions['p']},d = {expressions['d']},laplacian")
    with h5py.File(plain) as a, h5py.File(other) as b:
        for path in ("combinations/p", "combinations/d", "fields/tau", "fields/laplacian"):
            check(numpy.array_equal(a[path]["values"], b[path]["values"]), f"--field: other values of {path}")


def check_surfaces(program, folder):
    """Both lobes of an orbital and of a density, values on vertices, and meshes with these."""
    expressions = {"m": OF_DIMER["mixed"], "d": OF_DIMER["deformation"]}
    result = orbital(program, folder, "surfaces.h5", DIMER, *FRAGMENTS, *combined(expressions), "--isosurface", "0.05",
                     "--density-isosurface", "0.002", "--vertex-field", "d,m,gradient-norm", "--spacing", "0.1",
                     "--tolerance", "0")
    with h5py.File(result) as file:
        check("values" not in file["combinations/m"], "there are grids")
        for name, level, units in (("m", 0.05, "bohr^-5/2"), ("d", 0.002, "bohr^-4")):
            surface = file[f"isosurfaces/1/{name}"]
            check(surface.attrs["isovalue"] == level, f"{name}: the level")
            positive, all_vertices = surface.attrs["positive_vertices"], len(surface["vertices"])
            check(0 < positive < all_vertices, f"{name}: a lobe is missing")
            own = surface[f"fields/{name}"][...]
            signs = numpy.where(numpy.arange(len(own)) < positive, 1, -1)
            spread = numpy.median(abs(own - signs * level))  # interpolation is worst at nuclei
            check(spread < 0.1 * level, f"{name}: its values on its surface are off by {spread}")
            check(surface["fields/gradient_norm"].attrs["units"] == units, f"{name}: units of the gradient")
            check(surface["fields/m"].attrs["units"] == "bohr^-3/2", "units of an orbital on vertices")
            lengths = numpy.linalg.norm(surface["normals"][...], axis=1)
            check(abs(lengths - 1).max() < 1e-5, f"{name}: normals")
    made = run(program, "export", result, "--mesh", folder / "mesh")
    check(made.returncode == 0 and {path.name for path in (folder / "mesh").iterdir()} == {"m.ply", "d.ply"},
          f"--mesh: {made.stderr}")
    check(b"property float d\n" in (folder / "mesh/m.ply").read_bytes()[:2000].replace(b"double", b"float"),
          "values of vertices in the mesh")


def check_exports(program, folder):
    result = orbital(program, folder, "exported.h5", WATER, *IONS, *combined(OF_WATER), "--spacing", "0.5", "--cube",
                     folder / "cubes")
    check({path.stem for path in (folder / "cubes").iterdir()} == set(OF_WATER), "names of cube files")
    with h5py.File(result) as file:
        values = file["combinations/f_plus/values"][0]
    nz, ny, nx = values.shape
    words = (folder / "cubes/f_plus.cube").read_text().split("\n", 9)[9].split()
    listed = numpy.array([float(word) for word in words]).reshape(nx, ny, nz).transpose(2, 1, 0)
    check(abs(listed - values).max() <= 1e-5 * abs(values).max(), "the cube file")
    made = run(program, "export", result, "--dx", folder / "dx")
    check(made.returncode == 0 and len(list((folder / "dx").iterdir())) == len(OF_WATER), f"--dx: {made.stderr}")
    made = run(program, "report", result, "-o", folder / "report.html")
    check(made.returncode == 0 and "f_plus" in (folder / "report.html").read_text(), f"report: {made.stderr}")


def two_frames(folder):
    """Water, and water moved a little, whose orbitals have other signs: one file of two frames."""
    text = WATER.read_text()
    oxygen = next(line for line in text.splitlines() if line.startswith("O "))
    words = oxygen.split()
    moved = text.replace(oxygen, " ".join(words[:3] + ["0.05"] + words[4:]))
    head, orbitals = moved.split("[MO]")
    lines = []
    for line in orbitals.splitlines():
        parts = line.split()
        if len(parts) == 2 and parts[0].isdigit():
            line = f"{parts[0]} {-float(parts[1])!r}"
        lines.append(line)
    path = folder / "two.molden"
    path.write_text(text.rstrip("\n") + "\n" + head + "[MO]" + "\n".join(lines) + "\n")
    return path


def check_frames(program, folder):
    """A frame by its number, a file that goes along frame by frame, tracked signs, and no difference from itself."""
    path = two_frames(folder)
    expressions = {"change": "density - density(1)", "both": "density - density(other)",
                   "m": "orbital(HOMO) + orbital(LUMO)"}
    words = (path, "--with", f"other={path}", *combined(expressions), "--orbitals", "HOMO,LUMO", "--density", "--track",
             "--spacing", "0.3", "--different-geometries", "--precision", "double", "--tolerance", "0")
    with h5py.File(orbital(program, folder, "frames.h5", *words)) as file:
        group, rho = file["combinations"], file["density/values"]
        check(not group["change/values"][0].any(), "a frame differs from itself")
        check(abs(group["change/values"][1] - (rho[1] - rho[0])).max() < 1e-12, "the difference of two frames")
        check(abs(group["both/values"][...]).max() < 1e-12, "a file that goes along")
        check((file["orbitals/signs"][1] == -1).all(), "signs are not tracked")
        psi = file["orbitals/values"][...].sum(axis=1)
        check(abs(group["m/values"][...] - psi).max() < 1e-12, "a sum of tracked orbitals")
    with h5py.File(orbital(program, folder, "second.h5", *words, "--frames", "2")) as file:
        check(abs(file["combinations/change/values"][0]).max() > 0.01, "frame 1 is not the first of the file")
    refused(program, folder, "has another geometry", path, "--combine", "density - density(1)")
    refused(program, folder, "there is no frame 3", path, "--combine", "density - density(3)")
    refused(program, folder, "has 2 frames", WATER, "--with", f"b={path}", "--combine", "density(b)")
    refused(program, folder, "LUMO is not among the orbitals", path, "--track", "--orbitals", "HOMO", "--combine",
            "orbital(LUMO)")


def check_same(program, folder):
    """Ranks and compression change no bit; a configuration and a rerun are the same run."""
    words = (DIMER, *FRAGMENTS, *combined(OF_DIMER), "--spacing", "0.12", "--isosurface", "0.04",
             "--density-isosurface", "0.002", "--vertex-field", "mixed,HOMO", "--grids", "--orbitals", "HOMO")
    alone = orbital(program, folder, "alone.h5", *words)
    same = answer(alone, None)
    check(answer(orbital(program, folder, "packed.h5", *words, "--compress", "1"), ("combinations",)) ==
          answer(alone, ("combinations",)), "other bits if compressed")
    made = run(program, "rerun", alone, "-o", folder / "rerun.h5", "--quiet")
    check(made.returncode == 0 and answer(folder / "rerun.h5", None) == same, f"rerun: {made.stderr}")
    planned = run(program, "plan", "orbital", *words)
    check(planned.returncode == 0, f"plan: {planned.stderr}")
    if not has_ranks(program):
        print("ranks are not compared: they cannot be started here")
        return
    for ranks in (2, 3):
        other = orbital(program, folder, f"ranks{ranks}.h5", *words, ranks=ranks)
        check(answer(other, None) == same, f"{ranks} ranks: other bits")


def check_refusals(program, folder):
    refused(program, folder, "--combine f: there is no file 'b'", WATER, "--combine", "f = density(b)")
    refused(program, folder, "--with b: the file is not used", WATER, "--with", f"b={ANION}", "--combine", "f=density")
    refused(program, folder, "--different-geometries without --combine", WATER, "--different-geometries")
    refused(program, folder, "two basis sets", DIMER, *FRAGMENTS[:2], "--combine", "orbital(1) + orbital(donor, 1)")
    refused(program, folder, "has another geometry", DONOR, *FRAGMENTS[2:], "--combine", "density + density(acceptor)")
    orbital(program, folder, "both.h5", DONOR, *FRAGMENTS[2:], "--combine", "density + density(acceptor)",
            "--different-geometries", "--norms-only", "--spacing", "0.5")
    refused(program, folder, "there is no HOMO-9", WATER, "--combine", "orbital(HOMO-9)")
    refused(program, folder, "neither a surface nor a grid", WATER, "--combine", "f = density - density(a)", "--with",
            f"a={ANION}", "--orbitals", "HOMO", "--isosurface", "0.05")
    refused(program, folder, "cannot be computed", WATER, "--combine", "density +")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = pathlib.Path(sys.argv[1]).resolve()
        for check_one in (check_values, check_fukui, check_tolerance, check_expressions_of_fields, check_surfaces,
                          check_exports, check_frames, check_same, check_refusals):
            check_one(program, folder)
    return 0


sys.exit(main())
