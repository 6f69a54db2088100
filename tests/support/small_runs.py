"""A tiny run of every workload that is cut into tiles, and the comparison of their results to the bit."""

import os
import pathlib

import h5py
import likelihood_files
import numpy
import tessera_runs
from tessera_runs import fail, in_folder_on_ranks, run

WATER = str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water.molden")


def write_inputs(folder):
    tessera_runs.write_pair(folder)
    (folder / "my.sets").write_text("lock 4 -1 300 0.5\n")
    tessera_runs.write_rotations(folder / "my.rot", 1500, planted=77)
    for name in ("receptor", "ligand"):  # where what takes time is poses
        atoms = [line for line in (folder / f"{name}.pdb").read_text().splitlines() if line.startswith("ATOM")]
        (folder / f"small-{name}.pdb").write_text("\n".join([*atoms[:66], "END", ""]))
    for number, (wedge, streams) in enumerate(((82, 2), (79, 1), (20, 0))):
        model = likelihood_files.model(wedge, streams, cut=number == 0)
        (folder / f"{number}.toml").write_text(likelihood_files.toml(model))
        (folder / f"{number}.stars").write_text(likelihood_files.stars(9000 + number, number, wedge))


# 8 tiles of 192 rotations, and of poses none, two or seven
DOCKINGS = {"dock": ("200",), "refine": ("600", "--refine", "600"), "poses": ("3400", "--refine", "3400"),
            "small": ("200",)}


def arguments(workload):
    """What stands behind the program's name, without the output; relative to the inputs' folder."""
    if workload in DOCKINGS:
        size = "small-" if workload in ("refine", "poses", "small") else ""
        return ["dock", f"{size}receptor.pdb", f"{size}ligand.pdb", "--coefficients", "my.sets", "--spacing", "3",
                "--grid", "32", "--terms", "1", "--rotation-file", "my.rot", "--poses", *DOCKINGS[workload],
                "--report", "0"]
    if workload == "grids":
        return ["orbital", WATER, "--orbitals", "HOMO,LUMO,1:7", "--spacing", "0.1", "--density", "--mean-density",
                "--isosurface", "0.05", "--grids", "--overlap-matrix", "--combine", "half = density/2", "--combine",
                "mixed = orbital(HOMO) - orbital(LUMO)", "--report", "0"]
    if workload == "fit":
        return ["fit", "1.toml", "--stars", "1.stars", "--population", "16", "--generations", "6", "--variations",
                "0", "--tolerance", "1e-6"]
    if workload == "orbital":  # orbitals in slabs
        return ["orbital", WATER, "--orbitals", ",".join(["1:7"] * 9), "--spacing", "0.06", "--density",
                "--norms-only", "--report", "0"]
    return ["likelihood", "0.toml", "1.toml", "2.toml", "--stars", "0.stars", "1.stars", "2.stars",
            "--integration", "compressed" if workload == "compressed" else "exact"]


WORKLOADS = ("dock", "orbital", "likelihood")


def device():
    return os.environ.get("TESSERA_TEST_DEVICE", "openmp")


def start(program, folder, workload, output, *extra, ranks=0, faults="", again=False):
    """`again`: goes on with what a run before has left."""
    forced = () if again else ("--force",)
    return run(program, *arguments(workload), "-o", output, "--device", device(), *forced, *extra, ranks=ranks,
               cwd=folder, environment={"TESSERA_TEST_FAULTS": faults} if faults else {})


def finish(program, folder, workload, output, *extra, ranks=0, faults="", again=False):
    result = start(program, folder, workload, output, *extra, ranks=ranks, faults=faults, again=again)
    if result.returncode != 0:
        fail(f"{workload} {extra} on {ranks} ranks, faults '{faults}': exit code {result.returncode}\n"
             f"{result.stdout}{result.stderr}")
    return folder / output


def contents(path):
    """Every dataset outside /run as bytes, every number among the attributes."""
    found = {}

    def note(name, node):
        if name == "run" or name.startswith("run/"):
            return
        for key, value in node.attrs.items():
            if isinstance(value, (numpy.floating, numpy.integer)):
                found[f"{name}@{key}"] = value.tobytes()
        if isinstance(node, h5py.Dataset):
            data = node[...]
            found[name] = data.tolist() if data.dtype == object else data.tobytes()

    with h5py.File(path) as file:
        file.visititems(note)
    if len(found) < 5:
        fail(f"{path} holds only {sorted(found)}")
    return found


def check_same(name, one, other):
    differing = sorted(key for key in set(one) | set(other) if one.get(key) != other.get(key))
    if differing:
        fail(f"{name} differs in {differing}")


def reference(program, folder, workload):
    """What one process finds, undisturbed."""
    return contents(finish(program, folder, workload, "one.h5"))


def on_ranks_with_faults(check):
    """Calls check(program, folder) with the program that takes faults on order and a folder with all inputs;
    the script's exit code."""

    def with_inputs(program, folder):
        write_inputs(folder)
        check(program, folder)

    return in_folder_on_ranks(os.environ.get("TESSERA_FAULTY", ""), with_inputs)
