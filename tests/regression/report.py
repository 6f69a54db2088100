#!/usr/bin/env python3
"""`tessera report` of results of every workload: the page needs nothing else, its JSON has the values that h5py reads
in the file, and contacts of residues are those of all pairs of atoms. What it cannot do ends in one line.
Usage: report.py PATH/OF/tessera"""

import base64
import html.parser
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
from tessera_runs import check, run  # noqa: E402

BOHR = 0.529177210903
LARGEST = 5 << 20
OUTSIDE = ("src", "href")


class Page(html.parser.HTMLParser):
    """The texts of the scripts by id, and everything that the page would load."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.inside, self.loads = {}, None, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.loads += [value for name, value in attributes.items() if name in OUTSIDE and value != "data:,"]
        if tag == "script":
            self.inside = attributes.get("id", f"script {len(self.scripts)}")
            self.scripts[self.inside] = ""

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] += data


def report(program, folder, name):
    made = run(program, "report", f"{name}.h5", "-o", f"{name}.html", cwd=folder)
    check(made.returncode == 0 and made.stdout == f"written: {name}.html\n", f"{name}: {made.stderr}")
    text = (folder / f"{name}.html").read_text(encoding="utf-8")
    check(len(text) < LARGEST, f"{name}.html has {len(text)} bytes")
    page = Page(text)
    check(not page.loads and "@import" not in text, f"{name}.html loads {page.loads}")
    return json.loads(page.scripts["data"])


def same(found, wanted, what):
    found = numpy.asarray(found, dtype=float)
    check(found.shape == numpy.shape(wanted) and numpy.array_equal(found, wanted, equal_nan=True),
          f"{what}: {found} instead of {wanted}")


def check_facts(data, file):
    facts, run_ = data["facts"], file["run"].attrs
    check(facts["run"]["command_line"] == run_["command_line"], "another command line")
    check(facts["run"]["input"] == json.loads(run_["input"]), "other options")
    check(facts["version"] == file.attrs["version"], "another version")
    check("host" not in json.dumps(facts["run"]["ranks"]), "the page names hosts")


def positions_of(docking, partner):
    atoms = docking[f"{partner}/atoms"]
    return atoms["position"][:], atoms["residue_index"][:]


def rotation_matrix(w, x, y, z):
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def contacts_of(docking, poses):
    """By all pairs of atoms: in how many of the poses of the consensus each residue is in contact."""
    (receptor, of_receptor), (ligand, of_ligand) = positions_of(docking, "receptor"), positions_of(docking, "ligand")
    counts = [numpy.zeros(of_receptor[-1] + 1, dtype=int), numpy.zeros(of_ligand[-1] + 1, dtype=int)]
    for pose in poses:
        moved = (ligand - docking["ligand_center"][:]) @ rotation_matrix(*docking["consensus/rotation"][pose]).T
        moved += docking["consensus/translation"][pose]
        near = numpy.square(receptor[:, None] - moved[None]).sum(axis=2) < 25
        counts[0][numpy.unique(of_receptor[near.any(axis=1)])] += 1
        counts[1][numpy.unique(of_ligand[near.any(axis=0)])] += 1
    return counts


def check_docking(data, file):
    docking, shown = file["docking"], data["docking"]
    check(shown["best_list"] == "consensus", f"the best list is {shown['best_list']}")
    for one in shown["lists"]:
        group = docking["consensus"] if one["name"] == "consensus" else docking[f"poses/{one['name']}"]
        clusters = docking["consensus/clusters" if one["name"] == "consensus" else f"clusters/{one['name']}"]
        same(one["score"], group["score"][:2000], f"{one['name']}: scores")
        same([c["size"] for c in one["clusters"]], clusters["size"][:], f"{one['name']}: sizes")
        same([c["center_pose"] for c in one["clusters"]], clusters["center"][:] + 1, f"{one['name']}: centres")
    count = min(100, len(docking["consensus/score"]))
    contacts, wanted = shown["contacts"], contacts_of(docking, range(count))
    check(contacts["poses"] == count and sum(wanted[0]) > 0, "no contacts were counted")
    for partner, counts in zip(("receptor", "ligand"), wanted):
        same([one["poses"] for one in contacts[partner]], counts, f"contacts of the {partner}")
        atoms = shown["structures"][partner].splitlines()[:-1]
        places = [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in atoms]
        check(numpy.allclose(places, positions_of(docking, partner)[0], atol=6e-4), f"other atoms of the {partner}")
    for one in shown["shown"]:
        pose, matrix = one["pose"] - 1, numpy.array(one["placement"])
        turned = rotation_matrix(*docking["consensus/rotation"][pose])
        check(numpy.allclose(matrix[:, :3], turned, atol=1e-12), "another rotation")
        shift = docking["consensus/translation"][pose] - turned @ docking["ligand_center"][:]
        check(numpy.allclose(matrix[:, 3], shift, atol=1e-9), "another shift")
    same([row["score"] for row in data["table"]], docking["consensus/score"][:100], "table")


def check_orbital(data, file):
    orbital = data["orbital"]
    same([row["energy_hartree"] for row in data["table"]], file["orbitals/energies"][0], "energies")
    nuclei = [one["position"] for one in orbital["nuclei"]]
    check(numpy.allclose(nuclei, file["frames/1/positions"][:] * BOHR, rtol=1e-14), "other nuclei")
    labels = list(file["orbitals/labels"].asstr())
    stored_grids = dict(zip(labels, file["orbitals/values"][0]), density=file["density/values"][0])
    if "mean_density" in file:
        stored_grids["mean_density"] = file["mean_density/values"][:]
    check([grid["label"] for grid in orbital["grids"]] == list(stored_grids), "other grids")
    for grid in orbital["grids"]:
        stored = stored_grids[grid["label"]]
        step = grid["step"]
        values = numpy.frombuffer(base64.b64decode(grid["values"]), "<i2") * grid["unit"]
        wanted = stored[::step, ::step, ::step]
        check(grid["shape"] == list(wanted.shape[::-1]), f"{grid['label']}: shape {grid['shape']}")
        worst = numpy.abs(values - wanted.ravel()).max()
        check(worst <= 0.51 * grid["unit"], f"{grid['label']}: {worst} off")
        check(numpy.allclose(grid["spacing"], file["orbitals/spacing"][:] * BOHR * step), "another spacing")


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
    check([grid["label"] for grid in orbital["grids"]] == ["1", "2", "3", "4"], "other grids")
    check(orbital["left_out"] == ["5", "6", "7", "density"], f"left out: {orbital['left_out']}")


def check_other_dockings(program, folder):
    """Results of rescore and of dock --pairs, and those that lack what earlier versions did not write."""
    made = run(program, "rescore", "dock.h5", "--clusters", "2", "-o", "rescored.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "rescored")
    with h5py.File(folder / "rescored.h5") as file:
        check_docking(data, file)
        check(data["facts"]["run"]["docking_command_line"] == file["run"].attrs["docking_command_line"], "origin")
    (folder / "table.csv").write_text("name,receptor,ligand\none,receptor.pdb,ligand.pdb\n")
    made = run(program, "dock", "--pairs", "table.csv", "-o", "many", *small_results.DOCK[3:], "--device", "openmp",
               cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "many/one")
    with h5py.File(folder / "many/one.h5") as file:
        check_docking(data, file)
    with h5py.File(folder / "rescored.h5", "a") as file:
        del file["docking/receptor"], file["docking/ligand"], file["docking/consensus"]
        for name in ("config", "warnings", "command"):
            file["run"].attrs.pop(name, None)
    (folder / "rescored.h5").rename(folder / "old.h5")
    docking = report(program, folder, "old")["docking"]
    check("structures" not in docking and "contacts" not in docking, "structures from nowhere")
    check("consensus" not in [one["name"] for one in docking["lists"]], "a consensus from nowhere")


def lengthen(group, former, poses):
    """Repeats the rows of all datasets that have a row for each of the former poses."""
    for name, dataset in list(group.items()):
        if isinstance(dataset, h5py.Dataset) and len(dataset) == former:
            values, attributes = dataset[:], dict(dataset.attrs)
            del group[name]
            repeated = values[numpy.arange(poses) % former]
            group[name] = numpy.sort(repeated) if name.endswith("score") else repeated
            group[name].attrs.update(attributes)


def check_size_of_default(program, folder):
    """A page of four judged lists of 2,000 poses and a judged consensus of 10,000 leaves room for the atoms of large
    proteins (81 bytes each) below 5 MiB. The poses of a small result are repeated."""
    made = run(program, "rescore", "dock.h5", "--reference", "complex.pdb", "-o", "large.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    with h5py.File(folder / "large.h5", "a") as file:
        docking = file["docking"]
        sets = list(docking["poses"])
        for poses, group in [(2000, f"poses/{name}") for name in sets] + [(10000, "consensus")]:
            former = len(docking[f"{group}/score"])
            lengthen(docking[group], former, poses)
            lengthen(docking[group.replace("poses/", "evaluation/").replace("consensus", "consensus/evaluation")], former,
                     poses)
    docking = report(program, folder, "large")["docking"]
    check(len(docking["lists"]) == len(sets) + 1 == 5, "lists")
    check(all(len(one["score"]) == len(one["rmsd"]) == 2000 for one in docking["lists"]), "poses are missing")
    size = (folder / "large.html").stat().st_size
    check(size + 81 * 20000 < LARGEST, f"a page like that of a default docking has {size} bytes")
    print(f"a page with the poses of a default docking: {size / 1e6:.2f} MB")


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
        small_results.make(program, folder)
        made = run(program, "orbital", small_results.ORBITAL[1], "--orbitals", "HOMO", "--spacing", "0.3",
                   "--isosurface", "0.05", "--device", "openmp", "-o", "mesh.h5", cwd=folder)
        check(made.returncode == 0, made.stderr)
        checks = {"dock": check_docking, "orbital": check_orbital, "mesh": check_mesh, "likelihood": check_wedges,
                  "fit": check_fit}
        for kind, check_kind in checks.items():
            data = report(program, folder, kind)
            with h5py.File(folder / f"{kind}.h5") as file:
                check_facts(data, file)
                check_kind(data, file)
            print(f"{kind}: the page has what the file has")
        check_left_out(program, folder)
        check_other_dockings(program, folder)
        check_size_of_default(program, folder)
        check_hostile(program, folder)
        check_refusals(program, folder)
    print("passed")


main()
