#!/usr/bin/env python3
"""Selection functions of [selection]: the likelihood of NumPy by the published formulas with a table of bins, a list of
pixels and a FITS map, in both integrations; the same bits on two ranks; simulated stars; the exported model of a fit;
one line for what is refused. Usage: selection.py PATH/OF/tessera"""

import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import fits_files  # noqa: E402
import likelihood_files  # noqa: E402
from stream_formulas import TO_GALACTIC, Formulas, galactic  # noqa: E402
from tessera_runs import answer, check, has_ranks, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

# Bins of mu and of the magnitude; the edges are those of cells of likelihood_files.model().
MU, DEPTH = numpy.array([150, 162.5, 175, 187.5, 200.0]), numpy.array([16, 18.785714285714285, 22.5])
SHARES = numpy.array([[0.9, 0.3], [0.0, 0.6], [1.0, 0.8], [0.4, 0.2]])
NSIDE = 8


def done(result):
    check(result.returncode == 0, result.stderr)
    return result.stdout


def table():
    lines = ["mu_min,mu_max,nu_min,nu_max,r_min,r_max,completeness"]
    for i, row in enumerate(SHARES):
        for k, share in enumerate(row):
            lines.append(",".join(repr(float(x)) for x in (MU[i], MU[i + 1], -2, 2, DEPTH[k], DEPTH[k + 1], share)))
    return "\n".join(lines) + "\n"


def of_table(mu, g):
    i = numpy.clip(numpy.searchsorted(MU, mu) - 1, 0, len(SHARES) - 1)
    return SHARES[i, numpy.clip(numpy.searchsorted(DEPTH, g) - 1, 0, 1)]


def pixel_of(l, b):
    """The pixel of the ring scheme near the celestial equator, where the stripe lies. There a pixel is a square in the
    plane of N phi / (pi/2) +- 3/4 N z around its middle (Gorski et al. 2005, section 4.1 and equations 6 to 9; the first
    pixel of a ring without a shift lies at phi = 0, as all programs have it)."""
    v = TO_GALACTIC.T @ numpy.array([numpy.cos(b) * numpy.cos(l), numpy.cos(b) * numpy.sin(l), numpy.sin(b)])
    n, phi, z = NSIDE, numpy.arctan2(v[1], v[0]) % (2 * numpy.pi), v[2]
    check((abs(z) < 0.5).all(), "not near the equator")

    def plane(phi, z):
        return numpy.array([2 * n * phi / numpy.pi + 0.75 * n * z, 2 * n * phi / numpy.pi - 0.75 * n * z])

    found = numpy.full(numpy.shape(phi), -1)
    for ring in range(n, 3 * n + 1):
        for place in range(1, 4 * n + 1):
            middle = numpy.pi / (2 * n) * (place - (0.5 if (ring - n) % 2 == 0 else 1))
            away = plane((phi - middle + numpy.pi) % (2 * numpy.pi) - numpy.pi, z - (4 / 3 - 2 * ring / (3 * n)))
            found = numpy.where(abs(away).max(axis=0) <= 0.5, 2 * n * (n - 1) + 4 * n * (ring - n) + place - 1, found)
    check((found >= 0).all(), "a place in no pixel")
    return found


class Selected(Formulas):
    """The formulas with a completeness in the integrals and at stars."""

    def __init__(self, model, share):
        super().__init__(model)
        self.share = share  # of l, b (radians), mu, g

    def integral(self, area):
        total = 0
        (r0, r1, nr), (m0, m1, nm), (n0, n1, nn) = area["r"], area["mu"], area["nu"]
        for k in range(nr):
            for j in range(nm):
                for i in range(nn):
                    cell = {"r": (r0 + k * (r1 - r0) / nr, r0 + (k + 1) * (r1 - r0) / nr, 1),
                            "mu": (m0 + j * (m1 - m0) / nm, m0 + (j + 1) * (m1 - m0) / nm, 1),
                            "nu": (n0 + i * (n1 - n0) / nn, n0 + (i + 1) * (n1 - n0) / nn, 1)}
                    mu, nu, g = (sum(cell[axis][:2]) / 2 for axis in ("mu", "nu", "r"))
                    share = self.share(*galactic(self.model["wedge"], mu, nu), mu, g)
                    if share > 0:
                        total = total + share * super().integral(cell)
        return total


def small_model():
    model = likelihood_files.model(82, 2, cut=False)
    model["areas"] = [{"r": (16.0, 22.5, 14), "mu": (150.0, 200.0, 12), "nu": (-1.25, 1.25, 2)}]
    return model


