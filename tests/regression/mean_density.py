#!/usr/bin/env python3
"""`orbital --mean-density`: the mean of the frames' densities, rounded once, with the same bits on any number of ranks,
after a stop, and where ranks fail.
Usage: mean_density.py PATH/OF/tessera"""

import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, fail, in_folder_on_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

WATER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water.molden"
FRAMES = 24  # twelve tiles
DEVICE = os.environ.get("TESSERA_TEST_DEVICE", "openmp")
GRID = ("--spacing", "0.2", "--padding", "2")


def write_trajectory(folder):
    """Water whose oxygen moves."""
    text = WATER.read_text().rstrip("\n")
    oxygen = next(line for line in text.splitlines() if line.startswith("O "))
    words = oxygen.split()
    frames = [text.replace(oxygen, " ".join([*words[:3], repr(0.015 * frame), *words[4:]])) for frame in range(FRAMES)]
    (folder / "steps.molden").write_text("\n".join(frames) + "\n")


def start(program, folder, output, *options, ranks=0, faults=""):
    return run(program, "orbital", "steps.molden", "-o", output, "--device", DEVICE, "--quiet", *options, ranks=ranks,
               cwd=folder, environment={"TESSERA_TEST_FAULTS": faults} if faults else {})


def finish(program, folder, output, *options, ranks=0, faults=""):
    result = start(program, folder, output, *options, ranks=ranks, faults=faults)
    if result.returncode != 0:
        fail(f"{output}: exit code {result.returncode}\n{result.stderr}")
    return mean_of(folder / output)


def mean_of(path):
    with h5py.File(path) as file:
        check(list(file["mean_density/frames"]) == list(range(1, FRAMES + 1)), "the frames of the mean")
        return file["mean_density/values"][...]


def check_values(program, folder):
    """In double the mean is the exact mean of the frames' values, rounded once or twice."""
    mean = finish(program, folder, "both.h5", "--density", "--mean-density", "--precision", "double", *GRID)
    with h5py.File(folder / "both.h5") as file:
        frames = file["density/values"][...]
        integrals = file["mean_density/integral"][...]
        check(numpy.array_equal(integrals, file["density/integral"][...]), "the integrals of the frames")
        cell = float(numpy.prod(file["mean_density/spacing"][...]))
    exact = numpy.array([math.fsum(values) / FRAMES for values in frames.reshape(FRAMES, -1).T]).reshape(mean.shape)
    check(mean.dtype == numpy.float64 and mean.shape == frames.shape[1:], f"{mean.dtype} {mean.shape}")
    check((abs(mean - exact) <= 2.3e-16 * exact).all(), f"the mean is off by {abs(mean / exact - 1).max()}")
    check(math.isclose(mean.sum() * cell, integrals.mean(), rel_tol=1e-12), "the mean's integral")
    single = finish(program, folder, "single.h5", "--mean-density", *GRID)
    check(single.dtype == numpy.float32 and (abs(single - mean) <= 1e-5 + 1e-6 * mean).all(), "single precision")


def check_ranks(program, folder):
    one = finish(program, folder, "one.h5", "--mean-density", *GRID)
    for ranks in (2, 3):
        several = finish(program, folder, f"ranks{ranks}.h5", "--mean-density", *GRID, ranks=ranks)
        check(numpy.array_equal(one, several), f"{ranks} ranks give other bits")
    with h5py.File(folder / "ranks3.h5") as file:
        phases = [row[0].decode() for row in file["run/phases"][...].tolist()]
        check(any("densities" in phase for phase in phases), f"phases {phases}")
    return one


def check_resumed(folder, one):
    faulty = os.environ["TESSERA_FAULTY"]
    result = start(faulty, folder, "gone.h5", "--mean-density", *GRID, ranks=2,
                   faults="*/kill-after/3,*/pause/0.1")
    check(result.returncode != 0 and not (folder / "gone.h5").exists(), "the killed run has a result")
    again = finish(faulty, folder, "gone.h5", "--mean-density", *GRID, ranks=3)
    check(numpy.array_equal(one, again), "a resumed run has other bits")
    with h5py.File(folder / "gone.h5") as file:
        check(file["run"].attrs["tiles_resumed"] >= 3, "nothing was resumed")
    lost = finish(faulty, folder, "lost.h5", "--mean-density", *GRID, ranks=3,
                  faults="1/lost-after/2,*/pause/0.03")
    check(numpy.array_equal(one, lost), "a lost device changes the bits")


def check_files(program, folder, one):
    result = run(program, "export", "one.h5", "--cube", "cubes", cwd=folder)
    check(result.returncode == 0, result.stderr)
    check(os.listdir(folder / "cubes") == ["mean_density.cube"], f"cube files {os.listdir(folder / 'cubes')}")
    lines = (folder / "cubes/mean_density.cube").read_text().splitlines()
    cube = numpy.array(" ".join(lines[9:]).split(), dtype=float).reshape(one.shape[::-1]).transpose(2, 1, 0)
    check((abs(cube - one) <= 1e-5 * abs(one) + 1e-30).all(), "the cube file is not the mean")
    result = start(program, folder, "none.h5", "--mean-density", "--norms-only")
    check(result.returncode == 2 and "exclude each other" in result.stderr, f"--norms-only: {result.stderr}")


def check_all(program, folder):
    write_trajectory(folder)
    check_values(program, folder)
    one = check_ranks(program, folder)
    check_resumed(folder, one)
    check_files(program, folder, one)
    print("the mean density is exact, and the same for all ranks")


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(sys.argv[1], check_all))
