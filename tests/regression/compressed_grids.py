#!/usr/bin/env python3
"""`tessera orbital --compress-error E`: no stored value is farther than E from that of a run without it, h5py reads
plain numbers, norms and integrals keep their bits, any number of ranks gives the same file, exports read it, and the
result says how much smaller it is.
Usage: compressed_grids.py PATH/OF/tessera"""

import json
import pathlib
import sys

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from small_runs import WATER  # noqa: E402
from tessera_runs import answer, check, in_folder_on_ranks, run  # noqa: E402

GRIDS = ("orbitals/values", "density/values", "mean_density/values", "fields/laplacian/values",
         "combinations/twice/values")
OPTIONS = ("--orbitals", "HOMO,LUMO", "--density", "--mean-density", "--field", "laplacian", "--combine",
           "twice = 2*density", "--spacing", "0.2")


def orbital(program, folder, name, *options, ranks=0):
    made = run(program, "orbital", WATER, "-o", folder / name, "--device", "openmp", *options, ranks=ranks)
    check(made.returncode == 0, made.stderr)
    return folder / name, made.stdout


def grids(path):
    with h5py.File(path) as file:
        return {name: file[name][...] for name in GRIDS}


def check_errors(program, folder):
    for precision, kind in (("single", "f4"), ("double", "f8")):
        options = (*OPTIONS, "--precision", precision)
        exact, _ = orbital(program, folder, f"exact-{precision}.h5", *options)
        for error in ("1e-5", "0.003", "1", "1e-30"):
            path, said = orbital(program, folder, f"{precision}-{error}.h5", *options, "--compress-error", error)
            smallest = 1e9
            for name, values in grids(path).items():
                want = grids(exact)[name]
                check(values.dtype == kind, f"{name}: {values.dtype}")
                largest = abs(values.astype("f8") - want.astype("f8")).max()
                check(largest <= float(error), f"{name}: {largest} for {error}")
                large = abs(want) > 1e-12  # here the last digit of both types counts for more than 1e-30
                check(numpy.array_equal(values[large], want[large]) == (error == "1e-30"), f"{name}: {error}")
                with h5py.File(path) as file:
                    dataset = file[name]
                    check(dataset.attrs["largest_error"] == float(error), f"{name}: attribute")
                    ratio = values.nbytes / dataset.id.get_storage_size()
                    check(abs(dataset.attrs["compression_ratio"] / ratio - 1) < 1e-9, f"{name}: {ratio}")
                    check(dataset.compression == "gzip" and dataset.compression_opts == 6, "another filter")
                    smallest = min(smallest, ratio)
            check(error == "1e-30" or smallest > 2, f"{error}: only {smallest} times smaller")
            check(f"stored within {float(error):g} of the computed values" in said, said)
        for name in ("orbitals/norm", "density/integral", "mean_density/integral", "combinations/twice/integral"):
            with h5py.File(exact) as one, h5py.File(path) as other:
                check(numpy.array_equal(one[name], other[name]), f"{name} changed")


def check_readers(program, folder):
    path, _ = orbital(program, folder, "read.h5", *OPTIONS, "--compress-error", "1e-5", "--cube", folder / "direct")
    info = run(program, "info", path).stdout
    check("stored within 1e-05 of the computed values" in info, info)
    described = json.loads(run(program, "info", path, "--json").stdout)["orbitals"]["rounding"]
    check(described["largest_error"] == 1e-5 and described["compression_ratio"] > 3, described)
    with h5py.File(path) as file:
        check(json.loads(file["run"].attrs["input"])["compress_error"] == 1e-5, "not among the options")
    for format in ("--cube", "--dx", "--vti", "--vtkhdf"):
        made = run(program, "export", path, format, folder / format[2:])
        check(made.returncode == 0, made.stderr)
    check((folder / "cube/HOMO.cube").read_bytes() == (folder / "direct/HOMO.cube").read_bytes(), "cubes differ")
    with h5py.File(folder / "vtkhdf/HOMO.vtkhdf") as file:
        check(numpy.array_equal(file["VTKHDF/PointData/HOMO"], grids(path)["orbitals/values"][0, 0]), "another image")
    for command in (("table", path), ("report", path, "-o", folder / "report.html"),
                    ("rerun", path, "-o", folder / "again.h5")):
        made = run(program, *command)
        check(made.returncode == 0, made.stderr)
    check(answer(folder / "again.h5", ("orbitals", "density")) == answer(path, ("orbitals", "density")), "a rerun")


