#!/usr/bin/env python3
"""Fields derived from the density (tessera orbital --field): PySCF's derivatives in the usual formulas to 1e-10 (where
PySCF is installed), the bits of any number of ranks and of a compressed or resumed run, cube files, the tolerance,
and refusals. Usage: derived_fields.py PATH/OF/tessera"""

import gzip
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
try:
    from pyscf.tools import molden
except ImportError:
    molden = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
REFERENCES = ROOT / "tests/orbitals/references"
DEVICE = os.environ.get("TESSERA_TEST_DEVICE", "openmp")
ALL = "gradient,gradient-norm,laplacian,tau,tau-laplacian,elf,lol,rdg,sign-lambda2-density"
NAMES = ["gradient_x", "gradient_y", "gradient_z", *ALL.replace("-", "_").split(",")[1:]]
UNITS = {"gradient": "bohr^-4", "laplacian": "bohr^-5", "tau": "hartree bohr^-3", "sign": "bohr^-3"}
# No point lies on a nucleus or a plane of symmetry, where rounded coordinates decide what is left of a derivative.
BOX = ("--origin=-1.93,-2.07,-1.61", "--spacing", "0.211,0.197,0.203", "--grid", "19,21,18")


def orbital(program, folder, name, *options, ranks=0, **more):
    made = run(program, "orbital", *options, "-o", folder / name, "--quiet", "--device", DEVICE, ranks=ranks, **more)
    check(made.returncode == 0, f"{name}: {made.stderr}")
    return folder / name


def refused(program, folder, words, *options):
    made = run(program, "orbital", WATER, *options, "-o", folder / "refused.h5", "--quiet")
    check(made.returncode == 2 and words in made.stderr, f"{options}: {made.returncode}, {made.stderr}")
    check(not list(folder.glob("refused*")), f"{options}: leaves a file behind")


def points_of(group):
    axes = [group["origin"][0][a] + group["spacing"][a] * numpy.arange(group["shape"][a]) for a in range(3)]
    z, y, x = numpy.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return numpy.stack([x, y, z], axis=-1).reshape(-1, 3)


def spin_density(psi, occupations):
    """rho, gradient, tau and Hessian of one spin from psi[derivative, point, orbital] (PySCF's order)."""
    rho = numpy.einsum("po,po,o->p", psi[0], psi[0], occupations)
    slope = psi[1:4]
    gradient = 2 * numpy.einsum("po,apo,o->ap", psi[0], slope, occupations)
    tau = numpy.einsum("apo,apo,o->p", slope, slope, occupations) / 2
    second = psi[[[4, 5, 6], [5, 7, 8], [6, 8, 9]]]
    hessian = 2 * (numpy.einsum("apo,bpo,o->abp", slope, slope, occupations) +
                   numpy.einsum("po,abpo,o->abp", psi[0], second, occupations))
    return rho, gradient, tau, hessian


def expected(path, points):
    """The fields, and what the error of each is compared with. A sign is not compared where the eigenvalue vanishes."""
    molecule, _, coefficients, occupations, _, _ = molden.load(str(path))
    functions = molecule.eval_gto("GTOval_cart_deriv2" if molecule.cart else "GTOval_sph_deriv2", points)
    if not isinstance(coefficients, (tuple, list)):  # closed shell
        coefficients, occupations = [coefficients] * 2, [occupations / 2] * 2
    spins = [spin_density(numpy.einsum("dpf,fo->dpo", functions, c), numpy.asarray(n))
             for c, n in zip(coefficients, occupations)]
    rho, gradient, tau, hessian = (sum(parts) for parts in zip(*spins))
    norm, laplacian = numpy.linalg.norm(gradient, axis=0), numpy.einsum("aap->p", hessian)
    weizsaecker = sum((one[1] ** 2).sum(axis=0) / (8 * one[0]) for one in spins)
    uniform = 0.3 * (6 * numpy.pi ** 2) ** (2 / 3) * sum(one[0] ** (5 / 3) for one in spins)
    middle = numpy.linalg.eigvalsh(hessian.transpose(2, 0, 1))[:, 1]
    fields = dict(zip(("gradient_x", "gradient_y", "gradient_z"), gradient), gradient_norm=norm, laplacian=laplacian,
                  tau=tau, tau_laplacian=tau - laplacian / 4, elf=1 / (1 + ((tau - weizsaecker) / uniform) ** 2),
                  lol=1 / (1 + tau / uniform), rdg=norm / (2 * (3 * numpy.pi ** 2) ** (1 / 3) * rho ** (4 / 3)),
                  sign_lambda2_density=numpy.sign(middle) * rho)
    scales = {name: abs(values) for name, values in fields.items()}
    scales.update(dict.fromkeys(("gradient_x", "gradient_y", "gradient_z"), norm))
    for name in ("laplacian", "tau_laplacian"):  # differences of larger numbers
        scales[name] = scales[name] + 4 * tau
    scales["sign_lambda2_density"] = numpy.where(abs(middle) < 1e-9 * abs(hessian).max(axis=(0, 1)), numpy.inf, rho)
    return fields, scales


