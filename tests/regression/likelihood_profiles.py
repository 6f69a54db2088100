#!/usr/bin/env python3
"""Backgrounds with an NFW or Einasto profile or a continuous broken power law. Integrals, densities of stars and
memberships are those of NumPy by the formulas of the papers, in both integrations; the same bits on 2 ranks. So are
those of backgrounds with disks. A fit ends at the maximum that NumPy finds, and draws have the posterior of a grid.
Usage: likelihood_profiles.py PATH/OF/tessera"""

import copy
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from stream_formulas import Formulas  # noqa: E402
from tessera_runs import check, has_ranks, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

BACKGROUNDS = ({"profile": "nfw", "q": 0.6, "r0": 18.0, "alpha": 1.2},
               {"profile": "einasto", "q": 0.6, "r0": 19.0, "alpha": 0.6},
               {"profile": "continuous-broken-power-law", "q": 0.6, "r0": 22.0, "alpha": 2.4, "delta": 4.1})
TILT = {"p": 0.8, "yaw": -24.0, "pitch": 25.0, "roll": 8.0}
THICK = {"thick": 18.0, "thick_length": 3.6, "thick_height": 0.9}
DISKS = {"thin": 150.0, "thin_length": 2.6, "thin_height": 0.4, **THICK}


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")


def stored(path):
    with h5py.File(path) as file:
        group = file["likelihood"]
        integrals = numpy.append(group.attrs["background_integral"], group["stream_integrals"][:])
        return integrals, group["stars"]["log10_density"], group["memberships"][:]


def worst(found, wanted):
    return abs(found / wanted - 1).max()


def check_formulas(program, folder):
    (folder / "stars").write_text(likelihood_files.stars(200))
    stars = numpy.loadtxt(folder / "stars", skiprows=1)
    for later in (False, True):
        hernquist = {"profile": "hernquist", "epsilon": 0.9 if later else 0.0, "q": 0.6, "r0": 12.0}
        with_disks = {"q": 0.64, "r0": 12.0, **DISKS}
        for background in (*BACKGROUNDS, {**BACKGROUNDS[1], **TILT}, {**hernquist, **TILT}, with_disks,
                           {**BACKGROUNDS[0], **TILT, **THICK}):
            model = likelihood_files.model(82, 2, cut=True, later=later)
            model["turnoff"], model["background"] = "gaussian", background
            (folder / "model.toml").write_text(likelihood_files.toml(model))
            formulas = Formulas(model)
            wedge, cut = (formulas.integral(area) for area in model["areas"])
            integrals = (wedge - cut) * (1 if later else 1.8)
            terms = formulas.terms(stars)
            densities = numpy.log10(terms.sum(axis=1) / formulas.weights.sum())
            for mode, tolerance in (("exact", 1e-12), ("compressed", 1e-11)):
                command = [program, "likelihood", "model.toml", "--stars", "stars", "-o", f"{mode}.h5", "--memberships",
                           "--integration", mode, "--device", "openmp", "--quadrature", "gauss", "--force"]
                done(run(*command, cwd=folder))
                found = stored(folder / f"{mode}.h5")
                # The factor 1.8 of the classic model is in the integrals and in the densities alike.
                errors = [worst(found[0], integrals), worst(found[1], densities),
                          abs(found[2] - formulas.memberships(stars)).max()]
                what = (f"{background.get('profile', 'hernquist')}{', tilted' * ('p' in background)}"
                        f"{', disks' * ('thick' in background)}, {model['model']}, {mode}")
                check(max(errors) < tolerance, f"{what}: differs from the formulas by {errors}")
                print(f"{what}: the formulas within {max(errors):.1e}")
                if has_ranks(program) and later and not ("p" in background and "thick" in background):
                    done(run(*command, cwd=folder, ranks=2))
                    for one, two in zip(found, stored(folder / f"{mode}.h5")):
                        check(one.tobytes() == two.tobytes(), f"{what}: other bits on 2 ranks")


WEDGE = {"wedge": 82, "convolve": 16, "model": "2018", "turnoff": "gaussian", "background": {},
         "streams": [{"epsilon": -1.5, "mu": 32.0, "r": 27.0, "theta": 1.9, "phi": 0.55, "sigma": 1.2}],
         "areas": [{"r": (16.0, 22.5, 16), "mu": (0.0, 50.0, 12), "nu": (-1.25, 1.25, 2)}]}


