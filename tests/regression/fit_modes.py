#!/usr/bin/env python3
"""Every method of tessera fit, in every way to evaluate, has the same bytes on 1, 2, 3 and 5 ranks, and
after it was killed with SIGKILL on one number of ranks and gone on with on another.
Usage: fit_modes.py PATH/OF/tessera [METHOD [EVALUATION]]"""

import itertools
import pathlib
import random
import re
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from killed_runs import HEAD, KilledRun  # noqa: E402
from likelihood_files import SMALL_WEDGE  # noqa: E402
from tessera_runs import answer, check, in_folder_on_ranks, patience, run  # noqa: E402

WEDGE = 'turnoff = "newby2011"\n' + SMALL_WEDGE + """[[area]]
r = { min = 17.0, max = 22.0, steps = 4 }
mu = { min = 10, max = 12, steps = 2 }
nu = { min = -1.25, max = 0, steps = 2 }
[fit]
population = 12
generations = 12
variations = 1
free = ["stream1.epsilon", "stream1.mu", "stream1.r"]
[fit.bounds]
"stream1.epsilon" = [-4, 2]
"""
METHODS = ("differential-evolution", "particle-swarm", "quasi-newton")
EVALUATIONS = {"compressed": (), "exact": ("--integration", "exact"),
               "single": ("--integration", "exact", "--precision", "single-compensated")}
RANKS = (1, 2, 3, 5)
GROUPS = ("fit", "likelihood")
GOES_ON = re.compile(r"goes on after (\d+) batches")


class Mode:
    """One method with one way to evaluate."""

    def __init__(self, program, folder, method, evaluation):
        self.folder, self.name = folder, f"{method}-{evaluation}"
        self.command = [program, "fit", "wedge.toml", "--stars", "stars.txt", "--device", "openmp", "--method",
                        method, *EVALUATIONS[evaluation]]

    def finish(self, output, ranks):
        result = run(*self.command, "-o", output, ranks=ranks, cwd=self.folder)
        check(result.returncode == 0, f"{output}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
        check(not (self.folder / f"{output}.partial").exists(), f"{output}: the folder of a whole fit is there")
        return result.stderr

    def check_same(self, output, what):
        other = answer(self.folder / output, GROUPS)
        different = sorted(key for key in self.reference.keys() | other.keys()
                           if self.reference.get(key) != other.get(key))
        check(not different, f"{self.name}, {what}: different {different}")

    def check_ranks(self):
        self.finish(f"{self.name}1.h5", 1)
        self.reference = answer(self.folder / f"{self.name}1.h5", GROUPS)
        for ranks in RANKS[1:]:
            self.finish(f"{self.name}{ranks}.h5", ranks)
            self.check_same(f"{self.name}{ranks}.h5", f"1 and {ranks} ranks")

    def killed(self, output, ranks, bytes_written):
        """Whether a run could be killed once its journal had grown to so much."""
        scratch = self.folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        process = KilledRun([*self.command, "-o", output], ranks, self.folder, scratch)
        journal, latest = self.folder / f"{output}.partial" / "evaluations", time.monotonic() + patience(60)
        while not process.ended() and time.monotonic() < latest:
            try:
                if journal.stat().st_size >= bytes_written:
                    break
            except FileNotFoundError:
                pass
            time.sleep(0.001)
        running = not process.ended()
        process.kill(one_rank=random.random() < 0.3)
        return running and not (self.folder / output).exists()

    def check_resumed(self, before, after):
        output = f"{self.name}-resumed.h5"
        for _ in range(8):
            if self.killed(output, before, HEAD + random.randint(130, 6000)):
                break
            shutil.rmtree(self.folder / f"{output}.partial", ignore_errors=True)
            (self.folder / output).unlink(missing_ok=True)
        else:
            check(False, f"{self.name}: could not be killed in time")
        told = GOES_ON.search(self.finish(output, after))
        check(told, f"{self.name}: it began anew")
        self.check_same(output, f"killed on {before} ranks after {told[1]} batches, resumed on {after}")
        (self.folder / output).unlink()
        return int(told[1])


def check_all(program, folder):
    (folder / "wedge.toml").write_text(WEDGE)
    result = run(program, "simulate", "wedge.toml", "--number", "300", "--seed", "4", "-o", "stars.txt", cwd=folder)
    check(result.returncode == 0, result.stderr)
    methods = sys.argv[2:3] or METHODS
    changes = itertools.cycle([(3, 1), (1, 5), (2, 3), (5, 2)])
    for method, evaluation in itertools.product(methods, sys.argv[3:4] or EVALUATIONS):
        start = time.monotonic()
        mode = Mode(program, folder, method, evaluation)
        mode.check_ranks()
        before, after = next(changes)
        batches = mode.check_resumed(before, after)
        print(f"{mode.name}: the same on {RANKS} ranks, and killed on {before} and resumed on {after} after "
              f"{batches} batches ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(sys.argv[1], check_all))
