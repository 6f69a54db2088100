#!/usr/bin/env python3
"""Runs of every workload that are killed with SIGKILL at random moments, one rank or all of them, go on where they
were, on another number of ranks, and end with the same bytes as a run that nothing happened to. A thousand kills:
  TESSERA_MPIEXEC=scripts/mpiexec tests/regression/resume_kills.py PATH/OF/tessera --kills 1000 --ranks 5
Usage: resume_kills.py PATH/OF/tessera [--kills N] [--ranks MOST] [--seed SEED] [--case NAME ...]"""

import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
import small_runs  # noqa: E402
import tessera_runs  # noqa: E402
from kill_cases import FitCase, KillCase, PairsCase, UnkeptCase  # noqa: E402

DOCK = ("--spacing", "4", "--terms", "1", "--coefficients", "balanced,vdw", "--poses")
ORBITAL = ("orbital", "two.molden", "--orbitals", "HOMO,LUMO,1:4", "--spacing", "0.06", "--density", "--overlap-matrix",
           "--combine", "pair = orbital(HOMO)*orbital(LUMO)", "--combine", "sum = orbital(HOMO) + orbital(LUMO)")
WEDGES = [f"wedge{number}" for number in range(5)]
LIKELIHOOD = ("likelihood", *[f"{name}.toml" for name in WEDGES], "--stars", *[f"{name}.stars" for name in WEDGES],
              "--integration")
CASES = {
    "dock": (KillCase, ("dock", "receptor.pdb", "ligand.pdb", *DOCK, "300", "--rotations", "3600")),
    "refine": (KillCase, ("dock", "small-receptor.pdb", "small-ligand.pdb", *DOCK, "2000", "--refine", "2000",
                          "--rotations", "600")),
    "pairs": (PairsCase, ("dock", "--pairs", "pairs.csv", *DOCK, "300", "--rotations", "800")),
    "norms": (KillCase, (*ORBITAL, "--norms-only")),
    "orbital": (KillCase, (*ORBITAL, "--isosurface", "0.05", "--grids")),
    "packed": (KillCase, (*ORBITAL, "--isosurface", "0.05", "--grids", "--compress", "1", "--compress-error", "1e-4")),
    "likelihood": (KillCase, (*LIKELIHOOD, "exact")),
    "compressed": (UnkeptCase, (*LIKELIHOOD, "compressed")),
    "fit": (FitCase, small_runs.arguments("fit")),
}


def write_inputs(folder):
    small_runs.write_inputs(folder)
    text = pathlib.Path(small_runs.WATER).read_text()
    (folder / "two.molden").write_text(text.rstrip("\n") + "\n" + text)
    (folder / "pairs.csv").write_text("name,receptor,ligand\n" + "".join(
        f"{name},receptor.pdb,{'small-' if number % 2 else ''}ligand.pdb\n"
        for number, name in enumerate(PairsCase.names)))
    for number, name in enumerate(WEDGES):
        model = likelihood_files.model(82, 2, cut=number % 2 == 0)
        model["convolve"] = 60 + 10 * number
        model["areas"][0]["r"] = (16.0, 22.5, 60)
        model["areas"][0]["mu"] = (150.0, 200.0, 60)
        (folder / f"{name}.toml").write_text(likelihood_files.toml(model))
        (folder / f"{name}.stars").write_text(likelihood_files.stars(2000, number))


def kill_all(cases, kills):
    """In turn, until there were so many kills; tells each result."""
    done, begun, turn = 0, time.monotonic(), 0
    while done < kills:
        case = cases[turn % len(cases)]
        turn += 1
        count = case.make_one(min(random.randint(1, 8), kills - done))
        done += count
        print(f"{done:5d} of {kills} kills, {time.monotonic() - begun:6.0f} s: {case.name}, whole after {count}",
              flush=True)
    print(f"{done} kills of {turn} runs: no progress lost, every result has the bytes of an undisturbed run; " +
          ", ".join(f"{case.name} {case.kills}" for case in cases))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=36)
    parser.add_argument("--ranks", type=int, default=3, help="from 1 to so many")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TESSERA_TEST_SEED", time.time_ns() % 10**6)))
    parser.add_argument("--case", nargs="*", default=list(CASES), choices=list(CASES))
    options = parser.parse_args()
    random.seed(options.seed)
    print(f"--seed {options.seed}", flush=True)
    ranks = range(1, options.ranks + 1) if tessera_runs.has_ranks(options.program) else [0]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-kills-"))
    try:
        write_inputs(folder)
        kill_all([CASES[name][0](options.program, folder, name, CASES[name][1], ranks) for name in options.case],
                 options.kills)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
