#!/usr/bin/env python3
"""Streams whose axis is a spline. Integrals, densities and memberships are those of NumPy, in both integrations; knots in
galactocentric coordinates, on the sky and in a table are the same; the same bits on 2 ranks. A fit of simulated stars
finds the track and its width. A track of galstreams becomes knots. Usage: likelihood_tracks.py PATH/OF/tessera"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import likelihood_files  # noqa: E402
from stream_formulas import TO_GALACTIC, Formulas  # noqa: E402
from tessera_runs import check, has_ranks, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

KNOTS = [[-16.4, -16.0, 16.0], [-11.8, -11.9, 16.4], [-7.6, -9.6, 17.5], [-0.9, -8.5, 21.1]]
TRACK = {"epsilon": -1.2, "sigma": 1.5, "track": KNOTS, "first_across": 0.3, "first_away": -0.2, "last_away": 0.4}


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")


def stored(path):
    with h5py.File(path) as file:
        group = file["likelihood"]
        integrals = numpy.append(group.attrs["background_integral"], group["stream_integrals"][:])
        return integrals, group["stars"]["log10_density"], group["memberships"][:]


def evaluated(program, folder, name, mode, ranks=1):
    done(run(program, "likelihood", name, "--stars", "stars", "-o", "out.h5", "--memberships", "--integration", mode,
             "--device", "openmp", "--quadrature", "gauss", "--force", cwd=folder, ranks=ranks))
    return stored(folder / "out.h5")


def on_the_sky(knots):
    """l, b (degrees) and r (kpc)."""
    x, y, z = (numpy.array(knots) + [8.5, 0, 0]).T
    r = numpy.sqrt(x**2 + y**2 + z**2)
    return numpy.array([numpy.degrees(numpy.arctan2(y, x)), numpy.degrees(numpy.arcsin(z / r)), r]).T


def check_formulas(program, folder):
    (folder / "stars").write_text(likelihood_files.stars(60))
    stars = numpy.loadtxt(folder / "stars", skiprows=1)
    for later in (False, True):
        model = likelihood_files.model(82, 1, cut=True, later=later)
        model["turnoff"] = "gaussian"
        model["streams"].append(TRACK)
        text = likelihood_files.toml(model)
        (folder / "model.toml").write_text(text)
        formulas = Formulas(model)
        wedge, cut = (formulas.integral(area) for area in model["areas"])
        integrals = (wedge - cut) * (1 if later else 1.8)
        terms = formulas.terms(stars)
        densities = numpy.log10(terms.sum(axis=1) / formulas.weights.sum())
        check(integrals[2] > 1e-3 * (wedge[2] * 1.8), "the cut leaves nothing of the track")
        for mode in ("exact", "compressed"):
            found = evaluated(program, folder, "model.toml", mode)
            errors = [abs(found[0] / integrals - 1).max(), abs(found[1] / densities - 1).max(),
                      abs(found[2] - formulas.memberships(stars)).max()]
            check(max(errors) < 1e-10, f"{model['model']}, {mode}: differs from the formulas by {errors}")
            print(f"{model['model']}, {mode}: the formulas within {max(errors):.1e}")
            if has_ranks(program) and later:
                for one, two in zip(found, evaluated(program, folder, "model.toml", mode, ranks=2)):
                    check(one.tobytes() == two.tobytes(), f"{mode}: other bits on 2 ranks")
    return text, found


def check_inputs(program, folder, text, found):
    """The same knots in other forms, and what the result says of them."""
    xyz = f"xyz = {KNOTS!r}"
    sky = on_the_sky(KNOTS)
    numpy.savetxt(folder / "knots.csv", sky, delimiter=",", header="l,b,r", comments="", fmt="%.17g")
    for name, form in (("sky", f"lbr = {sky.tolist()!r}"), ("table", 'file = "knots.csv"')):
        check(xyz in text, "the parameter file has another form")
        (folder / f"{name}.toml").write_text(text.replace(xyz, form))
        other = evaluated(program, folder, f"{name}.toml", "compressed")
        for one, two in zip(found, other):
            check(abs(one - two).max() < 1e-11 * abs(one).max(), f"{name}: other numbers")
    with h5py.File(folder / "out.h5") as file:
        stream = json.loads(file["run"].attrs["input"])["wedges"][0]["model"]["stream"][1]
    check(abs(numpy.array(stream["track"]) - KNOTS).max() < 1e-13 and "mu" not in stream, f"stored: {stream}")
    (folder / "knots.csv").write_text("l,b,r\n10,60,20\n")
    refused = run(program, "likelihood", "table.toml", "--stars", "stars", "-o", "no.h5", cwd=folder)
    check(refused.returncode == 2 and "knots.csv" in refused.stderr and len(refused.stderr.splitlines()) == 1,
          f"a table of one knot: {refused.returncode} {refused.stderr}")


def check_fit(program, folder):
    """Stars drawn from a track that is moved off its knots."""
    model = {"wedge": 82, "convolve": 60, "model": "2018", "turnoff": "gaussian",
             "background": {"epsilon": 0.99, "q": 0.6},
             "streams": [{"epsilon": 0.0, "sigma": 1.0, "track": [[-8.0, 16.0, -25.0], [-13.5, 12.0, -24.5],
                                                                  [-17.0, 8.5, -23.0], [-22.0, 3.5, -19.5]],
                          "first_across": 0.0, "first_away": 4.0, "last_across": 0.0, "last_away": -3.0}],
             "areas": [{"r": (16.0, 22.5, 20), "mu": (350.0, 400.0, 20), "nu": (-1.25, 1.25, 2)}]}
    fitted = ("epsilon", "first_away", "last_away", "sigma")
    truth = numpy.array([model["streams"][0][key] for key in fitted])
    (folder / "truth.toml").write_text(likelihood_files.toml(model))
    done(run(program, "simulate", "truth.toml", "--number", "2000", "--seed", "7", "-o", "drawn", cwd=folder))
    model["streams"][0].update(first_away=0.0, last_away=0.0, sigma=1.5, epsilon=-0.5)
    bounds = "".join(f'"stream1.{key}" = [-9, 9]\n' for key in ("first_away", "last_away"))
    (folder / "start.toml").write_text(likelihood_files.toml(model) + "[fit.bounds]\n" + bounds)
    done(run(program, "fit", "start.toml", "--stars", "drawn", "-o", "fit.h5", "--free",
             ",".join(f"stream1.{key}" for key in fitted), "--method", "quasi-newton", "--start", "file", "--population",
             "4", "--variations", "0", "--tolerance", "1e-7", cwd=folder))
    with h5py.File(folder / "fit.h5") as file:
        names = [name.removeprefix("stream1.") for name in file["fit/names"].asstr()]
        units = list(file["fit/units"].asstr())
        best, covariance = file["fit/best"][:], file["fit/covariance"][:]
        check(bool(file["fit"].attrs["converged"]), "the fit has not converged")
    check(sorted(names) == sorted(fitted) and units[names.index("last_away")] == "kpc", f"fitted {names}, {units}")
    off = best - [truth[fitted.index(name)] for name in names]
    distance = off @ numpy.linalg.solve(covariance, off)
    check(distance < 18, f"{dict(zip(names, best))} is too far from the truth ({distance})")
    moved = abs(best[names.index("first_away")]) / covariance[names.index("first_away")][names.index("first_away")]**0.5
    check(moved > 3, "the stars do not tell that the track is off its knots")
    done(run(program, "export", "fit.h5", "--toml", "best.toml", cwd=folder))
    check("track = { xyz = [[-8.0, 16.0, -25.0]" in (folder / "best.toml").read_text(), "the exported track")
    print(f"fitted {dict(zip(names, best.round(3)))}, {distance:.1f} from the truth in chi-squared")


def check_galstreams(folder):
    """A table as galstreams has it: a part of a circle of 10 kpc around the Sun, tilted against the equator."""
    angle = numpy.linspace(0, 1.2, 500)
    tilt = numpy.radians(35)
    x, y, z = numpy.cos(angle), numpy.sin(angle) * numpy.cos(tilt), numpy.sin(angle) * numpy.sin(tilt)
    header = ["%ECSV 1.0", "---", "datatype:"] + [
        "- {name: %s, unit: %s, datatype: float64}" % pair
        for pair in (("ra", "deg"), ("dec", "deg"), ("distance", "kpc"), ("pm_dec", "mas / yr"))] + [
        "delimiter: ','", "schema: astropy-2.0"]
    rows = [f"{a!r},{d!r},10.0,nan" for a, d in zip(numpy.degrees(numpy.arctan2(y, x)).tolist(),
                                                   numpy.degrees(numpy.arcsin(z)).tolist())]
    (folder / "track.st.ecsv").write_text("\n".join(["# " + line for line in header] + ["ra,dec,distance,pm_dec"] + rows))
    command = [sys.executable, str(ROOT / "postprocess" / "make_track.py"), "track.st.ecsv", "-o", "made.csv"]
    made = subprocess.run([*command, "--knots", "6"], cwd=folder, text=True, capture_output=True)
    check(made.returncode == 0 and "6 knots along 12 kpc" in made.stdout, f"{made.stdout}{made.stderr}")
    l, b, r = numpy.loadtxt(folder / "made.csv", delimiter=",", skiprows=1).T
    wanted = numpy.linspace(0, 1.2, 6)
    expected = TO_GALACTIC @ [numpy.cos(wanted), numpy.sin(wanted) * numpy.cos(tilt), numpy.sin(wanted) * numpy.sin(tilt)]
    l, b = numpy.radians(l), numpy.radians(b)
    found = [numpy.cos(b) * numpy.cos(l), numpy.cos(b) * numpy.sin(l), numpy.sin(b)]
    check(abs(found - expected).max() < 1e-5 and abs(r - 10).max() < 1e-4, f"knots at {found}, {r}")
    bad = subprocess.run([*command, "--from", "13"], cwd=folder, text=True, capture_output=True)
    check(bad.returncode == 1 and "12 kpc long" in bad.stderr, bad.stderr)
    table = (folder / "track.st.ecsv").read_text()
    bad = subprocess.run([*command[:-1], "./track.st.ecsv"], cwd=folder, text=True, capture_output=True)
    check(bad.returncode == 1 and "it is the table itself" in bad.stderr, bad.stderr)
    check((folder / "track.st.ecsv").read_text() == table, "the table has been replaced")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_inputs(program, folder, *check_formulas(program, folder))
        check_fit(program, folder)
        check_galstreams(folder)


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