def stars_of(program, folder, name, number):
    done(run(program, "simulate", f"{name}.toml", "--number", number, "--seed", 3, "-o", f"{name}.stars", "--force",
             cwd=folder))
    return numpy.loadtxt(folder / f"{name}.stars", skiprows=1)


def stripe_of(l, b, wedge=82):
    """mu of the places, degrees."""
    eta = 2.5 * wedge - 57.5 - (180 if wedge > 46 else 0)
    tilt = numpy.radians(eta + 32.5)
    v = TO_GALACTIC.T @ [numpy.cos(b) * numpy.cos(l), numpy.cos(b) * numpy.sin(l), numpy.sin(b)]
    node = numpy.radians(95)
    x, y = v[0] * numpy.cos(node) + v[1] * numpy.sin(node), v[1] * numpy.cos(node) - v[0] * numpy.sin(node)
    return (95 + numpy.degrees(numpy.arctan2(y * numpy.cos(tilt) + v[2] * numpy.sin(tilt), x))) % 360


def check_case(program, folder, name, lines, share):
    """The likelihood of stars that were drawn with the selection."""
    model = small_model()
    (folder / f"{name}.toml").write_text(likelihood_files.toml(model) + "[selection]\n" + lines)
    stars = stars_of(program, folder, name, 200)
    l, b, r = numpy.radians(stars[:, 0]), numpy.radians(stars[:, 1]), stars[:, 2]
    shares = share(l, b, stripe_of(l, b), 5 * (numpy.log10(1000 * r) - 1) + 4.2)
    check((shares > 0).all(), "stars where the selection is 0")
    formulas = Selected(model, share)
    wanted = numpy.log10(formulas.terms(stars).sum(axis=1) / formulas.weights.sum() * shares)
    for mode in ("exact", "compressed"):
        done(run(program, "likelihood", f"{name}.toml", "--stars", f"{name}.stars", "-o", f"{name}-{mode}.h5", "--device",
                 "openmp", "--quadrature", "gauss", "--integration", mode, "--force", cwd=folder))
        with h5py.File(folder / f"{name}-{mode}.h5") as file:
            unlike = abs(file["likelihood/stars"]["log10_density"] / wanted - 1).max()
            whole = abs(file["likelihood"].attrs["search_likelihood"] / wanted.mean() - 1)
        check(whole < 1e-11 and unlike < 1e-10, f"{name}, {mode}: {whole}, {unlike}")
        print(f"{name}, {mode}: the likelihood of NumPy within {whole:.1e}")
    return stars


def check_simulation(program, folder):
    """Stars of the background are distributed over the bins as the integrals say."""
    model = small_model() | {"streams": []}
    (folder / "halo.toml").write_text(likelihood_files.toml(model) + '[selection]\nfile = "bins.csv"\n')
    stars = stars_of(program, folder, "halo", 20000)
    l, b = numpy.radians(stars[:, 0]), numpy.radians(stars[:, 1])
    g = 5 * (numpy.log10(1000 * stars[:, 2]) - 1) + 4.2
    counts = numpy.histogram2d(stripe_of(l, b), g, (MU, DEPTH))[0]
    model["convolve"] = 60
    wanted = numpy.array([[SHARES[i, k] * Formulas(model).integral(
        {"r": (DEPTH[k], DEPTH[k + 1], 20), "mu": (MU[i], MU[i + 1], 8), "nu": (-1.25, 1.25, 2)})[0]
        for k in range(2)] for i in range(4)])
    wanted *= counts.sum() / wanted.sum()
    check(counts.sum() == 20000 and counts[1, 0] == 0, "stars in an empty bin")
    filled = wanted > 0
    chi2 = ((counts - wanted)[filled]**2 / wanted[filled]).sum()
    print(f"chi2 of simulated stars over {filled.sum()} bins: {chi2:.1f}")
    check(chi2 < 6 + 4.5 * numpy.sqrt(2 * 6), f"simulated stars: {counts} and {wanted}")


