#!/usr/bin/env python3
"""`tessera report` of orbitals, wedges and fits: the page needs nothing else, and its JSON has the values that h5py
reads in the file. What it cannot do ends in one line. Dockings: report_dockings.py.
Usage: report.py PATH/OF/tessera"""

import base64
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_results  # noqa: E402
from report_pages import Page, check_kinds, report, same  # noqa: E402
from tessera_runs import check, run  # noqa: E402

BOHR = 0.529177210903


def check_orbital(data, file):
    orbital = data["orbital"]
    same([row["energy_hartree"] for row in data["table"]], file["orbitals/energies"][0], "energies")
    nuclei = [one["position"] for one in orbital["nuclei"]]
    check(numpy.allclose(nuclei, file["frames/1/positions"][:] * BOHR, rtol=1e-14), "other nuclei")
    labels = list(file["orbitals/labels"].asstr())
    stored_grids = dict(zip(labels, file["orbitals/values"][0]), density=file["density/values"][0])
    if "mean_density" in file:
        stored_grids["mean_density"] = file["mean_density/values"][:]
    for name in ("half", "mixed"):  # and no third one: a page holds six grids
        stored_grids[name] = file[f"combinations/{name}/values"][0]
    check([grid["label"] for grid in orbital["grids"]] == list(stored_grids), "other grids")
    for grid in orbital["grids"]:
        stored = stored_grids[grid["label"]]
        step = grid["step"]
        halves = numpy.frombuffer(base64.b64decode(grid["values"]), "<u2")
        values = (halves.astype("<u4") << 16).view("<f4").astype(float)
        wanted = stored[::step, ::step, ::step]
        check(grid["shape"] == list(wanted.shape[::-1]), f"{grid['label']}: shape {grid['shape']}")
        check(numpy.allclose(values, wanted.ravel(), rtol=2**-8, atol=1e-37), f"{grid['label']}: other values")
        units = "bohr^-3/2" if grid["label"] in (*labels, "mixed") else "bohr^-3"
        check(grid["units"] == units and grid["of_orbital"] == (grid["label"] in labels), f"{grid['label']}: {grid['units']}")
        check(numpy.allclose(grid["spacing"], file["orbitals/spacing"][:] * BOHR * step), "another spacing")


    check(orbital["left_out"][0] == "pair", f"left out: {orbital['left_out']}")
    coloured = [one for one in orbital["meshes"] if one["label"] == "HOMO"]
    check(len(coloured) == 1, "the surface with a vertex field is missing")
    check_vertex_field(coloured[0], file["isosurfaces/1/HOMO"])


def check_vertex_field(mesh, stored):
    (field,) = mesh["fields"]
    check(field["name"] == "density" and field["units"] == "bohr^-3", f"vertex field {field['name']}, {field['units']}")
    triangles = numpy.frombuffer(base64.b64decode(mesh["triangles"]), "<u4")
    values = numpy.frombuffer(base64.b64decode(field["values"]), "<f4")
    wanted = stored["fields/density"][:][stored["triangles"][:].ravel()]
    check(numpy.allclose(values[triangles], wanted, rtol=1e-6), "other values on the surface")


