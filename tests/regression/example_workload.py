#!/usr/bin/env python3
"""The example of a workload: its estimate is right, and has the same bits on any number of ranks. A second run
does not replace its result.
Usage: example_workload.py PATH/OF/tessera"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import check, in_folder_on_ranks, run  # noqa: E402

POINTS = 5_000_000


def estimate(example, output, ranks):
    result = run(example, output, POINTS, ranks=ranks)
    check(result.returncode == 0, f"exit code {result.returncode}: {result.stderr}")
    import h5py
    with h5py.File(output) as file:
        check(file.attrs["complete"] == 1, "not complete")
        check(file["run"].attrs["tiles_total"] == 5, "not five tiles")
        return file.attrs["pi"]


def main(program, folder):
    example = pathlib.Path(program).parent / "examples" / "workload" / "monte_carlo"
    alone = estimate(example, folder / "alone.h5", 0)
    deviation = 4 * math.sqrt(math.pi / 4 * (1 - math.pi / 4) / POINTS)
    check(abs(alone - math.pi) < 5 * deviation, f"pi is {alone}")
    check(estimate(example, folder / "three.h5", 3) == alone, "other bits on three ranks")
    again = run(example, folder / "alone.h5", POINTS)
    check(again.returncode == 2 and "alone.h5" in again.stderr, f"{again.returncode}: {again.stderr}")


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(sys.argv[1], main))