def check_fit(program, folder):
    """The exported model of a fit, elsewhere, has its likelihood, and ranks change no bit."""
    done(run(program, "fit", "bins.toml", "--stars", "bins.stars", "--free", "background.q,stream1.r", "--start", "file",
             "--method", "quasi-newton", "--population", 4, "--variations", 0, "--device", "openmp", "-o", "fit.h5", cwd=folder))
    (folder / "other").mkdir()
    done(run(program, "export", "fit.h5", "--toml", "other/best.toml", cwd=folder))
    done(run(program, "likelihood", "other/best.toml", "--stars", "bins.stars", "--tolerance", "1e-9", "--device", "openmp",
             "-o", "best.h5", cwd=folder))
    with h5py.File(folder / "fit.h5") as one, h5py.File(folder / "best.h5") as other:
        check(one["fit"].attrs["likelihood"] == other["likelihood"].attrs["search_likelihood"], "the exported model")
    if not has_ranks(program):
        return print("ranks cannot be started here")
    for mode in ("exact", "compressed"):
        done(run(program, "likelihood", "bins.toml", "--stars", "bins.stars", "-o", "ranks.h5", "--device", "openmp",
                 "--integration", mode, "--force", cwd=folder, ranks=2))
        done(run(program, "likelihood", "bins.toml", "--stars", "bins.stars", "-o", "alone.h5", "--device", "openmp",
                 "--integration", mode, "--force", cwd=folder))
        check(answer(folder / "ranks.h5", ["likelihood"]) == answer(folder / "alone.h5", ["likelihood"]), f"{mode}: bits")


def check_refused(program, folder):
    def refused(pattern, *words):
        result = run(program, *words, "-o", "none.h5", "--quiet", cwd=folder)
        check(result.returncode == 2 and re.match(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$", result.stderr) and
              re.search(pattern, result.stderr) and not (folder / "none.h5").exists(), f"{words}: {result.stderr}")

    (folder / "all.stars").write_text(likelihood_files.stars(100))
    refused("stars of 'all.stars' lie where the selection is 0", "likelihood", "bins.toml", "--stars", "all.stars")
    text = (folder / "bins.toml").read_text()
    (folder / "gone.toml").write_text(text.replace("bins.csv", "gone.csv"))
    refused("gone.csv", "fit", "gone.toml", "--stars", "bins.stars")
    (folder / "far.csv").write_text("mu_min,mu_max,nu_min,nu_max,completeness\n10,20,-1,1,1\n")
    (folder / "far.toml").write_text(text.replace("bins.csv", "far.csv"))
    refused("lie where the selection is 0", "likelihood", "far.toml", "--stars", "bins.stars")
    refused("it leaves nothing of the wedge", "simulate", "far.toml")


def check_warnings(program, folder):
    """Of a key that bins do not need, and of a tolerance that the exact integration does not need."""
    (folder / "nside.toml").write_text((folder / "bins.toml").read_text() + "nside = 64\n")
    run_of = ("likelihood", "--stars", "bins.stars", "--device", "openmp", "--integration", "exact", "--force", "-o")
    told = [run(program, *run_of, "warned.h5", *words, cwd=folder)
            for words in (("bins.toml",), ("nside.toml", "--tolerance", "1e-9"))]
    for words in ("'nside' in [selection] changes nothing", "--tolerance with --integration exact"):
        found = [f"warning: {words}" in done(one) + one.stderr for one in told]
        check(found == [False, True], f"{words}: {[one.stderr for one in told]}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-selection-") as name:
        folder = pathlib.Path(name)
        (folder / "bins.csv").write_text(table())
        check_case(program, folder, "bins", 'file = "bins.csv"\n', lambda l, b, mu, g: of_table(mu, g))
        values = numpy.random.default_rng(5).uniform(0.2, 1, 12 * NSIDE**2)
        (folder / "map.csv").write_text("pixel,completeness\n" + "".join(f"{p},{v!r}\n" for p, v in
                                                                         enumerate(values.tolist())))
        (folder / "map.fits").write_bytes(fits_files.table([("COMPLETENESS", "", "D", values.tolist())]))
        choice = f'nside = {NSIDE}\nordering = "ring"\ncoordinates = "equatorial"\n'
        check_case(program, folder, "map", 'file = "map.csv"\n' + choice,
                   lambda l, b, mu, g: values[pixel_of(l, b)])
        (folder / "fits.toml").write_text((folder / "map.toml").read_text().replace("map.csv", "map.fits"))
        result = run(program, "likelihood", "fits.toml", "--stars", "map.stars", "-o", "fits.h5", "--device", "openmp",
                     "--quadrature", "gauss", cwd=folder)
        if "without cfitsio" in result.stderr:
            print("no FITS in this program")
        else:
            done(result)
            with h5py.File(folder / "fits.h5") as one, h5py.File(folder / "map-compressed.h5") as other:
                check(one["likelihood"].attrs["search_likelihood"] == other["likelihood"].attrs["search_likelihood"],
                      "the FITS map has other bits than its pixels in CSV")
        check_simulation(program, folder)
        check_fit(program, folder)
        check_refused(program, folder)
        check_warnings(program, folder)


if __name__ == "__main__":
    main()
