#!/usr/bin/env python3
"""Every call on files fails once in turn: each open, read, write, sync, rename and removal in the run's folder,
as on a disk that is full, fails, or lies behind a network. The run ends whole and right, or with one line, an exit
code that is not 0 and progress that the same command goes on with; never complete and wrong.
Usage: failing_files.py PATH/OF/tessera [--runs N | --every] [--case NAME ...]"""

import argparse
import collections
import concurrent.futures
import errno
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, patience  # noqa: E402

LIBRARY = os.environ.get("TESSERA_FAILING_FILES", "")
FULL, STAYS_FULL, BROKEN, STALE = str(errno.ENOSPC), f"{errno.ENOSPC}+", str(errno.EIO), str(errno.ESTALE)
FAULTS = collections.defaultdict(lambda: (BROKEN,), {
    "open": (BROKEN, STALE), "create": (FULL, STAYS_FULL, BROKEN, STALE), "read": (BROKEN, STALE, "short", "end"),
    "write": (FULL, STAYS_FULL, BROKEN, "short"), "fwrite": (FULL, "short"), "fclose": (FULL, BROKEN), "close": (FULL, BROKEN),
    "fsync": (FULL, BROKEN), "fdatasync": (FULL, BROKEN), "ftruncate": (FULL, BROKEN), "mkdir": (FULL, BROKEN),
    "rename": (FULL, BROKEN, STALE), "stat": (STALE,), "lstat": (STALE,), "fstat": (STALE,), "access": (STALE,),
    "flock": (str(errno.ENOLCK), BROKEN)})

DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--coefficients", "my.sets", "--spacing", "3", "--grid", "32", "--terms",
        "1", "--rotation-file", "my.rot", "--poses", "200", "--report", "0")
GRIDS = ("orbital", "water.molden", "--orbitals", "HOMO,1:4", "--spacing", "0.3", "--grids", "--density")
LIKELIHOOD = ("likelihood", "1.toml", "2.toml", "--stars", "1.stars", "2.stars")

# `killed`: begun by a run that was killed after so many tiles; `rank`: whose calls fail, of several
Case = collections.namedtuple("Case", "words ranks killed rank", defaults=(0, 0, ""))
CASES = {
    "dock": Case(DOCK),
    "refine": Case((*DOCK, "--refine", "200")),
    "norms": Case((*GRIDS[:6], "--norms-only")),
    "grids": Case(GRIDS),
    "packed": Case((*GRIDS, "--compress", "6")),
    "surface": Case((*GRIDS[:6], "--isosurface", "0.05")),
    "exact": Case((*LIKELIHOOD, "--integration", "exact")),
    "compressed": Case((*LIKELIHOOD, "--integration", "compressed")),
    "fit": Case(("fit", "1.toml", "--stars", "1.stars", "--population", "8", "--generations", "2", "--variations",
                 "0", "--tolerance", "1e-4")),
    "pairs": Case(("dock", "--pairs", "table.csv", *DOCK[3:-2])),
    "rescore": Case(("rescore", "refined.h5", "--cluster-radius", "6", "--report", "0")),
}
CASES |= {f"{name}-resumed": CASES[name]._replace(killed=1)
          for name in ("dock", "refine", "grids", "packed", "surface", "exact", "fit", "pairs")}
CASES |= {f"{name}-2-ranks": CASES[name]._replace(ranks=2, rank="0") for name in ("dock", "grids", "packed")}
CASES |= {f"{name}-rank-1": CASES[name]._replace(ranks=2, rank="1") for name in ("dock", "grids", "packed", "exact")}

Fault = collections.namedtuple("Fault", "case number call path how")


def write_inputs(program, folder):
    folder.mkdir()
    small_runs.write_inputs(folder)
    rotations = (folder / "my.rot").read_text().splitlines()[:400]
    (folder / "my.rot").write_text("\n".join(rotations) + "\n")
    for name in ("receptor", "ligand"):  # more than is read at once
        lines = (folder / f"{name}.pdb").read_text().splitlines()
        (folder / f"{name}.pdb").write_text("\n".join([*lines[:120], "END", ""]))
        (folder / f"small-{name}.pdb").unlink()
    shutil.copy(small_runs.WATER, folder / "water.molden")
    (folder / "table.csv").write_text("name,receptor,ligand\none,receptor.pdb,ligand.pdb\n"
                                      "two,ligand.pdb,receptor.pdb\n")
    for name in ("0.toml", "0.stars", "complex.pdb"):
        (folder / name).unlink()
    result = tessera_runs.run(program, *CASES["refine"].words, "-o", "refined.h5", cwd=folder)
    check(result.returncode == 0, result.stderr)


def may_end(path):
    """HDF5 takes zeros for what it misses of its own file, which nothing but a disk that lies cuts short."""
    return ".partial/" in path and not path.endswith("result.h5")


