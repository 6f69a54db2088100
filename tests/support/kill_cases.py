"""Commands that are killed again and again, and what of their progress must still be there afterwards."""

import random
import re
import shutil
import time

from killed_runs import MAIN, REFINEMENT, KilledRun, records, tiles_in
from tessera_runs import answer, check, patience, run


class KillCase:
    """A command that writes one file from tiles."""

    suffix = ".h5"

    def __init__(self, program, folder, name, words, ranks):
        self.folder, self.name, self.words, self.counts = folder, name, [program, *words], ranks
        self.scratch = folder / "scratch"
        self.outputs = self.kills = self.kept = 0
        begun = time.monotonic()
        self.finish(name + self.suffix, self.counts[0])
        self.seconds = time.monotonic() - begun
        self.reference = self.answers(name + self.suffix)

    def results(self, output):
        return [self.folder / output]

    def partial(self, output):
        return self.folder / f"{output}.partial"

    def progress(self, output):
        """What would be lost if it were no longer there."""
        return {(phase, tile) for phase in (MAIN, REFINEMENT) for tile in tiles_in(self.partial(output), phase)}

    def check_goes_on(self, told, kept, output):
        """A run that began its work went on with all of it."""
        for phase, pattern in ((MAIN, r"goes on after (\d+) of"), (REFINEMENT, r"refining: \d+ tiles, (\d+) of")):
            found, count = re.search(pattern, told), sum(one == phase for one, _ in kept)
            check((int(found[1]) if found else 0) == count or (phase == REFINEMENT and "refining" not in told),
                  f"{output}: the journal had {count} tiles of phase {phase}\n{told}")

    def answers(self, output):
        return {path.name: answer(path, None) for path in self.results(output)}

    def finish(self, output, ranks):
        result = run(*self.words, "-o", output, ranks=ranks, cwd=self.folder)
        check(result.returncode == 0, f"{output}: exit code {result.returncode}\n{result.stderr}")
        check(not self.partial(output).exists(), f"{output}: the folder is still there")
        return result.stderr

    def wait(self, killed, kept, output):
        """Until a random moment: up to a few tiles further than the last time, or any time."""
        latest = time.monotonic() + patience(60)
        if random.random() < 0.5:
            latest = time.monotonic() + random.uniform(0, 1.2 * self.seconds)
            wanted = float("inf")
        else:
            wanted = len(kept) + random.randint(0, 4)
        while not killed.ended() and len(self.progress(output)) < wanted and time.monotonic() < latest:
            time.sleep(0.003)

    def attempt(self, output):
        """A run that is killed at a random moment; whether it came to its end before."""
        kept = self.progress(output)
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        killed = KilledRun([*self.words, "-o", output], random.choice(self.counts), self.folder, self.scratch)
        self.wait(killed, kept, output)
        ended = killed.ended()
        killed.kill(one_rank=random.random() < 0.3)
        told = killed.stderr()
        if all(path.exists() for path in self.results(output)):
            # It was just giving the file its name, or removing its folder.
            shutil.rmtree(self.partial(output), ignore_errors=True)
            return True
        check(not ended, f"{output}: ended by itself\n{told}")
        self.kills += 1
        lost = kept - self.progress(output)
        check(not lost, f"{output}: lost {sorted(lost)}")
        return False

    def make_one(self, most_kills):
        """A result after some kills; the number of kills."""
        self.outputs += 1
        before, output = self.kills, f"{self.name}-{self.outputs}{self.suffix}"
        whole = False
        while not whole and self.kills - before < most_kills:
            whole = self.attempt(output)
        if not whole:
            kept = self.progress(output)
            self.check_goes_on(self.finish(output, random.choice(self.counts)), kept, output)
            self.kept += len(kept)
        for name, other in self.answers(output).items():
            one = self.reference[name.replace(output, self.name + self.suffix)]
            different = sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
            check(not different, f"{output}: {name} differs in {different}")
        for path in self.folder.glob(f"{output}*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return self.kills - before


class FitCase(KillCase):
    """A fit, whose journal has the answers of one batch of evaluations after the other."""

    def progress(self, output):
        return set(range(len(list(records(self.partial(output) / "evaluations")))))

    def check_goes_on(self, told, kept, output):
        found = re.search(r"goes on after (\d+) batch", told)
        check((int(found[1]) if found else 0) == len(kept), f"{output}: the journal had {len(kept)} batches\n{told}")


class UnkeptCase(KillCase):
    """A command that keeps nothing."""

    def progress(self, output):
        return set()


class PairsCase(KillCase):
    """A table of pairs: finished files must stay as they are."""

    suffix = ""
    names = ("one", "two", "three", "four")

    def results(self, output):
        return [self.folder / output / f"{name}.h5" for name in self.names]

    def partial(self, output):
        return self.folder / output / "pairs.csv.partial"

    def progress(self, output):
        return {(path.name, path.read_bytes()) for path in self.results(output) if path.exists()}

    def check_goes_on(self, told, kept, output):
        check(f"{len(kept)} done before" in told, f"{output}: {len(kept)} were done before\n{told}")
