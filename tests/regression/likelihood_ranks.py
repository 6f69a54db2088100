#!/usr/bin/env python3
"""The likelihood of several wedges has the same bits on 1, 2, 3 and 5 ranks in every mode, and the same
bits as each wedge alone; text and TOML files give the same bits; both integrations agree for any
number of nodes along the line of sight.
Usage: likelihood_ranks.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from tessera_runs import SKIPPED, fail, has_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

MODES = {"compressed": [], "exact": ["--integration", "exact"],
         "single": ["--integration", "exact", "--precision", "single-compensated"],
         "gauss": ["--integration", "exact", "--quadrature", "gauss"]}


def write_wedges(folder):
    models = [likelihood_files.model(82, 2, cut=True), likelihood_files.model(79, 3, later=True),
              likelihood_files.model(20, 0)]
    for number, model in enumerate(models):
        (folder / f"{number}.toml").write_text(likelihood_files.toml(model))
        (folder / f"{number}.txt").write_text(likelihood_files.text(model))
        (folder / f"{number}.stars").write_text(likelihood_files.stars(300 + 100 * number, number, model["wedge"]))
    return range(len(models))


def likelihood(program, folder, name, wedges, *options, ranks=0, suffix="toml"):
    result = run(program, "likelihood", *[folder / f"{w}.{suffix}" for w in wedges], "--stars",
                 *[folder / f"{w}.stars" for w in wedges], "-o", folder / name, "--device", "openmp",
                 "--quiet", *options, ranks=ranks)
    if result.returncode != 0 or result.stdout or result.stderr:
        fail(f"{name}: exit code {result.returncode}: {result.stdout}{result.stderr}")
    return folder / name


def contents(path, top="likelihood"):
    """Every dataset and every number among the attributes, as bytes."""
    found = {}

    def note(name, node):
        for key, value in node.attrs.items():
            if isinstance(value, (numpy.floating, numpy.integer)):
                found[f"{name}@{key}"] = value.tobytes()
        if isinstance(node, h5py.Dataset):
            found[name] = (str(node.dtype), node.shape, node[...].tobytes())

    with h5py.File(path) as file:
        file[top].visititems(note)
        note("", file[top])
        tiles = int(file["run"].attrs["tiles_total"])
    return found, tiles


def check_same(name, one, other):
    differing = sorted(key for key in set(one) | set(other) if one.get(key) != other.get(key))
    if differing:
        fail(f"{name} differs in {differing}")


def check_mode(program, folder, mode, wedges):
    options = MODES[mode]
    reference, tiles = contents(likelihood(program, folder, f"{mode}.h5", wedges, *options))
    if tiles < len(wedges) or "1/stars" not in reference or "@search_likelihood" not in reference:
        fail(f"{mode}: {tiles} tiles, {sorted(reference)}")
    for ranks in (2, 3, 5):
        name = f"{mode}{ranks}.h5"
        check_same(name, reference,
                   contents(likelihood(program, folder, name, wedges, *options, ranks=ranks))[0])
    for wedge in wedges:
        alone, _ = contents(likelihood(program, folder, f"{mode}-{wedge}.h5", [wedge], *options))
        among, _ = contents(folder / f"{mode}.h5", f"likelihood/{wedge + 1}")
        check_same(f"{mode}: wedge {wedge} alone", {key: alone.get(key) for key in among}, among)


def check_sum(folder, mode, wedges):
    with h5py.File(folder / f"{mode}.h5") as file:
        top = file["likelihood"]
        total, count = 0.0, 0
        for wedge in wedges:
            density = top[f"{wedge + 1}/stars"]["log10_density"]
            mean = top[f"{wedge + 1}"].attrs["search_likelihood"]
            if not numpy.isclose(density.mean(), mean, rtol=1e-6):
                fail(f"{mode}: the stars' mean {density.mean()} is not the likelihood {mean}")
            total, count = total + density.sum(), count + len(density)
        if not (numpy.isclose(top.attrs["log10_density_sum"], total, rtol=1e-6)
                and top.attrs["number_of_stars"] == count):
            fail(f"{mode}: the sum {top.attrs['log10_density_sum']} is not {total}")


def check_text_files(program, folder, wedges):
    one, _ = contents(likelihood(program, folder, "text0.h5", [0], suffix="txt"))
    check_same("text0.h5", contents(folder / "compressed-0.h5")[0], one)
    later, _ = contents(likelihood(program, folder, "text1.h5", [1], "--turnoff", "newby2011", suffix="txt"))
    check_same("text1.h5", contents(folder / "compressed-1.h5")[0], later)


def check_modes_agree(program, folder):
    for convolve in (2, 16, 18, 62, 64, 66, 256):
        model = dict(likelihood_files.model(82, 2), convolve=convolve)
        (folder / "9.toml").write_text(likelihood_files.toml(model))
        (folder / "9.stars").write_text(likelihood_files.stars(50))
        found = []
        for mode in ("exact", "compressed"):
            with h5py.File(likelihood(program, folder, f"nodes{convolve}-{mode}.h5", [9], *MODES[mode])) as file:
                group = file["likelihood"]
                found.append([group.attrs["background_integral"], group.attrs["search_likelihood"],
                              *group["stream_integrals"], *group["stars"]["log10_density"]])
        if not numpy.allclose(*found, rtol=1e-10, atol=0):
            fail(f"convolve {convolve}: exact and compressed differ: {found[0][:4]} and {found[1][:4]}")


def main():
    program = sys.argv[1]
    if not has_ranks(program):
        print("skipped: ranks cannot be started here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wedges = write_wedges(folder)
        for mode in MODES:
            check_mode(program, folder, mode, wedges)
            check_sum(folder, mode, wedges)
        check_text_files(program, folder, wedges)
        check_modes_agree(program, folder)
    print("the same bits on 1, 2, 3 and 5 ranks")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    sys.exit(main())
