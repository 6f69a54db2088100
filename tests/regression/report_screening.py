#!/usr/bin/env python3
"""`tessera report FOLDER` of a screening: the page has the numbers of screen.csv, the best pairs first, and stays small
however many pairs there are. Pages of parts, of folders without poses and of tables that cannot be used.
Usage: report_screening.py PATH/OF/tessera"""

import csv
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from report_pages import report  # noqa: E402
from tessera_runs import check, run  # noqa: E402

OPTIONS = ("--spacing", "4", "--rotations", "24", "--clustered-poses", "20", "--device", "serial", "--quiet")


def table_of(folder):
    with open(folder / "screen.csv", newline="") as file:
        return list(csv.DictReader(file))


def screen(program, folder):
    """Two receptors and three ligands; the last ligand cannot be read, so two pairs fail."""
    tessera_runs.write_pair(folder)
    (folder / "broken.pdb").write_text("no structure\n")
    (folder / "receptors.csv").write_text("file,name\nreceptor.pdb,<b>one\nligand.pdb,two\n")
    (folder / "ligands.csv").write_text("name,file\nligand,ligand.pdb\nother,receptor.pdb\nbroken,broken.pdb\n")
    made = run(program, "screen", "receptors.csv", "ligands.csv", "-o", "screening", *OPTIONS, cwd=folder)
    check("2 of 6" in made.stderr or made.returncode != 0, f"all pairs are done? {made.stderr}")
    rows = table_of(folder / "screening")
    check(sorted(row["status"] for row in rows) == ["done"] * 4 + ["failed"] * 2, f"{rows}")
    return rows


def check_histogram(screening, scores):
    histogram = screening["histogram"]
    counts = histogram["counts"]
    edges = histogram["from"] + histogram["width"] * numpy.arange(len(counts) + 1)
    check(len(counts) <= 61 and counts[0] > 0 and counts[-1] > 0, f"{len(counts)} bars")
    # Scores on an edge may count on either side.
    for shift in (-1e-9, 1e-9):
        wanted = numpy.searchsorted(numpy.sort(scores), edges + shift)
        found = numpy.concatenate([[0], numpy.cumsum(counts)])
        slack = numpy.searchsorted(numpy.sort(scores), edges + 1e-9) - numpy.searchsorted(numpy.sort(scores), edges - 1e-9)
        check((numpy.abs(found - wanted) <= slack).all(), f"counts {counts}")
    check(sum(counts) == len(scores), f"{sum(counts)} of {len(scores)} scores are counted")


def check_page(data, rows, score):
    screening = data["screening"]
    done = [row for row in rows if row["status"] == "done"]
    best = sorted(done, key=lambda row: -float(row[score]))[:1000]
    check(screening["score"] == score and len(screening["rows"]) == len(best), f"{len(screening['rows'])} rows")
    for shown, row in zip(screening["rows"], best):
        check((shown["receptor"], shown["ligand"]) == (row["receptor"], row["ligand"]), f"{shown} instead of {row}")
        for name in set(shown) - {"receptor", "ligand"}:
            check(shown[name] == float(row[name]), f"{name}: {shown} instead of {row}")
    wanted = {"receptors": len({row["receptor"] for row in rows}), "ligands": len({row["ligand"] for row in rows}),
              "pairs": len(rows), "done": len(done), "failed": sum(row["status"] == "failed" for row in rows)}
    check({name: screening[name] for name in wanted} == wanted, f"{wanted}: {screening}")
    check_histogram(screening, [float(row[score]) for row in done])
    known = {(row["receptor"], row["ligand"]): float(row[score]) for row in done}
    table = screening["map"]
    check([[known.get((r, l)) for l in table["ligands"]] for r in table["receptors"]] == table["scores"], "the map")


