#!/usr/bin/env python3
"""Compares the electrostatic potential of two devices, tolerances or programs: values, and ratios of times.

    bench/potential.py build/cuda/tessera molecule.molden --devices cuda,openmp --points 20000
    bench/potential.py build/host/tessera molecule.molden --tolerances 1e-6,1e-10,0 --points 2000
    bench/potential.py build/host/tessera molecule.molden --pyscf --points 200

Random points lie around the nuclei. Every row is a device with a tolerance: the time of its kernels relative to the
first row (the best of --repeats runs), and the largest difference of its values from the last row. With --pyscf the
last row is PySCF's int1e_grids, on as many threads as OMP_NUM_THREADS says.

Needs numpy and h5py; --pyscf needs PySCF."""

import argparse
import gzip
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy


def run(program, arguments):
    done = subprocess.run([str(program), "orbital", *map(str, arguments), "--force", "--quiet"], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: the run failed ({done.stderr.strip()}): see above")


def nuclei_of(program, molecule, folder):
    run(program, [molecule, "--esp", "--points", origin(folder), "-o", folder / "nuclei.h5", "--esp-tolerance", 1])
    with h5py.File(folder / "nuclei.h5") as file:
        return file["frames/1/positions"][...]


def origin(folder):
    (folder / "origin.csv").write_text("50,50,50\n")
    return folder / "origin.csv"


def write_points(nuclei, count, path):
    rng = numpy.random.default_rng(1)
    points = nuclei[rng.integers(len(nuclei), size=count)] + rng.normal(size=(count, 3)) * 4
    path.write_text("x_bohr,y_bohr,z_bohr\n" + "".join("{!r},{!r},{!r}\n".format(*map(float, p)) for p in points))
    return points


def time_program(program, arguments, output, repeats):
    seconds = []
    for _ in range(repeats):
        run(program, [*arguments, "-o", output])
        with h5py.File(output) as file:
            phases = {name.decode(): value for name, value in file["run/phases"][...].tolist()}
            seconds.append(phases["tiles: kernel"])
            values = file["points/esp"][0]
    return min(seconds), values


def time_pyscf(path, points):
    from pyscf.tools import molden
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "plain.molden"
        plain.write_bytes(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
        molecule, _, coefficients, occupations, _, _ = molden.load(str(plain))
    spins = zip(coefficients, occupations) if isinstance(coefficients, tuple) else [(coefficients, occupations)]
    density = sum((c * n) @ c.T for c, n in spins)
    at_once = max(1, int(2e8 / molecule.nao ** 2 / 8))
    start = time.perf_counter()
    electrons = [numpy.einsum("pij,ij->p", molecule.intor("int1e_grids", grids=points[i:i + at_once]), density)
                 for i in range(0, len(points), at_once)]
    seconds = time.perf_counter() - start
    nuclei = sum(z / numpy.linalg.norm(points - r, axis=1)
                 for z, r in zip(molecule.atom_charges(), molecule.atom_coords()))
    return seconds, nuclei - numpy.concatenate(electrons)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("molecule", type=pathlib.Path)
    parser.add_argument("--devices", default="openmp")
    parser.add_argument("--tolerances", default="1e-6")
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--pyscf", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "points.csv"
        points = write_points(nuclei_of(chosen.program, chosen.molecule, folder), chosen.points, path)
        rows = []
        for device in chosen.devices.split(","):
            for tolerance in chosen.tolerances.split(","):
                words = [chosen.molecule, "--esp", "--points", path, "--esp-tolerance", tolerance, "--device", device]
                rows.append((f"{device}, {tolerance}", *time_program(chosen.program, words, folder / "run.h5",
                                                                     chosen.repeats)))
        if chosen.pyscf:
            rows.append(("PySCF", *time_pyscf(chosen.molecule, points)))
    print(f"{'device, tolerance':24} {'time ratio':>12} {'difference':>12}")
    for label, seconds, values in rows:
        print(f"{label:24} {seconds / rows[0][1]:12.3g} {abs(values - rows[-1][2]).max():12.2e}")


main()
