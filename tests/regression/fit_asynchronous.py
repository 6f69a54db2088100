#!/usr/bin/env python3
"""`tessera fit --asynchronous` finds the maximum of the search in generations on 1, 2 and 3 ranks, goes on after a stop
and a kill, and finds the wrong values that one rank gives on order.
Usage: fit_asynchronous.py PATH/OF/tessera"""

import math
import os
import pathlib
import re
import signal
import sys
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from killed_runs import HEAD, KilledRun  # noqa: E402
from likelihood_files import SMALL_WEDGE  # noqa: E402
from tessera_runs import check, in_folder_on_ranks, own_lines, patience, run  # noqa: E402

WEDGE = SMALL_WEDGE + """[fit]
population = 16
generations = 25
variations = 0
free = ["stream1.epsilon", "stream1.mu", "stream1.r"]
[fit.bounds]
"stream1.epsilon" = [-4, 2]
"""
STARS = 400
FIT = ("fit", "wedge.toml", "--stars", "stars.txt", "--device", "openmp")
GOES_ON = re.compile(r"goes on after (\d+) batches")
LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
RECORD = 16 + 32  # bytes of a point in the journal of a search, with its frame


class Result:
    def __init__(self, path):
        with h5py.File(path) as file:
            fit = file["fit"]
            self.attributes = dict(fit.attrs)
            self.best, self.errors = fit["best"][:], fit["standard_errors"][:]
            self.evaluated = file["likelihood"].attrs["search_likelihood"]
            self.warnings = [str(line) for line in file["run"].attrs.get("warnings", [])]
            group = fit.get("asynchronous_search")
            self.ranks = {name: values[:].tolist() for name, values in group.items()} if group else {}