def check_screening(program, folder):
    rows = screen(program, folder)
    data = report(program, folder, "page", "screening/")
    check_page(data, rows, "interaction")
    screening, facts = data["screening"], data["facts"]
    check(screening["map"]["receptors"] == ["<b>one", "two"] and screening["part"] == "1/1", f"{screening}")
    check([one["ligand"] for one in screening["failures"]] == ["broken"] * 2 and
          all("broken.pdb" in one["reason"] for one in screening["failures"]), f"{screening['failures']}")
    check(facts["workload"] == "screening" and "screen receptors.csv ligands.csv" in facts["run"]["command_line"],
          f"{facts['run']['command_line']}")
    check(facts["run"]["input"]["rotations"] == 24 and "input_sha256" not in facts["run"], f"{facts['run']}")
    check(re.fullmatch("[0-9a-f]{64}", facts["table_sha256"]) and facts["run"]["device_kinds"], f"{facts}")
    check("<b>one" not in re.sub(r'(?s)id="data">.*?</script>', "", (folder / "page.html").read_text()), "markup")
    print("the page has what the table has")


def check_part(program, folder):
    """Its pairs are not compared with others."""
    made = run(program, "screen", "receptors.csv", "ligands.csv", "--pairs-per-shard", "2", "--part", "1/3", "-o",
               "part", *OPTIONS, cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "part", "part")
    check(data["screening"]["part"] == "1/3" and data["screening"]["map"] is None, f"{data['screening']}")
    check(data["screening"]["score"] == "cluster_z" and len(data["screening"]["rows"]) == 2, f"{data['screening']}")


def check_large(program, folder):
    """More pairs than a page shows, and no poses."""
    shutil.copytree(folder / "screening", folder / "large")
    shutil.rmtree(folder / "large/poses")
    header = (folder / "screening/screen.csv").read_text().splitlines()[0]
    numbers = numpy.random.default_rng(5).normal(size=(230, 210)).round(4)
    with open(folder / "large/screen.csv", "w", newline="") as file:
        file.write(header + "\n")
        table = csv.DictWriter(file, header.split(","), restval="", lineterminator="\n")
        for i, j in numpy.ndindex(numbers.shape):
            table.writerow({"receptor": f"receptor{i}", "ligand": f"ligand{j}", "status": "done", "best_score": -i,
                            "cluster_z": 2.5, "cluster_size": j, "receptor_z": 0.5, "ligand_z": -0.5,
                            "interaction": numbers[i, j], "rank": j + 1})
        file.write("receptor0,torn,done,")  # as a kill leaves it
    rows = table_of(folder / "large")[:-1]
    data = report(program, folder, "large", "large")
    check_page(data, rows, "interaction")
    table = data["screening"]["map"]
    check(len(table["receptors"]) == len(table["ligands"]) == 200, "the size of the map")
    of_receptors = numbers.max(axis=1)
    check(table["receptors"] == [f"receptor{i}" for i in numpy.argsort(-of_receptors, kind="stable")[:200]], "its rows")
    check(data["facts"]["run"]["input"]["rotations"] == 24 and data["facts"]["version"], f"{data['facts']}")


def check_refusals(program, folder):
    def refused(pattern, *words):
        result = run(program, "report", *words, cwd=folder)
        check(result.returncode == 2 and re.fullmatch(r"tessera: [^\n]+ \(.+\): [^\n]+\n", result.stderr) and
              re.search(pattern, result.stderr), f"{words}: {result.returncode}, {result.stderr!r}")

    refused("exists already", "screening", "-o", "page.html")
    refused("exists already|did not write", "screening", "-o", "screening/screen.csv", "--force")
    check(run(program, "report", "screening", "-o", "page.html", "--force", cwd=folder).returncode == 0, "--force")
    refused("table of a screening", "screening/screen.csv", "-o", "new.html")
    for text, words in (("name,status\n", "another table"), ("", "missing or empty"),
                        ((folder / "large/screen.csv").read_text().replace("receptor7,", "receptor7,,", 1), "line 1472 .*fields")):
        (folder / "large/screen.csv").write_text(text)
        refused(words, "large", "-o", "new.html")
    good = json.loads((folder / "screening/screen.json").read_text())
    for bad in ({"program": "tessera screen"}, good | {"pairs_per_shard": 0}, good | {"pairs_per_shard": -1}):
        (folder / "large/screen.json").write_text(json.dumps(bad))
        refused("screen.json", "large", "-o", "new.html")
    (folder / "large/screen.json").unlink()
    refused("is a folder", "large", "-o", "new.html")
    check(not (folder / "new.html").exists(), "a page was written")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-report-") as name:
        folder = pathlib.Path(name)
        check_screening(program, folder)
        check_part(program, folder)
        check_large(program, folder)
        check_refusals(program, folder)
    print("passed")


main()