def check_ranks(program, folder):
    options = (*OPTIONS, "--compress-error", "2e-4", "--compress", "3")
    groups = ("orbitals", "density", "mean_density", "fields", "combinations")
    one, _ = orbital(program, folder, "one.h5", *options)
    two, _ = orbital(program, folder, "two.h5", *options, ranks=2)
    check(answer(one, groups) == answer(two, groups), "two ranks give other bits")


def check_refused(program, folder):
    for words, options in (("writes no grids", ("--isosurface", "0.05", "--compress-error", "1e-5")),
                           ("--compress-error", ("--compress-error", "-1")),
                           ("--compress-error", ("--compress-error", "nan")),
                           ("--compress-error", ("--compress-error", "2"))):
        made = run(program, "orbital", WATER, "-o", folder / "refused.h5", *options)
        check(made.returncode == 2 and words in made.stderr and not list(folder.glob("refused*")), made.stderr)


def check_zfp(program, folder):
    """--zfp stays within the error, needs less room on a fine grid, and has one file on any number of ranks, if the build has zfp."""
    options = (*OPTIONS, "--compress-error", "1e-5")
    if "has no zfp" in run(program, "orbital", WATER, "-o", folder / "no.h5", *options, "--zfp").stderr:
        return print("without zfp")
    alone = run(program, "orbital", WATER, "-o", folder / "refused.h5", "--zfp")
    check(alone.returncode == 2 and "add --compress-error" in alone.stderr, alone.stderr)
    exact, _ = orbital(program, folder, "exact.h5", *OPTIONS)
    zfp, said = orbital(program, folder, "zfp.h5", *options, "--zfp")
    check("stored within 1e-05 of the computed values" in said, said)
    two, _ = orbital(program, folder, "zfp_two.h5", *options, "--zfp", ranks=2)
    cubes = []
    for name in (exact, zfp, two):
        made = run(program, "export", name, "--cube", folder / f"{name.stem}_cubes")
        check(made.returncode == 0, made.stderr)
        cubes.append({label: (folder / f"{name.stem}_cubes" / f"{label}.cube").read_text().split()
                      for label in ("HOMO", "LUMO", "density", "mean_density", "laplacian", "twice")})
    check(cubes[1] == cubes[2], "two ranks give other values")
    for label, want in cubes[0].items():
        check(len(want) == len(cubes[1][label]), label)
        for a, b in zip(want[-1000:], cubes[1][label][-1000:]):
            check(abs(float(a) - float(b)) <= 1e-5 + 1e-5 * abs(float(a)), f"{label}: {a} {b}")
    with h5py.File(zfp) as one:
        for name in GRIDS:
            kind = one[name].id.get_create_plist().get_filter(0)[0]
            check(kind == 32013, f"{name}: filter {kind}")
    fine = [orbital(program, folder, f"fine{way}.h5", "--compress-error", "1e-5", *way.split())[0] for way in ("", "--zfp")]
    gzip_size, zfp_size = (path.stat().st_size for path in fine)
    check(1.2 * zfp_size < gzip_size, f"{zfp_size} and {gzip_size} bytes on a fine grid")
    made = run(program, "rerun", zfp, "-o", folder / "zfp_again.h5")
    check(made.returncode == 0, made.stderr)
    with h5py.File(folder / "zfp_again.h5") as one, h5py.File(zfp) as other:
        place = [chunks["orbitals/values"].id.read_direct_chunk((0, 0, 0, 0, 0))[1] for chunks in (one, other)]
        check(place[0] == place[1], "a rerun")


def check_all(program, folder):
    check_zfp(program, folder)
    check_errors(program, folder)
    check_readers(program, folder)
    check_ranks(program, folder)
    check_refused(program, folder)


sys.exit(in_folder_on_ranks(pathlib.Path(sys.argv[1]).resolve(), check_all))
