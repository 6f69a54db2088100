#!/usr/bin/env python3
"""The published cases of ../shared/data/likelihood through the program: exact to 1e-12, compressed to
1e-10 (relative), and where the application says -999 an error and no file.
Usage: likelihood_references.py PATH/OF/tessera"""

import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, fail, own_lines, run  # noqa: E402

try:
    import h5py
except ImportError:
    print("skipped: no h5py")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOUNDS = {"exact": 1e-12, "compressed": 1e-10}
MOST_POINTS = 3e8  # what the exact integration may take here: the full wedges have 2e10


def points(case):
    return case["convolve"] * sum(
        area["r_steps"] * area["mu_steps"] * area["nu_steps"] for area in case["area"])


def worst_difference(path, reference):
    """The largest relative difference of all integrals and likelihoods, and its name."""
    differences = []
    with h5py.File(path) as file:
        group = file["likelihood"]
        for name in ("background_integral", "search_likelihood", "background_likelihood"):
            differences.append((abs(group.attrs[name] / reference[name] - 1), name))
        for name in ("stream_integrals", "stream_only_likelihoods"):
            if len(group[name]) != len(reference[name]):
                fail(f"{path}: {len(group[name])} {name}")
            differences += [(abs(ours / theirs - 1), f"{name} {s + 1}")
                            for s, (ours, theirs) in enumerate(zip(group[name], reference[name]))]
    return max(differences)


def check_case(program, case_folder, output, mode):
    case = json.loads((case_folder / "case.json").read_text())
    if mode == "exact" and points(case) > MOST_POINTS:
        return False
    result = run(program, "likelihood", case_folder / "parameters.toml", "--stars",
                 case_folder / "stars.txt", "-o", output, "--device", "openmp", "--quiet",
                 "--integration", mode)
    reference = case["peer"].get("no-intrinsics", case["peer"]["avx"])
    if reference["search_likelihood"] == -999:
        lines = own_lines(result.stderr)
        if result.returncode != 3 or len(lines) != 1 or "stream 2" not in lines[0] or output.exists():
            fail(f"{case['name']}: exit code {result.returncode}: {result.stderr}")
        return True
    if result.returncode != 0:
        fail(f"{case['name']}: {result.stderr}")
    worst, name = worst_difference(output, reference)
    print(f"{case['name']:<28} {mode:<10} {worst:.1e} ({name})")
    if not worst <= BOUNDS[mode] and not case.get("ill_conditioned"):
        fail(f"{case['name']}, {mode}: {name} is off by {worst:.2e}")
    return True


def main():
    program = sys.argv[1]
    shared = pathlib.Path(os.environ.get("TESSERA_SHARED_DIR", ROOT.parent / "shared"))
    cases = sorted(path.parent for path in (shared / "data/likelihood").glob("*/case.json"))
    if not cases:
        print(f"skipped: reference data missing: {shared}/data/likelihood")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        done = {mode: sum(check_case(program, case, pathlib.Path(name) / f"{case.name}-{mode}.h5", mode)
                          for case in cases) for mode in BOUNDS}
    print(f"cases that agree: {done}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
