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


def run_command(options, folder):
    """Seconds in the kernels of one run of the command, and its file."""
    output = folder / "grid.h5"
    subprocess.run([options.program, "orbital", options.wavefunction, "--orbitals", options.orbitals, "--precision",
                    options.precision, "--spacing", f"{options.spacing}bohr", "--padding", "6bohr", "--force", "--quiet",
                    "-o", output], check=True)
    with tessera.open(output) as run:
        return run.run.phases["tiles: kernel"], output


def timed(wavefunction, call):
    """Seconds of the fastest of three calls, and those that it spends in kernels."""
    found = []
    for _ in range(3):
        kernels, start = wavefunction._evaluation.kernel_seconds(), time.perf_counter()
        call()
        found.append((time.perf_counter() - start, wavefunction._evaluation.kernel_seconds() - kernels))
    return min(found)


def has_bits_of(values, output):
    """Whether an array [orbital, z, y, x] of the host is that of the command's file."""
    with tessera.open(output) as run:
        return all(values[i].tobytes() == run.file["orbitals/values"][0, i].tobytes() for i in range(len(values)))


def time_grid(options, folder):
    """Orbitals of the file on a fine grid: calls of Python over the kernels of the command. Runs of both alternate."""
    wavefunction = tessera.Wavefunction(options.wavefunction, precision=options.precision)
    grid = wavefunction.grid(options.spacing, 6.0)
    first = wavefunction.evaluate(grid, options.orbitals)  # starts the threads
    own = numpy.zeros_like(first)  # memory that is not page-locked
    calls = {"new array": lambda: wavefunction.evaluate(grid, options.orbitals),
             "out=array of a call": lambda: wavefunction.evaluate(grid, options.orbitals, out=first),
             "out=array of numpy": lambda: wavefunction.evaluate(grid, options.orbitals, out=own)}
    if tessera.start_device().backend == "cuda":
        kept = wavefunction.evaluate(grid, options.orbitals, device="cuda")
        calls["device=cuda"] = lambda: wavefunction.evaluate(grid, options.orbitals, device="cuda")
        calls["out=array of the GPU"] = lambda: wavefunction.evaluate(grid, options.orbitals, out=kept)
    for call in calls.values():
        call()
    kernels, output = run_command(options, folder)
    if not (has_bits_of(first, output) and has_bits_of(own, output)):
        sys.exit("error: the arrays do not have the bits of the command's file (a bug): report it")
    found = dict.fromkeys(calls, (float("inf"), 0))
    for _ in range(options.runs):
        kernels = min(kernels, run_command(options, folder)[0])
        for name, call in calls.items():
            found[name] = min(found[name], timed(wavefunction, call))
    print(f"grid {grid.shape}, {options.orbitals}, {options.precision}, {first.nbytes / 1e6:.0f} MB: kernels of the "
          f"command {1e3 * kernels:.2f} ms")
    for name, (seconds, of_these) in found.items():
        print(f"  {name}: {1e3 * seconds:.2f} ms, {seconds / kernels:.3f} of the command's kernels; its own kernels "
              f"{1e3 * of_these:.2f} ms, ratio {seconds / of_these:.3f}")


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
    parser.add_argument("--precision", default="single", help="of the grid: single or double")
    parser.add_argument("--spacing", type=float, default=0.08, help="spacing of the grid, bohr")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--file-spacing", type=float, default=0.3, help="spacing of their grids, bohr")
    parser.add_argument("--stars", type=int, default=10000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", choices=["grid", "files", "batch"], help="one of the measurements")
    options = parser.parse_args()
    device = tessera.start_device()
    print(f"{device.name}, {device.threads} threads")
    with tempfile.TemporaryDirectory() as folder:
        for name, part in (("grid", time_grid), ("files", time_files), ("batch", time_batch)):
            if options.only in (None, name):
                part(options, pathlib.Path(folder))


if __name__ == "__main__":
    try:
        main()
    except (tessera.Error, subprocess.CalledProcessError) as problem:
        sys.exit(f"error: {problem}")
