#!/usr/bin/env python3
"""Runs that are killed with SIGKILL at random moments go on where they were, on another number of ranks, and
end with the same bytes as a run that nothing happened to: dock, orbital (plain and compressed), likelihood.
Usage: resume_kills.py PATH/OF/tessera [KILLS-OF-DOCK [CASE ...]]"""

import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
import tessera_runs  # noqa: E402
from killed_runs import KilledRun, tiles_in  # noqa: E402
from tessera_runs import answer, check, patience, run  # noqa: E402

GOES_ON = re.compile(r"goes on after (\d+) of (\d+) tiles")


class Case:
    """One command that is killed again and again."""

    def __init__(self, program, folder, name, words):
        self.folder, self.name = folder, name
        self.words = [program, *words]
        self.scratch = folder / "scratch"
        self.counts = [1, 2, 3] if tessera_runs.has_ranks(program) else [0]
        self.outputs = self.kills = self.tiles_kept = 0
        self.seconds = time.monotonic()
        self.finish(f"{name}.h5")
        self.reference = answer(folder / f"{name}.h5", None)
        self.seconds = time.monotonic() - self.seconds
        with h5py.File(folder / f"{name}.h5") as file:
            self.total = int(file["run"].attrs["tiles_total"])

    def finish(self, output):
        result = run(*self.words, "-o", output, ranks=random.choice(self.counts), cwd=self.folder)
        check(result.returncode == 0, f"{output}: exit code {result.returncode}\n{result.stderr}")
        check(not (self.folder / f"{output}.partial").exists(), f"{output}: the folder is still there")
        return result.stderr

    def check_goes_on(self, told, kept, output):
        found = GOES_ON.search(told)
        said = (int(found[1]), int(found[2])) if found else (0, self.total)
        check(said == (kept, self.total),
              f"{output}: went on after {said} tiles, the journal had {kept}\n{told}")

    def attempt(self, output):
        """A run that is killed at a random moment; whether it came to its end before."""
        partial = self.folder / f"{output}.partial"
        kept = len(tiles_in(partial))
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        killed = KilledRun([*self.words, "-o", output], random.choice(self.counts), self.folder, self.scratch)
        # Up to a few tiles further than it was, or when it is about to finish its file.
        wanted, latest = min(kept + random.randint(0, 4), self.total), time.monotonic() + patience(60)
        while not killed.ended() and len(tiles_in(partial)) < wanted and time.monotonic() < latest:
            time.sleep(0.003)
        if random.random() < 0.5:
            time.sleep(random.uniform(0, 0.5 * self.seconds / self.total))
        running = not killed.ended()
        killed.kill(one_rank=random.random() < 0.3)
        told = killed.stderr()
        whole = (self.folder / output).exists()
        if GOES_ON.search(told) or whole:
            self.check_goes_on(told, kept, output)
        if whole:  # it was just giving the file its name, or removing its folder
            shutil.rmtree(partial, ignore_errors=True)
            return True
        check(running, f"{output}: ended by itself\n{told}")
        self.kills += 1
        check(len(tiles_in(partial)) >= kept, f"{output}: tiles are lost")
        return False

    def run(self, kills):
        while self.kills < kills:
            self.outputs += 1
            output, whole, tries = f"{self.name}-{self.outputs}.h5", False, 0
            while not whole and self.kills < kills and tries < 12:
                whole = self.attempt(output)
                tries += 1
            if not whole:
                kept = len(tiles_in(self.folder / f"{output}.partial"))
                self.check_goes_on(self.finish(output), kept, output)
                with h5py.File(self.folder / output) as file:
                    check(file["run"].attrs["tiles_resumed"] == kept, f"{output}: resumed tiles")
                self.tiles_kept += kept
            other = answer(self.folder / output, None)
            different = sorted(name for name in self.reference.keys() | other.keys()
                               if self.reference.get(name) != other.get(name))
            check(not different, f"{output}: differs in {different}")
        print(f"{self.name}: {self.kills} kills, {self.outputs} results with the same {len(self.reference)} "
              f"datasets and attributes, {self.tiles_kept} of {self.total * self.outputs} tiles from journals "
              "at the end")


def wedges(folder):
    words = []
    for number in range(5):
        model = likelihood_files.model(82, 2, cut=number % 2 == 0)
        model["convolve"] = 60 + 10 * number
        model["areas"][0]["r"] = (16.0, 22.5, 60)
        model["areas"][0]["mu"] = (150.0, 200.0, 60)
        (folder / f"{number}.toml").write_text(likelihood_files.toml(model))
        (folder / f"{number}.stars").write_text(likelihood_files.stars(2000, number))
        words.append(f"{number}.toml")
    return [*words, "--stars", *[f"{number}.stars" for number in range(5)]]


def main():
    program = os.path.abspath(sys.argv[1])
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(os.environ.get("TESSERA_TEST_SEED", time.time_ns() % 10**6))
    random.seed(seed)
    print(f"TESSERA_TEST_SEED={seed}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-kills-"))
    try:
        tessera_runs.write_pair(folder)
        water = pathlib.Path(os.environ["TESSERA_SOURCE_DIR"]) / "examples/water.molden"
        text = water.read_text()
        (folder / "two.molden").write_text(text.rstrip("\n") + "\n" + text)
        orbital = ("orbital", "two.molden", "--orbitals", "HOMO,LUMO,1:4", "--spacing", "0.06", "--density",
                   "--isosurface", "0.05", "--grids", "--overlap-matrix")
        dock = ("dock", "receptor.pdb", "ligand.pdb", "--spacing", "4", "--terms", "1", "--rotations",
                                       "3600", "--poses", "300", "--coefficients", "balanced,vdw")
        likelihood = ("likelihood", *wedges(folder), "--integration", "exact")
        cases = {"dock": (dock, kills), "orbital": (orbital, kills * 2 // 5),
                 "packed": ((*orbital, "--compress", "1"), kills // 4), "likelihood": (likelihood, kills // 4)}
        for name in sys.argv[3:] or cases:
            words, number = cases[name]
            Case(program, folder, name, words).run(max(1, number))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
