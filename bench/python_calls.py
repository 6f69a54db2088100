#!/usr/bin/env python3
"""Times calls of the Python package: an orbital on a grid against the kernels of `tessera orbital`, a thousand small
wavefunction files to arrays, and batches of a likelihood. The smallest of several runs counts, since other work on the
machine only adds to it.

    PYTHONPATH=build/host/python .deps/python/bin/python bench/python_calls.py build/host/tessera

Needs the package with its module, numpy and h5py."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

import tessera

ROOT = pathlib.Path(__file__).resolve().parent.parent
WATER = ROOT / "examples/water.molden"


def smallest(call, runs):
    """Seconds of the fastest of several calls."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def kernel_seconds(program, file, orbitals, spacing, folder):
    """Seconds in the kernels of one run of the command."""
    output = folder / "grid.h5"
    subprocess.run([program, "orbital", file, "--orbitals", orbitals, "--spacing", f"{spacing}bohr", "--padding", "6bohr",
                    "--force", "--quiet", "-o", output], check=True)
    with tessera.open(output) as run:
        return run.run.phases["tiles: kernel"]


def time_grid(options, folder):
    """An orbital of the file on a fine grid: the call of Python over the kernels of the command."""
    wavefunction = tessera.Wavefunction(options.wavefunction)
    grid = wavefunction.grid(options.spacing, 6.0)
    wavefunction.evaluate(grid, options.orbitals)  # starts the threads
    call = smallest(lambda: wavefunction.evaluate(grid, options.orbitals), options.runs)
    kernels = min(kernel_seconds(options.program, options.wavefunction, options.orbitals, options.spacing, folder)
                  for _ in range(options.runs))
    print(f"grid {grid.shape}, {options.orbitals}: call {call:.4f} s, kernels of the command {kernels:.4f} s, "
          f"ratio {call / kernels:.3f}")


def write_copies(folder, number):
    """Copies of water with slightly displaced atoms."""
    text = WATER.read_text()
    begin = text.index("\n", text.index("[Atoms]")) + 1
    end = text.index("[", begin)
    atoms = [line.split() for line in text[begin:end].splitlines() if line.strip()]
    random = numpy.random.default_rng(1)
    paths = []
    for copy in range(number):
        moved = [" ".join([*atom[:3], *(f"{float(x) + dx:.8f}" for x, dx in zip(atom[3:], random.normal(0, 0.02, 3)))])
                 for atom in atoms]
        paths.append(folder / f"water{copy}.molden")
        paths[-1].write_text(text[:begin] + "\n".join(moved) + "\n" + text[end:])
    return paths


def time_files(options, folder):
    """Files to arrays: the HOMO of each on a grid around it."""
    paths = write_copies(folder, options.files)

    def read_all():
        for path in paths:
            wavefunction = tessera.Wavefunction(path)
            wavefunction.evaluate(wavefunction.grid(options.file_spacing, 6.0), "HOMO")

    points = numpy.prod(tessera.Wavefunction(paths[0]).grid(options.file_spacing, 6.0).shape)
    print(f"{len(paths)} files of water to arrays of {points} points: {smallest(read_all, options.runs):.2f} s")


def time_batch(options, _):
    """Values of a batch of a likelihood."""
    wedge = ROOT / "examples/wedge.toml"
    likelihood = tessera.Likelihood(wedge, tessera.simulate(wedge, options.stars, seed=1).stars)
    rows = likelihood.start * (1 + 1e-3 * numpy.random.default_rng(1).random((32, len(likelihood.names))))
    likelihood(rows)
    single = smallest(lambda: likelihood(rows[0]), options.runs)
    batch = smallest(lambda: likelihood(rows), options.runs) / len(rows)
    gradient = smallest(lambda: likelihood.value_and_gradient(rows), options.runs) / len(rows)
    print(f"likelihood of {options.stars} stars, batch of 32: {1e3 * batch:.3f} ms a value, {1e3 * gradient:.3f} ms "
          f"with gradient, {1e3 * single:.3f} ms alone")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="the program tessera")
    parser.add_argument("--wavefunction", default=WATER, help="file of the grid (default: water)")
    parser.add_argument("--orbitals", default="1:7", help="orbitals of the grid")
    parser.add_argument("--spacing", type=float, default=0.08, help="spacing of the grid, bohr")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--file-spacing", type=float, default=0.3, help="spacing of their grids, bohr")
    parser.add_argument("--stars", type=int, default=10000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    device = tessera.start_device()
    print(f"{device.name}, {device.threads} threads")
    with tempfile.TemporaryDirectory() as folder:
        for part in (time_grid, time_files, time_batch):
            part(options, pathlib.Path(folder))


if __name__ == "__main__":
    try:
        main()
    except (tessera.Error, subprocess.CalledProcessError) as problem:
        sys.exit(f"error: {problem}")