def check_fields(program, folder):
    """Derived fields keep their small values, which lie far from the nuclei; gradients come last."""
    made = run(program, "orbital", small_results.ORBITAL[1], "--field", "gradient,rdg,elf,laplacian", "--density",
               "--spacing", "0.5", "--device", "openmp", "-o", "fields.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "fields")
    names = [grid["label"] for grid in data["orbital"]["grids"]]
    check(names[:4] == ["density", "laplacian", "elf", "rdg"] and names[4].startswith("gradient_"), f"grids {names}")
    with h5py.File(folder / "fields.h5") as file:
        for grid in data["orbital"]["grids"][1:4]:
            halves = numpy.frombuffer(base64.b64decode(grid["values"]), "<u2")
            stored = file[f"fields/{grid['label']}/values"][0].ravel()
            check(numpy.allclose((halves.astype("<u4") << 16).view("<f4"), stored, rtol=2**-8, atol=1e-37), grid["label"])


def check_points(program, folder):
    """The potential at points is the table of the page."""
    (folder / "points.txt").write_text("0,0,2\n1,1,1\n")
    made = run(program, "orbital", small_results.ORBITAL[1], "--esp", "--points", "points.txt", "--device", "openmp", "-o",
               "points.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "points")
    with h5py.File(folder / "points.h5") as file:
        same([row["esp"] for row in data["table"]], file["points/esp"][0], "potential at the points")


def check_mesh(data, file):
    """A result without grids shows its surfaces; one that is small enough shows them as they are."""
    (mesh,) = data["orbital"]["meshes"]
    stored = file["isosurfaces/1/HOMO"]
    check(not data["orbital"]["grids"] and mesh["isovalue"] == stored.attrs["isovalue"], "another surface")
    triangles = numpy.frombuffer(base64.b64decode(mesh["triangles"]), "<u4").reshape(-1, 3)
    vertices = numpy.frombuffer(base64.b64decode(mesh["vertices"]), "<f4").reshape(-1, 3)
    wanted = stored["vertices"][:][stored["triangles"][:]] * BOHR
    check(numpy.allclose(vertices[triangles], wanted, atol=1e-5), "other triangles")


def check_left_out(program, folder):
    """What the result holds beyond the first frame and the first grids is named on the page."""
    water = pathlib.Path(small_results.ORBITAL[1]).read_text()
    (folder / "two.molden").write_text(water + water)
    made = run(program, "orbital", "two.molden", "--orbitals", "1:7", "--spacing", "1", "--grids", "--density",
               "--device", "openmp", "-o", "two.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    orbital = report(program, folder, "two")["orbital"]
    check(orbital["frames"] == 2 and orbital["frame"] == 1, f"{orbital['frames']} frames")
    check([grid["label"] for grid in orbital["grids"]] == ["1", "2", "3", "4", "5", "6"], "other grids")
    check(orbital["left_out"] == ["7", "density"], f"left out: {orbital['left_out']}")


def check_wedges(data, file):
    for number, wedge in enumerate(data["wedges"], 1):
        group = file["likelihood"] if len(data["wedges"]) == 1 else file[f"likelihood/{number}"]
        stars = group["stars"][:]
        check(wedge["stars"] == len(stars) == sum(wedge["counts"]) == sum(wedge["density_counts"]), "other stars")
        by_distance = numpy.array(wedge["counts"]).reshape(60, 60).sum(axis=0)
        members = numpy.array(wedge["members"])
        check(members.shape == (group["memberships"].shape[1], 3600), f"members: {members.shape}")
        check(numpy.allclose(members.sum(axis=1), group["expected_stars"], atol=0.1) and
              numpy.allclose(members.sum(axis=0), wedge["counts"], atol=0.002), "members by cell")
        wanted = numpy.histogram(stars["r"], bins=60, range=(0, stars["r"].max()))[0]
        check(numpy.abs(by_distance - wanted).sum() <= 2, f"stars by distance: {by_distance}, {wanted}")


def check_fit(data, file):
    fit, shown = file["fit"], data["fit"]
    for name, key in (("best", "best"), ("standard_errors", "standard_error")):
        same([one[key] for one in shown["parameters"]], fit[name][:], name)
    same(shown["covariance"], fit["covariance"][:], "covariance")
    for name in ("evaluation", "search", "likelihood"):
        same(shown["history"][name], fit[f"history/{name}"][:], f"history: {name}")
    same(shown["climbs"], fit["climbs/parameters"][:], "climbs")
    names = list(fit["names"].asstr())
    fitted = [stream["mu"] for stream in data["wedges"][0]["streams"]]
    same(fitted, [fit["best"][names.index(f"stream{i + 1}.mu")] for i in range(len(fitted))], "fitted streams")


def check_hostile(program, folder):
    """Texts of a file cannot become markup."""
    shutil.copy(folder / "fit.h5", folder / "<b>&.h5")
    evil = "</script><script>alert(1)</script><!--"
    with h5py.File(folder / "<b>&.h5", "a") as file:
        file["run"].attrs["command_line"] = evil
    made = run(program, "report", "<b>&.h5", "-o", "evil.html", cwd=folder)
    check(made.returncode == 0, made.stderr)
    text = (folder / "evil.html").read_text()
    check("alert(1)</script>" not in text and "<title>&lt;b>&amp;.h5" in text, "markup of the file is in the page")
    check(json.loads(Page(text).scripts["data"])["facts"]["run"]["command_line"] == evil, "another command line")


def check_refusals(program, folder):
    def refused(wanted, *words, code=2):
        result = run(program, "report", *words, cwd=folder)
        one_line = re.fullmatch(r"tessera: [^\n]+ \(.+\): [^\n]+\n", result.stderr)
        check(result.returncode == code and one_line and re.search(wanted, result.stderr),
              f"{words}: {result.returncode} {result.stderr!r} without '{wanted}'")

    refused("exists already", "fit.h5", "-o", "fit.html")
    check(run(program, "report", "fit.h5", "-o", "fit.html", "--force", cwd=folder).returncode == 0, "--force")
    (folder / "mine.html").write_text("<p>mine</p>\n")
    refused("did not write", "fit.h5", "-o", "mine.html", "--force")
    refused("input", "fit.h5", "-o", "fit.h5", "--force")
    refused("HDF5", "0.stars", "-o", "new.html")
    refused("--output", "fit.h5")
    (folder / "pairs").mkdir()
    (folder / "pairs/pairs.csv").write_text("name,status\n")
    refused("pairs.csv", "pairs", "-o", "new.html")
    check(not (folder / "new.html").exists(), "a page was written")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-report-") as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder, ("orbital", "likelihood", "fit"))
        made = run(program, "orbital", small_results.ORBITAL[1], "--orbitals", "HOMO", "--spacing", "0.3",
                   "--isosurface", "0.05", "--device", "openmp", "-o", "mesh.h5", cwd=folder)
        check(made.returncode == 0, made.stderr)
        check_kinds(program, folder, orbital=check_orbital, mesh=check_mesh, likelihood=check_wedges, fit=check_fit)
        check_left_out(program, folder)
        check_fields(program, folder)
        check_points(program, folder)
        check_hostile(program, folder)
        check_refusals(program, folder)
    print("passed")


main()
