#!/usr/bin/env python3
"""`tessera orbital --cube` writes the files of `tessera export --cube`, and refuses what it cannot write before it
computes; a density that integrates to another number is explained; and no command writes two outputs to one path.
Usage: orbital_cubes.py PATH/OF/tessera"""

import pathlib
import re
import resource
import signal
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_results  # noqa: E402
from small_runs import WATER  # noqa: E402
from tessera_runs import check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")


class Cubes:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        return run(self.program, *words, cwd=self.folder)

    def ran(self, *words):
        result = self.run(*words)
        check(result.returncode == 0, f"{words}: {result.stderr}")
        return result.stdout

    def refused(self, pattern, *words):
        result = self.run(*words)
        lines = [line + "\n" for line in result.stderr.splitlines() if line.startswith("tessera: ")]
        check(result.returncode == 2 and len(lines) == 1 and LINE.match(lines[0]) and re.search(pattern, lines[0]),
              f"{words}: exit code {result.returncode}, {result.stderr}")


def check_cubes(cubes):
    orbital = ("orbital", WATER, "--orbitals", "HOMO,LUMO,HOMO", "--spacing", "0.5", "--density")
    cubes.ran(*orbital, "-o", "run.h5", "--cube", "direct")
    cubes.ran("export", "run.h5", "--cube", "exported")
    files = [{path.name: path.read_bytes() for path in (cubes.folder / name).iterdir()}
             for name in ("direct", "exported")]
    check(sorted(files[0]) == ["HOMO.cube", "LUMO.cube", "density.cube"] and files[0] == files[1], sorted(files[0]))
    cubes.refused("LUMO.cube|HOMO.cube", *orbital, "-o", "second.h5", "--cube", "direct")
    check(not list(cubes.folder.glob("second.h5*")), "it computed first")
    cubes.ran(*orbital, "-o", "second.h5", "--cube", "direct", "--force")
    cubes.refused("writes no grids", *orbital, "-o", "third.h5", "--cube", "cubes", "--norms-only")
    cubes.refused("writes no grids", "orbital", WATER, "--isosurface", "0.1", "-o", "third.h5", "--cube", "cubes")
    cubes.refused("-o and --cube both name it", *orbital, "-o", "same", "--cube", "./same/")


def check_full_disk(cubes):
    """A limit on files, which the result keeps and its cube file does not, stands for a full disk."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (120000, 120000))

    result = run(cubes.program, "orbital", WATER, "--spacing", "0.3", "-o", "kept.h5", "--cube", "later",
                 cwd=cubes.folder, preexec_fn=limit)
    line = "; the result is complete, so go on with: tessera export kept.h5 --cube later --force\n"
    check(result.returncode == 4 and result.stderr.endswith(line), f"{result.returncode}: {result.stderr}")
    check(not list((cubes.folder / "later").iterdir()), "half a cube file is left")
    cubes.ran("export", "kept.h5", "--cube", "later", "--force")


def electrons(path):
    with h5py.File(path) as file:
        return [file[f"density/{name}"][0] for name in ("integral", "electrons", "core_grid_error")]


def check_density(cubes):
    """A fine grid in a large box is right; a coarse one is off by what is said of the nuclei."""
    def density(output, *words):
        text = cubes.ran("orbital", WATER, "--density", "--orbitals", "HOMO", "--precision", "double", "-o", output,
                         *words)
        return text, *electrons(cubes.folder / output)

    text, integral, wanted, core = density("coarse.h5", "--spacing", "0.2", "--padding", "6")
    check(wanted == 10 and abs(integral - wanted) > 0.05, f"{integral} of {wanted}")
    check(abs(integral - wanted - core) < 0.02 * abs(integral - wanted) + 1e-3, f"{integral - wanted}, at nuclei {core}")
    check(re.search(re.escape(f"{core:+.6f} at the nuclei: ") + ".*finer --spacing", text), text)
    text, integral, wanted, core = density("tight.h5", "--spacing", "0.1", "--padding", "0.6")
    check(re.search(r"-\d\.\d+ elsewhere: density outside the box; a larger --padding", text), text)
    check(integral - wanted - core < -0.05, f"{integral}, {core}")
    text, integral, wanted, core = density("fine.h5", "--spacing", "0.05", "--padding", "4")
    check("off by" not in text or abs(integral - wanted) > 0.01, text)


def check_one_path(cubes):
    clusters = ("export", "dock.h5", "--clusters", "2", "--multi-model", "-o", "top.pdb")
    cubes.refused("-o and --pymol both name it", *clusters, "--pymol", "top.pdb")
    cubes.refused("--pymol and --chimerax both name it", *clusters, "--pymol", "show", "--chimerax", "./show")
    cubes.refused("--pymol and --zdock both name it", *clusters, "--pymol", "show", "--zdock", "show")
    check(not (cubes.folder / "top.pdb").exists(), "something is written")
    cubes.ran(*clusters, "--pymol", "show.pml", "--chimerax", "show.cxc")


def main():
    with tempfile.TemporaryDirectory() as name:
        cubes = Cubes(sys.argv[1], pathlib.Path(name))
        check_cubes(cubes)
        check_full_disk(cubes)
        check_density(cubes)
        small_results.make(sys.argv[1], cubes.folder)
        check_one_path(cubes)
    print("cube files, explained densities, and one path for each output")


if __name__ == "__main__":
    main()