# Near enough for a disk, and without streams.
NEAR = {**WEDGE, "streams": [], "areas": [{"r": (14.5, 19.5, 16), "mu": (0.0, 50.0, 12), "nu": (-1.25, 1.25, 2)}]}


def check_fit(program, folder, background, free, wedge=WEDGE, furthest=25):
    """The fit's best point is higher than its neighbours by what the errors say, as NumPy computes it."""
    model = copy.deepcopy(wedge)
    model["background"] = dict(background)
    name = ", ".join(free)
    (folder / "wedge.toml").write_text(likelihood_files.toml(model))
    done(run(program, "simulate", "wedge.toml", "--number", "2000", "--seed", "3", "-o", "drawn", "--force", cwd=folder))
    done(run(program, "fit", "wedge.toml", "--stars", "drawn", "-o", "fit.h5", "--free",
             ",".join(f"background.{key}" for key in free), "--method", "quasi-newton", "--start", "file", "--population",
             "4", "--variations", "0", "--quadrature", "gauss", "--force", cwd=folder))
    stars = numpy.loadtxt(folder / "drawn", skiprows=1)
    with h5py.File(folder / "fit.h5") as file:
        names = [name.removeprefix("background.") for name in file["fit/names"].asstr()]
        best, covariance = file["fit/best"][:], file["fit/covariance"][:]
    check(names == list(free), f"fitted {names}")

    def log_likelihood(point):
        model["background"].update(zip(names, point))
        return Formulas(model).log_likelihood(stars)

    summit = log_likelihood(best)
    for step in 0.3 * numpy.linalg.cholesky(covariance).T:  # a drop of 0.3^2 / 2 in a quadratic
        drops = [summit - log_likelihood(best + sign * step) for sign in (1, -1)]
        check(min(drops) > 0, f"{name}: the fit at {best} is not a maximum: {drops}")
        check(abs(sum(drops) / 2 / 0.045 - 1) < 0.1, f"{name}: the covariance is wrong: {drops}")
    off = best - [background[key] for key in names]
    distance = off @ numpy.linalg.solve(covariance, off)
    check(distance < furthest, f"{name}: {best} is too far from the truth ({distance})")
    print(f"{background.get('profile', 'hernquist')}: fitted {dict(zip(names, best.round(3)))}, the formulas' maximum")


def check_sample(program, folder):
    """Draws of the radius alone against its posterior on a grid, which is uniform times the likelihood."""
    model = copy.deepcopy(WEDGE)
    model["background"] = dict(BACKGROUNDS[1])
    (folder / "wedge.toml").write_text(likelihood_files.toml(model) + '[fit]\nfree = ["background.r0"]\n')
    done(run(program, "simulate", "wedge.toml", "--number", "400", "--seed", "4", "-o", "drawn", "--force", cwd=folder))
    done(run(program, "sample", "wedge.toml", "--stars", "drawn", "--quadrature", "gauss", "--tolerance", "1e-7",
             "--draws", "2000", "-o", "sample.h5", cwd=folder))
    stars = numpy.loadtxt(folder / "drawn", skiprows=1)
    grid, logs = numpy.linspace(1, 100, 400), []
    for model["background"]["r0"] in grid:
        logs.append(Formulas(model).log_likelihood(stars))
    chances = numpy.exp(numpy.array(logs) - max(logs))
    chances /= chances.sum()
    mean = (grid * chances).sum()
    sd = numpy.sqrt(((grid - mean)**2 * chances).sum())
    with h5py.File(folder / "sample.h5") as file:
        found = {key: file[f"sample/{key}"][0] for key in ("mean", "sd", "ess_bulk", "ess_tail")}
    error = 5 / numpy.sqrt(min(found["ess_bulk"], found["ess_tail"]))
    check(abs(found["mean"] - mean) < error * sd, f"sample: mean {found['mean']} instead of {mean}")
    check(abs(found["sd"] / sd - 1) < error, f"sample: sd {found['sd']} instead of {sd}")
    print(f"einasto, draws: r0 = {found['mean']:.3f} +- {found['sd']:.3f}, by the formulas {mean:.3f} +- {sd:.3f}")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_formulas(program, folder)
        check_fit(program, folder, BACKGROUNDS[1], ("q", "r0", "alpha"))
        # What moves the break is not free: the likelihood has kinks in it, which a covariance cannot show.
        check_fit(program, folder, BACKGROUNDS[2], ("alpha", "delta"))
        check_fit(program, folder, {"q": 0.6, **THICK}, THICK, NEAR, 9)  # within 3 sigma
        check_sample(program, folder)


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
