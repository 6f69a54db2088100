#!/usr/bin/env python3
"""A stream that a cut all but swallows: what is left of its integral is that of the rest of the wedge, and
a warning gives both numbers, on the screen, in the file and by tessera info; a cut beyond the wedge is
warned of too, and a cut that takes little is not. Stars outside the wedge are counted where they are allowed.
Usage: likelihood_cuts.py PATH/OF/tessera"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from tessera_runs import SKIPPED, fail, run  # noqa: E402

try:
    import h5py
except ImportError:
    print("skipped: no h5py")
    sys.exit(SKIPPED)

R, NU = (16.0, 22.5, 14), (-1.25, 1.25, 6)


def area(low, high):
    """Cells of one degree, so that wedge and cuts share them."""
    return {"r": R, "mu": (float(low), float(high), high - low), "nu": NU}


def write_model(folder, name, areas):
    model = likelihood_files.model(82, 1)
    model["areas"] = areas
    model["streams"] = [{"epsilon": -1.0, "mu": 175.0, "r": 22.0, "theta": 0.2, "phi": 0.3, "sigma": 0.8}]
    (folder / f"{name}.toml").write_text(likelihood_files.toml(model))


def write_stars(program, folder):
    """Of the wedge without cuts, so that no one warns of stars."""
    write_model(folder, "whole", [area(150, 200)])
    drawn = run(program, "simulate", folder / "whole.toml", "--number", "50", "-o", folder / "stars")
    if drawn.returncode != 0:
        fail(f"simulate: {drawn.stderr}")


def likelihood(program, folder, name, areas, mode, *options, code=0):
    write_model(folder, name, areas)
    result = run(program, "likelihood", folder / f"{name}.toml", "--stars", folder / "stars", "-o",
                 folder / f"{name}.h5", "--integration", mode, "--device", "openmp", "--force", *options)
    if result.returncode != code:
        fail(f"{name}: exit code {result.returncode}: {result.stderr}")
    return result.stdout, folder / f"{name}.h5"


def integral(path):
    with h5py.File(path) as file:
        return file["likelihood/stream_integrals"][0]


def check_stars_outside(folder):
    """Evaluated on demand, counted and warned of: every star is in one of the two parts, or between them."""
    for name in ("low", "high", "cut"):
        with h5py.File(folder / f"{name}.h5") as file:
            outside, warnings = file["likelihood"].attrs["stars_outside"], list(file["likelihood"].attrs["warnings"])
        if (outside == 0) == (name != "cut") or (outside > 0) != any(f"{outside} of the 50" in w for w in warnings):
            fail(f"{name}: {outside} stars are outside, and the warnings are {warnings}")


def check(program, folder, mode):
    text, cut = likelihood(program, folder, "cut", [area(150, 200), area(161, 189)], mode)
    rest = sum(integral(likelihood(program, folder, name, [part], mode, "--allow-stars-outside")[1])
               for name, part in (("low", area(150, 161)), ("high", area(189, 200))))
    whole = integral(likelihood(program, folder, "whole", [area(150, 200)], mode)[1])
    check_stars_outside(folder)
    with h5py.File(cut) as file:
        left, before = file["likelihood/stream_integrals"][0], file["likelihood/uncut_integrals"][1]
        warnings = list(file["likelihood"].attrs["warnings"])
    if not (0 < left < 1e-3 * before and abs(left - rest) < 1e-11 * before and abs(before / whole - 1) < 1e-11):
        fail(f"{mode}: {left} is left of {before}; the rest of the wedge has {rest}, the whole {whole}")
    if len(warnings) != 1 or f"{left:.17g}" not in warnings[0] or f"{before:.17g}" not in warnings[0]:
        fail(f"{mode}: warnings {warnings} for {left} of {before}")
    info = run(program, "info", cut).stdout
    if warnings[0] not in text or warnings[0] not in info:
        fail(f"{mode}: the warning is not printed")

    text, few = likelihood(program, folder, "few", [area(150, 200), area(190, 195)], mode)
    if "warning" in text or not integral(few) > 0.99 * before:
        fail(f"{mode}: {integral(few)} after a cut that takes little of {before}: {text}")
    text, _ = likelihood(program, folder, "beyond", [area(150, 200), area(198, 203)], mode)
    if "cut 1" not in text or "beyond the wedge" not in text:
        fail(f"{mode}: no warning of a cut beyond the wedge: {text}")
    text, _ = likelihood(program, folder, "turned", [area(150, 200), area(550, 555)], mode)
    if "warning" in text:
        fail(f"{mode}: a cut a turn further is the same cut: {text}")


def main():
    with tempfile.TemporaryDirectory() as name:
        write_stars(sys.argv[1], pathlib.Path(name))
        for mode in ("exact", "compressed"):
            check(sys.argv[1], pathlib.Path(name), mode)
    print("cuts are subtracted and warned of")


if __name__ == "__main__":
    main()
