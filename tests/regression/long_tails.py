#!/usr/bin/env python3
"""A few residues that enlarge the grid: `tessera plan` and `tessera dock` say which, and what they cost, and the sizes
are those of the proteins with and without them. Without such a tail nobody is warned.
Usage: long_tails.py PATH/OF/tessera"""

import json
import pathlib
import re
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

OPTIONS = ("--rotations", "24", "--spacing", "3", "--coefficients", "vdw", "--refine", "0", "--device",
           small_runs.device())
WARNING = re.compile(r"(\d+) of 408 residues of the receptor \(A (\d+)-408\) stick out and enlarge the grid from "
                     r"(\d+)\^3 to (\d+)\^3 points, ([\d.]+) times the work: [^\n]*remove")


def write_files(folder):
    """A globule of 368 residues, alone and with a tail of 40 that is stretched out along x."""
    body = [("LEU", place) for place in tessera_runs.globule(19.0)]
    edge = max(place[0] for _, place in body)
    tail = [("ASP", (edge + 3.5 * (i + 1), 0.4 * (i % 2), 0.0)) for i in range(40)]
    ligand = [("LYS", place) for place in tessera_runs.globule(12.0)]
    for name, residues, chain in (("body", body, "A"), ("tailed", body + tail, "A"), ("ligand", ligand, "B")):
        (folder / f"{name}.pdb").write_text("\n".join([*tessera_runs.pdb_lines(residues, chain), "END", ""]))
    check(len(body + tail) == 408, "another globule")
    (folder / "pairs.csv").write_text("name,receptor,ligand\none,tailed.pdb,ligand.pdb\nplain,body.pdb,ligand.pdb\n"
                                      "lost,none.pdb,ligand.pdb\ntwo,body.pdb,tailed.pdb\n")
    (folder / "one.csv").write_text("name,receptor,ligand\none,tailed.pdb,ligand.pdb\n")


class Tails:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def ran(self, *words):
        result = run(self.program, *words, *OPTIONS, cwd=self.folder)
        check(result.returncode == 0, f"{words}: {result.stderr}")
        return result

    def plan(self, receptor, *more):
        return json.loads(self.ran("plan", "dock", receptor, "ligand.pdb", "--json", *more).stdout)

    def check_plan(self):
        """Returns the warning."""
        tailed, body = self.plan("tailed.pdb"), self.plan("body.pdb")
        sizes = [re.search(r"grid: (\d+)\^3", " ".join(plan["notes"])) for plan in (body, tailed)]
        (line,) = [line for line in tailed["notes"] if line.startswith("warning:")]
        said = WARNING.search(line)
        check(said, f"plan says '{line}'")
        check([said[3], said[4]] == [size[1] for size in sizes], f"other sizes than {sizes}: {line}")
        check(25 <= int(said[1]) <= 40 and int(said[2]) == 409 - int(said[1]), f"other residues: {line}")
        check(abs(float(said[5]) / (int(said[4]) / int(said[3])) ** 3 - 1) < 0.05, f"another cost: {line}")
        check("warning" not in " ".join(body["notes"]), f"plan warns of a globule: {body['notes']}")
        return line

    def check_pairs_plan(self, line):
        """Each pair with a tail is named, with the warning of its own plan."""
        plan = json.loads(self.ran("plan", "dock", "--pairs", "pairs.csv", "--json").stdout)
        warned = {said[1]: said[2] for said in (re.match(r"warning: pair (\w+): (.+)", note) for note in plan["notes"]) if said}
        check(list(warned) == ["one", "two"], f"pairs are warned of as {warned}")
        check(warned["one"] == line.removeprefix("warning: "), f"{warned['one']} instead of {line}")
        check(re.match(r"\d+ of 408 residues of the ligand \(A \d+-408\) stick out", warned["two"]), f"{warned['two']}")
        check(any(note.startswith("pair lost fails") for note in plan["notes"]), f"notes: {plan['notes']}")
        text = self.ran("plan", "dock", "--pairs", "pairs.csv").stdout
        check(all(f"warning: pair {name}: {said}" in text for name, said in warned.items()), f"the plan says {text}")
        chosen = self.ran("plan", "dock", "--pairs", "pairs.csv", "--grid", "80").stdout
        check("stick out" not in chosen, f"a grid that was chosen is warned of: {chosen}")

    def check_dock(self, line):
        result = self.ran("dock", "tailed.pdb", "ligand.pdb", "-o", "run.h5")
        check(line in result.stderr.splitlines(), f"dock says {result.stderr}")
        with h5py.File(self.folder / "run.h5") as file:
            check(list(file["run/warnings"].asstr() if "run/warnings" in file else file["run"].attrs["warnings"]) ==
                  [line.removeprefix("warning: ")], "the result does not keep the warning")
        self.ran("dock", "--pairs", "one.csv", "-o", "many", "--quiet")
        check("stick out" in (self.folder / "many/pairs.csv").read_text(), "the table of pairs has no warning")
        chosen = self.ran("dock", "tailed.pdb", "ligand.pdb", "--grid", "80", "--quiet", "-o", "chosen.h5")
        check("stick out" not in chosen.stderr, "a grid that was chosen is warned of")


def main():
    with tempfile.TemporaryDirectory(prefix="tessera-tails-") as name:
        tails = Tails(sys.argv[1], pathlib.Path(name))
        write_files(tails.folder)
        line = tails.check_plan()
        tails.check_pairs_plan(line)
        tails.check_dock(line)
    print("tails that enlarge the grid are told of")


if __name__ == "__main__":
    main()