class Runner:
    """Runs of one case, each in a folder of its own."""

    def __init__(self, program, place, name):
        self.program, self.place, self.name, self.case = program, place, name, CASES[name]
        self.output = "out" if "pairs" in name else "out.h5"
        self.begun = self.place / f"{name}-begun"
        shutil.copytree(place / "inputs", self.begun)
        if self.case.killed:
            self.run(self.begun, os.environ["TESSERA_FAULTY"],
                     TESSERA_TEST_FAULTS=f"*/kill-after/{self.case.killed}")
            check(list(self.begun.glob("out*")), f"{name}: nothing was begun")
        folder, result = self.copy("whole"), None
        log = place / f"{name}.log"
        result = self.run(folder, **self.orders(folder, log, 0))
        check(result.returncode == 0, f"{name}: exit code {result.returncode}\n{result.stderr}")
        self.inputs = {path.name for path in (place / "inputs").iterdir()}
        self.reference = self.answers(folder)
        calls = [line.split(" ", 2) for line in log.read_text().splitlines()]
        self.faults = [Fault(name, int(number), call, os.path.relpath(path, folder), how)
                       for number, call, path in calls for how in FAULTS[call]
                       if how != "end" or may_end(path)]

    def copy(self, name):
        folder = self.place / f"{self.name}-{name}"
        shutil.copytree(self.begun, folder)
        return folder

    def run(self, folder, program=None, **variables):
        words = [program or self.program, *self.case.words, "-o", self.output]
        return tessera_runs.run(*words, ranks=self.case.ranks, cwd=folder,
                                environment={"OMP_NUM_THREADS": "1", "TESSERA_LOCK_PATIENCE": "0.3", **variables})

    def orders(self, folder, log, number, how=""):
        return {"LD_PRELOAD": LIBRARY, "TESSERA_FAIL_FOLDER": str(folder), "TESSERA_FAIL_LOG": str(log),
                "TESSERA_FAIL_AT": str(number), "TESSERA_FAIL_WITH": how,
                "TESSERA_FAIL_RANK": self.case.rank}

    def results(self, folder):
        return sorted((folder / "out").glob("*.h5")) if self.output == "out" else list(folder.glob("out.h5"))

    def answers(self, folder):
        return {path.name: answer(path, None) for path in self.results(folder)}

    def expect_right(self, folder, what, all_of_them):
        found = self.answers(folder)
        check(not all_of_them or found.keys() == self.reference.keys(), f"{what}: only {sorted(found)}")
        for name, one in found.items():
            other = self.reference[name]
            different = sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
            check(not different, f"{what}: {name} is there and differs in {different}")

    def expect_line(self, result, what):
        lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
        check(result.returncode in (2, 4), f"{what}: exit code {result.returncode}\n{result.stderr}")
        check(len(lines) == 1, f"{what}: not one line\n{result.stderr}")
        check("(Success)" not in lines[0] and "Success:" not in lines[0], f"{what}: {lines[0]}")
        return lines[0]

    def expect_whole_again(self, folder, what):
        """The same command, without a fault."""
        result = self.run(folder)
        check(result.returncode == 0, f"{what}, then again: exit code {result.returncode}\n{result.stderr}")
        self.expect_right(folder, f"{what}, then again", True)
        left = {path.name for path in folder.iterdir()} - self.inputs
        check(left == {self.output}, f"{what}, then again: left behind {sorted(left)}")

    def disturb(self, fault):
        """What a run with the fault says; None where it is whole all the same."""
        place = self.copy(f"{fault.number}-{fault.how}")
        log = place.with_suffix(".log")
        result = self.run(place, **self.orders(place, log, fault.number, fault.how))
        failed = log.read_text().strip() if log.exists() else "no call"
        what = f"{fault.case}, fault {fault.how}: {failed.replace(str(place), '')}"
        line = None
        if result.returncode == 0:
            self.expect_right(place, what, True)
        else:
            line = self.expect_line(result, what)
            self.expect_right(place, what, False)
            if len(self.results(place)) < len(self.reference) and "rename it" not in line:
                self.expect_whole_again(place, what)
        shutil.rmtree(place)
        return line


def attempt(runner, fault):
    try:
        return runner.disturb(fault)
    except SystemExit as failed:
        return failed
    except subprocess.TimeoutExpired:
        return SystemExit(f"FAILED: {fault}: it hangs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=100, help="so many faults, evenly spread over all")
    parser.add_argument("--every", action="store_true", help="every call in every way")
    parser.add_argument("--only", default="", help="only calls whose name and path hold this")
    parser.add_argument("--case", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--lines", action="store_true", help="tell what each run said")
    options = parser.parse_args()
    if not LIBRARY:
        print("skipped: a sanitized program bears no library before its own")
        sys.exit(tessera_runs.SKIPPED)
    place = pathlib.Path(tempfile.mkdtemp(prefix="tessera-failing-")).resolve()
    try:
        write_inputs(options.program, place / "inputs")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runners = dict(zip(options.case, pool.map(lambda name: Runner(options.program, place, name),
                                                      options.case)))
            faults = [fault for runner in runners.values() for fault in runner.faults
                      if options.only in f"{fault.call} {fault.path}"]
            faults = faults[::1 if options.every else max(1, len(faults) // options.runs)]
            told = list(pool.map(lambda fault: attempt(runners[fault.case], fault), faults))
        wrong = [str(line) for line in told if isinstance(line, SystemExit)]
        if options.lines:
            for fault, line in zip(faults, told):
                print(*fault, "->", line)
        check(not wrong, "\n".join([f"{len(wrong)} of {len(faults)} runs", *wrong]))
        ended = sum(line is not None for line in told)
        print(f"{len(faults)} runs with a fault: {ended} ended with one line and went on to the same bytes, "
              f"{len(faults) - ended} were whole and right")
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
