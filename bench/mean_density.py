#!/usr/bin/env python3
"""Times `tessera orbital --mean-density` against one density for each frame that Python averages afterwards.

    bench/mean_density.py build/cuda/tessera wavefunctions/c60_b.molden --frames 64 --spacing 0.15 --ranks 1,2,4

The trajectory is made of the Molden file (bench/make_wavefunctions.py --frames N --occupied). Every row is the best of
--repeats runs: seconds of the whole command, of its tiles, and of the sum over ranks ("add up"). The last column is a
digest of the mean's bits, which must be the same in all rows. The row "each" is the run with a grid for each frame, and
the time that h5py and numpy then take for the mean.

Needs numpy and h5py."""

import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(program, ranks, arguments):
    launcher = [ROOT / "scripts/mpiexec", "-n", str(ranks)] if ranks > 1 else []
    start = time.perf_counter()
    done = subprocess.run([*map(str, launcher), str(program), "orbital", *map(str, arguments), "--force", "--quiet"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: the run failed ({done.stderr.strip()}): see above")
    return time.perf_counter() - start


def phases(file):
    return {name.decode(): seconds for name, seconds in file["run/phases"][...].tolist()}


def time_mean(program, ranks, arguments, output, repeats):
    rows = []
    for _ in range(repeats):
        seconds = run(program, ranks, [*arguments, "--mean-density", "-o", output])
        with h5py.File(output) as file:
            parts = phases(file)
            digest = hashlib.sha256(file["mean_density/values"][...].tobytes()).hexdigest()[:12]
        rows.append((seconds, parts["tiles"], parts["add up densities"], digest))
    if len({row[3] for row in rows}) > 1:
        sys.exit("error: the bits differ between repeats (a bug): please report it")
    return min(rows)


def time_each(program, arguments, output, repeats):
    rows = []
    for _ in range(repeats):
        seconds = run(program, 1, [*arguments, "--density", "-o", output])
        with h5py.File(output) as file:
            start = time.perf_counter()
            total = numpy.zeros(file["density/values"].shape[1:])
            for frame in range(len(file["density/values"])):
                total += file["density/values"][frame]
            rows.append((seconds, phases(file)["tiles"], time.perf_counter() - start))
    return min(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("molden", type=pathlib.Path)
    parser.add_argument("--frames", type=int, default=64)
    parser.add_argument("--spacing", default="0.15", help="Angstrom")
    parser.add_argument("--ranks", default="1", help="numbers of ranks, such as 1,2,4")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([ROOT / "bench/make_wavefunctions.py", options.molden, "--frames", str(options.frames),
                        "--occupied", "-o", folder], check=True)
        arguments = [folder / f"{options.molden.stem}_frames.molden", "--spacing", options.spacing, "--device",
                     options.device]
        print(f"{'run':>8} {'command s':>10} {'tiles s':>9} {'add up s':>9}  bits")
        for ranks in map(int, options.ranks.split(",")):
            row = time_mean(options.program.resolve(), ranks, arguments, folder / "mean.h5", options.repeats)
            print(f"{f'{ranks} ranks':>8} {row[0]:10.2f} {row[1]:9.3f} {row[2]:9.3f}  {row[3]}", flush=True)
        row = time_each(options.program.resolve(), arguments, folder / "each.h5", options.repeats)
        print(f"{'each':>8} {row[0]:10.2f} {row[1]:9.3f} {row[2]:9.3f}", flush=True)


if __name__ == "__main__":
    main()
