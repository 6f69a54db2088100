"""Runs in which one call on files fails, by the library failing_files.cpp, and what must come of them."""

import collections
import errno
import os
import shutil
import subprocess

import tessera_runs
from tessera_runs import answer, check, own_lines

LIBRARY = os.environ.get("TESSERA_FAILING_FILES", "")
FULL, STAYS_FULL, BROKEN, STALE = str(errno.ENOSPC), f"{errno.ENOSPC}+", str(errno.EIO), str(errno.ESTALE)
FAULTS = collections.defaultdict(lambda: (BROKEN,), {
    "open": (BROKEN, STALE), "create": (FULL, STAYS_FULL, BROKEN, STALE), "read": (BROKEN, STALE, "short", "end"),
    "write": (FULL, STAYS_FULL, BROKEN, "short"), "fwrite": (FULL, "short"), "fclose": (FULL, BROKEN),
    "close": (FULL, BROKEN), "fsync": (FULL, BROKEN), "fdatasync": (FULL, BROKEN), "ftruncate": (FULL, BROKEN),
    "mkdir": (FULL, BROKEN), "rename": (FULL, BROKEN, STALE), "stat": (STALE,), "lstat": (STALE,), "fstat": (STALE,),
    "access": (STALE,), "flock": (str(errno.ENOLCK), BROKEN)})

# `killed`: begun by a run that was killed after so many tiles; `rank`: whose calls fail, of several
Case = collections.namedtuple("Case", "words ranks killed rank", defaults=(0, 0, ""))
Fault = collections.namedtuple("Fault", "case number call path how")


def may_end(path):
    """HDF5 takes zeros for what it misses of its own file, which nothing but a disk that lies cuts short."""
    return ".partial/" in path and not path.endswith("result.h5")


class Runner:
    """Runs of one case, each in a folder of its own."""

    def __init__(self, program, place, name, case):
        self.program, self.place, self.name, self.case = program, place, name, case
        self.output = "out" if "pairs" in name else "out.h5"
        self.begun = self.place / f"{name}-begun"
        shutil.copytree(place / "inputs", self.begun)
        if self.case.killed:
            self.run(self.begun, os.environ["TESSERA_FAULTY"],
                     TESSERA_TEST_FAULTS=f"*/pause/0.2,*/kill-after/{self.case.killed}")
            kept = list(self.begun.glob("out*/tiles-*")) + list(self.begun.glob("out*/evaluations"))
            check(kept or "pairs" in name, f"{name}: nothing was begun")
        folder, log = self.copy("whole"), place / f"{name}.log"
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