def unpacked(path, folder):
    plain = folder / path.name.removesuffix(".gz")
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    return plain


def check_values(program, folder):
    if not molden:
        print("values are not compared: no PySCF")
        return
    paths = [WATER, *(unpacked(path, folder) for path in sorted(REFERENCES.glob("*.molden.gz")))]
    for path in paths:
        result = orbital(program, folder, f"{path.stem}.h5", path, "--field", ALL, *BOX, "--precision", "double",
                         "--tolerance", "0")
        with h5py.File(result) as file:
            group = file["fields"]
            fields, scales = expected(path, points_of(group))
            for name in NAMES:
                error = abs(group[name]["values"][0].ravel() - fields[name]) / scales[name]
                check(error.max() <= 1e-10, f"{path.name}, {name}: {error.max():.1e} from PySCF's")
    print(f"{len(paths)} wavefunctions: all fields are PySCF's to 1e-10")


def check_tolerance(program, folder):
    """psi and all its derivatives keep the tolerance, so that the density's keep it times what they are made of."""
    box = (WATER, "--field", "gradient,laplacian,tau", "--spacing", "0.3", "--precision", "double")
    exact = orbital(program, folder, "exact.h5", *box, "--tolerance", "0")
    tolerance = 1e-4
    loose = orbital(program, folder, "loose.h5", *box, "--tolerance", tolerance)
    with h5py.File(exact) as a, h5py.File(loose) as b:
        steep = numpy.sqrt(2 * a["fields/tau/values"][0])  # of five orbitals, each twice occupied
        error = abs(steep - numpy.sqrt(2 * b["fields/tau/values"][0])).max()
        check(0 < error <= numpy.sqrt(2 * 5 * 3) * tolerance, f"tau is off by {error} in its root")


def check_file(program, folder):
    """Names, shapes and units; single values are the rounded ones; cube files, tables and other programs' words."""
    result = orbital(program, folder, "single.h5", WATER, "--field", ALL, *BOX, "--cube", folder / "cubes")
    wide = orbital(program, folder, "double.h5", WATER, "--field", ALL, *BOX, "--precision", "double")
    with h5py.File(result) as file, h5py.File(wide) as other:
        fields = file["fields"]
        check(set(fields) == {*NAMES, "origin", "spacing", "shape", "frames"}, f"/fields has {list(fields)}")
        check(len(file["orbitals/labels"]) == 0, "there are orbitals")
        for name in NAMES:
            values = fields[name]["values"]
            check(values.shape == (1, 18, 21, 19) and values.dtype == "f4", f"{name}: {values}")
            check(values.attrs.get("units", "") == UNITS.get(name.split("_")[0], ""), f"{name}: the unit")
            check(numpy.array_equal(values, other["fields"][name]["values"][...].astype("f4")), f"{name}: not rounded")
            words = (folder / "cubes" / f"{name}.cube").read_text().split("\n", 9)[9].split()
            listed = numpy.array([float(word) for word in words]).reshape(19, 21, 18).transpose(2, 1, 0)
            check(abs(listed - values[0]).max() <= 1e-5 * abs(values[0]).max(), f"{name}: the cube file")
    shown = run(program, "info", result)
    check(shown.returncode == 0 and "derived fields: gradient_x," in shown.stdout, f"info: {shown.stdout}")
    made = run(program, "export", result, "--dx", folder / "dx")
    check(made.returncode == 0 and len(list((folder / "dx").iterdir())) == len(NAMES), f"--dx: {made.stderr}")


