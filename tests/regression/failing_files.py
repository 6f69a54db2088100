#!/usr/bin/env python3
"""Every call on files fails once in turn: each open, read, write, sync, rename and removal in the run's folder,
as on a disk that is full, fails, or lies behind a network. The run ends whole and right, or with one line, an exit
code that is not 0 and progress that the same command goes on with; never complete and wrong.
Usage: failing_files.py PATH/OF/tessera [--runs N | --every] [--case NAME ...]"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
import tessera_runs  # noqa: E402
from failing_runs import LIBRARY, Case, Runner, attempt  # noqa: E402
from tessera_runs import check  # noqa: E402

DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--coefficients", "my.sets", "--spacing", "3", "--grid", "32", "--terms",
        "1", "--rotation-file", "my.rot", "--poses", "200", "--report", "0")
GRIDS = ("orbital", "two.molden", "--orbitals", "HOMO,1:4", "--spacing", "0.3", "--grids", "--density")
LIKELIHOOD = ("likelihood", "1.toml", "2.toml", "--stars", "1.stars", "2.stars")

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
CASES |= {f"{name}-resumed": CASES[name]._replace(killed=2)
          for name in ("dock", "refine", "grids", "packed", "surface", "exact", "fit", "pairs")}
CASES |= {f"{name}-2-ranks": CASES[name]._replace(ranks=2, rank="0") for name in ("dock", "grids", "packed")}
CASES |= {f"{name}-rank-1": CASES[name]._replace(ranks=2, rank="1") for name in ("dock", "grids", "packed", "exact")}


def write_inputs(program, folder):
    folder.mkdir()
    small_runs.write_inputs(folder)
    rotations = (folder / "my.rot").read_text().splitlines()[:400]
    (folder / "my.rot").write_text("\n".join(rotations) + "\n")
    for name in ("receptor", "ligand"):  # more than is read at once
        lines = (folder / f"{name}.pdb").read_text().splitlines()
        (folder / f"{name}.pdb").write_text("\n".join([*lines[:120], "END", ""]))
        (folder / f"small-{name}.pdb").unlink()
    water = pathlib.Path(small_runs.WATER).read_text()
    (folder / "two.molden").write_text(water.rstrip("\n") + "\n" + water)  # a trajectory, for more tiles
    (folder / "table.csv").write_text("name,receptor,ligand\none,receptor.pdb,ligand.pdb\n"
                                      "two,ligand.pdb,receptor.pdb\n")
    for name in ("0.toml", "0.stars", "complex.pdb"):
        (folder / name).unlink()
    result = tessera_runs.run(program, *CASES["refine"].words, "-o", "refined.h5", cwd=folder)
    check(result.returncode == 0, result.stderr)


def hides_attempts(fault):
    """The run does not see that there were attempts before it, whose grids it must not overwrite."""
    return fault.case == "grids-resumed" and fault.path.endswith("/attempts") and fault.how == "end"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=100, help="about so many faults, evenly spread")
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
            runners = dict(zip(options.case, pool.map(lambda name: Runner(options.program, place, name, CASES[name]),
                                                      options.case)))
            every = [fault for runner in runners.values() for fault in runner.faults
                     if options.only in f"{fault.call} {fault.path}"]
            faults = every[::1 if options.every else max(1, len(every) // options.runs)]
            faults += [fault for fault in every if hides_attempts(fault) and fault not in faults]
            told = list(pool.map(lambda fault: attempt(runners[fault.case], fault), faults))
        wrong = [str(line) for line in told if isinstance(line, SystemExit)]
        if options.lines:
            for fault, line in zip(faults, told):
                print(*fault, "->", line)
        check(not wrong, "\n".join([f"{len(wrong)} of {len(faults)} runs", *wrong]))
        ended = sum(line is not None for line in told)
        print(f"{len(faults)} of {len(every)} faults: {ended} ended with one line and went on to the same bytes, "
              f"{len(faults) - ended} were whole and right")
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