class Fits:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        (folder / "wedge.toml").write_text(WEDGE)
        self.ran(program, "simulate", "wedge.toml", "--number", str(STARS), "--seed", "4", "-o", "stars.txt")
        self.ran(program, *FIT, "-o", "generations.h5")
        self.reference = Result(folder / "generations.h5")
        check("asynchronous" not in self.reference.attributes, "a search in generations calls itself asynchronous")

    def ran(self, *words, **options):
        result = run(*words, cwd=self.folder, **options)
        check(result.returncode == 0, f"{words}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
        return result

    def check_result(self, output, what):
        found, wanted = Result(self.folder / output), self.reference
        gain = (found.attributes["likelihood"] - wanted.attributes["likelihood"]) * STARS * math.log(10)
        off = numpy.abs(found.best - wanted.best) / wanted.errors
        check(abs(gain) < 1e-3 and (off < 0.05).all(), f"{what}: gain {gain}, off by {off} errors")
        check(found.attributes["asynchronous"] == 1 and found.attributes["converged"] == 1,
              f"{what}: {found.attributes}")
        check(found.attributes["likelihood"] == found.evaluated, f"{what}: the likelihood is not that of the model")
        return found

    def check_ranks(self, method, ranks, verify):
        output, what = f"{method}{ranks}.h5", f"{method} on {ranks} ranks"
        told = self.ran(self.program, *FIT, "--asynchronous", "--verify", verify, "--method", method, "-o", output,
                        ranks=ranks)
        found = self.check_result(output, what)
        points, counts = found.ranks["points"], found.attributes
        check("search was asynchronous" in told.stdout, f"{what}: it does not say so: {told.stdout}")
        check(len(points) == ranks and counts["mismatched"] == 0, f"{what}: {points}, {counts}")
        own = "verifies its own answers" in told.stderr
        check(own == (ranks == 1 and verify != "0"), f"{what}: {told.stderr}")
        check((counts["verified"] > 0) == (verify != "0"), f"{what}: {counts['verified']} verified")
        if verify == "1":
            check(sum(points) == 2 * counts["verified"], f"{what}: {points}, {counts['verified']} verified")
        return points

    def check_bits(self, output):
        """The likelihood of the result is what `tessera likelihood` finds for its parameters."""
        self.ran(self.program, "export", output, "--toml", "best.toml", "--force")
        self.ran(self.program, "likelihood", "best.toml", "--stars", "stars.txt", "--tolerance", "1e-9", "-o", "best.h5",
                 "--force")
        with h5py.File(self.folder / "best.h5") as file:
            again = file["likelihood"].attrs["search_likelihood"]
        check(again == Result(self.folder / output).attributes["likelihood"], "the likelihood has other bits")

    def check_wrong_values(self, ranks):
        told = self.ran(os.environ["TESSERA_FAULTY"], *FIT, "--asynchronous", "--verify", "1", "-o", "wrong.h5",
                        ranks=ranks, environment={"TESSERA_TEST_FAULTS": "1/wrong-every/3,*/pause/0.002"})
        found = self.check_result("wrong.h5", "with wrong values")
        wrong, mismatched = found.ranks["wrong_answers"], found.attributes["mismatched"]
        check(mismatched > 0 and wrong == [mismatched if rank == 1 else 0 for rank in range(ranks)],
              f"wrong answers {wrong}, {mismatched} mismatched")
        lines = [line for line in own_lines(told.stderr) if "gave a wrong value" in line]
        check(lines and all(line.startswith("warning: rank 1 on ") for line in lines), told.stderr)
        check(any("gave a wrong value" in line for line in found.warnings), f"/run/warnings: {found.warnings}")
        text = self.ran(self.program, "info", "wrong.h5").stdout
        check(f"points of the search were verified, {mismatched} mismatched" in text and
              f"Rank 1 gave {mismatched} wrong answers" in text, text)
        return mismatched, found.attributes["verified"]

    def check_generations(self, ranks, faulty):
        """A verified search in generations has the bits of one that is not, also if a rank gives wrong values."""
        program = os.environ["TESSERA_FAULTY"] if faulty else self.program
        told = self.ran(program, *FIT, "--verify", "1" if faulty else "0.4", "-o", "verified.h5", "--force", ranks=ranks,
                        environment={"TESSERA_TEST_FAULTS": "1/wrong-every/3"} if faulty else {})
        found = Result(self.folder / "verified.h5")
        with h5py.File(self.folder / "verified.h5") as file:
            wrong = file["fit/wrong_answers"][:].tolist()
        counts = found.attributes
        check((found.best == self.reference.best).all() and
              counts["likelihood"] == self.reference.attributes["likelihood"], f"verified on {ranks} ranks: other bits")
        check("asynchronous" not in counts, "it calls itself asynchronous")
        check(counts["verified"] > 100 and (counts["mismatched"] > 0) == faulty, f"{counts}")
        check(wrong == [counts["mismatched"] if rank == 1 else 0 for rank in range(ranks)], f"wrong answers {wrong}")
        check(("verifies its own answers" in told.stderr) == (ranks == 1), told.stderr)
        check(("rank 1 on" in told.stderr and "gave a wrong value" in told.stderr) == faulty, told.stderr)
        text = self.ran(self.program, "info", "verified.h5").stdout
        check(f"{counts['verified']} points of the search were verified, {counts['mismatched']} mismatched" in text and
              "asynchronous" not in text, text)
        return counts["mismatched"], counts["verified"]

    def check_unverified_bits_are_kept(self):
        """A wrong last bit that nobody looks for does no harm to the likelihood that is reported."""
        self.ran(os.environ["TESSERA_FAULTY"], *FIT, "--asynchronous", "-o", "unseen.h5",
                 environment={"TESSERA_TEST_FAULTS": "*/wrong-every/1"})
        check(self.check_result("unseen.h5", "unverified").attributes["verified"] == 0, "something was verified")
        self.check_bits("unseen.h5")

    def interrupted(self, ranks, way):
        """Stops or kills a run once its journal has grown; how many points that holds."""
        scratch = self.folder / f"scratch-{way}"
        scratch.mkdir()
        os.environ["TESSERA_TEST_FAULTS"] = "*/pause/0.02"
        process = KilledRun([os.environ["TESSERA_FAULTY"], *FIT, "--asynchronous", "-o", "resumed.h5"], ranks,
                            self.folder, scratch)
        del os.environ["TESSERA_TEST_FAULTS"]
        journal, latest = self.folder / "resumed.h5.partial" / "search", time.monotonic() + patience(60)

        def points():
            return (journal.stat().st_size - HEAD) // RECORD if journal.exists() else 0

        before = points()
        while points() < before + 40:
            check(not process.ended() and time.monotonic() < latest, f"{way}: {process.stderr()}")
            time.sleep(0.005)
        if way == "stop":
            os.kill(max(process.ranks()), signal.SIGTERM)  # one rank alone, which tells the others
            check(process.process.wait(patience(60)) == 75, f"exit code after a stop\n{process.stderr()}")
        else:
            process.kill(one_rank=False)
        return points()

    def check_resumed(self):
        stopped = self.interrupted(2, "stop")
        killed = self.interrupted(3, "kill")
        check(killed >= stopped + 40, f"{stopped} points after the stop, {killed} after the kill")
        text = self.ran(self.program, "info", "resumed.h5.partial").stdout
        check(f"batches    {killed} done" in text, text)
        told = GOES_ON.search(self.ran(self.program, *FIT, "--asynchronous", "-o", "resumed.h5").stderr)
        check(told and int(told[1]) == killed, f"goes on after {told and told[1]} of {killed} points")
        found = self.check_result("resumed.h5", "resumed")
        computed = sum(found.ranks["points"])
        check(killed + computed <= 16 * 25 + 32, f"{killed} points before and {computed} after")
        return stopped, killed

    def refused(self, pattern, *words):
        result = run(self.program, *FIT, *words, "-o", "refused.h5", cwd=self.folder)
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and re.search(pattern, lines[0]), f"{words}: {result.stderr}")
        check(not list(self.folder.glob("refused.h5*")), f"{words}: a file is left")


def check_all(program, folder):
    fits = Fits(program, folder)
    fits.refused("quasi-newton has none", "--asynchronous", "--method", "quasi-newton")
    fits.refused("asynchronous only", "--method", "newton")
    fits.refused("at least 12 points", "--asynchronous", "--method", "newton", "--population", "4")
    fits.refused("--verify", "--asynchronous", "--verify", "1.5")
    for method, ranks, verify in (("differential-evolution", 1, "1"), ("differential-evolution", 2, "0"),
                                  ("differential-evolution", 3, "0.3"), ("particle-swarm", 2, "1"), ("newton", 2, "0.5")):
        points = fits.check_ranks(method, ranks, verify)
        print(f"{method} on {ranks} ranks: {points} points, the maximum of the search in generations", flush=True)
    fits.check_bits("differential-evolution3.h5")
    print("wrong values: %d of %d verified points" % fits.check_wrong_values(3), flush=True)
    for ranks, faulty in ((1, False), (2, False), (3, True)):
        print("in generations on %d ranks: %d of %d verified points wrong" % (ranks, *fits.check_generations(ranks, faulty)))
    fits.check_unverified_bits_are_kept()
    print("stopped after %d points on 2 ranks, killed after %d on 3, finished on one" % fits.check_resumed(), flush=True)


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(sys.argv[1], check_all))