def check_together(program, folder):
    """Frames, orbitals and densities beside fields; ranks, compression and a second start change no bit."""
    text = WATER.read_text().rstrip("\n")
    oxygen = next(line for line in text.splitlines() if line.startswith("O "))
    words = oxygen.split()
    frames = [text.replace(oxygen, " ".join([*words[:3], repr(0.1 * frame), *words[4:]])) for frame in range(3)]
    path = folder / "frames.molden"
    path.write_text("\n".join(frames) + "\n")
    options = (path, "--field", "laplacian,elf,sign-lambda2-density", "--spacing", "0.2")
    alone = orbital(program, folder, "alone.h5", *options)
    beside = orbital(program, folder, "beside.h5", *options, "--orbitals", "HOMO,LUMO", "--density")
    packed = orbital(program, folder, "packed.h5", *options, "--compress", "1")
    same = answer(alone, ("fields",))
    check(same["fields/elf/values"][1][0] == 3, "not three frames")
    check(answer(beside, ("fields",)) == same, "other bits beside orbitals")
    check(answer(packed, ("fields",)) == same, "other bits if compressed")
    if not has_ranks(program):
        print("ranks are not compared: they cannot be started here")
        return
    for ranks in (2, 3):
        other = orbital(program, folder, f"ranks{ranks}.h5", *options, ranks=ranks)
        check(answer(other, None) == answer(alone, None), f"{ranks} ranks: other bits")


def check_on_vertices(program, folder):
    """`--vertex-field` stores the fields of the density on any surface, with the same bits on any ranks."""
    hydroxyl = unpacked(REFERENCES / "oh_uhf_cart.molden.gz", folder)
    scalars = [name for name in NAMES if not name.startswith("gradient")]
    options = (hydroxyl, "--density", "--orbitals", "HOMOa", "--density-isosurface", "0.01", "--isosurface", "0.1",
               "--spacing", "0.2", "--vertex-field", ",".join(scalars).replace("_", "-") + ",gradient-norm")
    result = orbital(program, folder, "vertices.h5", *options)
    with h5py.File(result) as file:
        for name, surface in file["isosurfaces/1"].items():
            check(set(surface["fields"]) == {*scalars, "gradient_norm"}, f"{name}: fields {list(surface['fields'])}")
            vertices = surface["vertices"][...].astype(float)
            fields, scales = expected(hydroxyl, vertices) if molden else (None, None)
            for field in scalars:
                values = surface["fields"][field]
                check(values.shape == (len(vertices),) and abs(values[...]).max() > 0, f"{name}, {field}: {values}")
                check(values.attrs.get("units", "") == UNITS.get(field.split("_")[0], ""), f"{name}, {field}: the unit")
                if molden:
                    error = (abs(values[...] - fields[field]) / scales[field]).max()
                    check(error <= 1e-10, f"{name}, {field} on vertices: {error:.1e} from PySCF's")
    if has_ranks(program):
        other = orbital(program, folder, "vertices3.h5", *options, ranks=3)
        check(answer(other, None) == answer(result, None), "fields on vertices: other bits on 3 ranks")
    refused(program, folder, "'gradient' is not a field", "--density", "--isosurface", "0.1", "--vertex-field",
            "gradient")


def check_refusals(program, folder):
    refused(program, folder, "--field: 'elv' is not a field", "--field", "laplacian,elv")
    refused(program, folder, "did you mean elf?", "--field", "laplacian,elv")
    refused(program, folder, "did you mean gradient-norm?", "--field", "gradient-nrom")
    refused(program, folder, "use for example laplacian,elf", "--field", "potential")
    refused(program, folder, "--field: laplacian is asked for twice", "--field", "laplacian,Laplacian")
    refused(program, folder, "gradient_x is asked for twice", "--field", "gradient,gradient-x")
    refused(program, folder, "has nothing to write", "--field", "elf", "--norms-only")
    refused(program, folder, "has nothing to write", "--field", "elf", "--density", "--isosurface", "0.1")
    unoccupied = folder / "unoccupied.molden"
    lines = ("Occup= 0.0" if "Occup" in line else line for line in WATER.read_text().splitlines())
    unoccupied.write_text("\n".join(lines) + "\n")
    made = run(program, "orbital", unoccupied, "--field", "elf", "-o", folder / "refused.h5", "--quiet")
    check(made.returncode == 2 and "is occupied" in made.stderr, f"no electrons: {made.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = pathlib.Path(sys.argv[1]).resolve()
        check_values(program, folder)
        for check_one in (check_tolerance, check_file, check_together, check_on_vertices, check_refusals):
            check_one(program, folder)
    return 0


sys.exit(main())
