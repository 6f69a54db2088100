#!/usr/bin/env python3
"""Observables of stars: the likelihood and memberships of NumPy by the published formulas, in both integrations; the same
from CSV, ECSV and FITS, on any number of ranks, after a rerun and from the exported model of a fit; a thin stream whose
members are found by their proper motions only; one line for what is refused. Usage: observables.py PATH/OF/tessera"""

import csv
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import fits_files  # noqa: E402
import likelihood_files  # noqa: E402
import observables  # noqa: E402
from stream_formulas import Formulas  # noqa: E402
from tessera_runs import answer, check, has_ranks, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
OBSERVABLES = [{"name": "pm_l", "value": "pml", "error": "pml_error"},
               {"name": "pm_b", "value": "pmb", "error": "pmb_error", "correlation": {"pm_l": "corr"}},
               {"name": "parallax", "value": "plx"}]
KEYS = ("mean", "slope", "curvature", "dispersion")


def component(*rows):
    return {one["name"]: dict(zip(KEYS, row)) for one, row in zip(OBSERVABLES, rows)}


POPULATIONS = [component((0.4, 0.02, 0.0, 3.0), (-1.0, 0.0, 0.0003, 2.0), (0.1, 0.0, 0.0, 0.3)),
               {"epsilon": -0.6} | component((-2.0, 0.0, 0.0, 6.0), (-4.0, 0.1, 0.0, 5.0), (0.5, 0.0, 0.0, 0.5))]
STREAMS = [component((-2.5, 0.05, 0.002, 0.4), (-2.0, 0.0, 0.0, 0.3), (0.05, 0.0, 0.0, 0.1)),
           component((1.5, -0.01, 0.0, 0.8), (0.5, 0.02, 0.0, 0.5), (0.04, 0.001, 0.0, 0.2))]
COLUMNS = ("l", "b", "r", "pml", "pmb", "plx", "pml_error", "pmb_error", "corr")


def done(result):
    check(result.returncode == 0, result.stderr)
    return result.stdout


def made_up_table(count):
    """[column, star]; some values are missing."""
    generator = numpy.random.default_rng(3)
    places = numpy.array([line.split() for line in likelihood_files.stars(count).splitlines()[1:]], float).T
    error = generator.uniform(0.02, 1.5, (2, count))
    table = numpy.vstack([places, generator.normal(-1, 3, (2, count)), generator.normal(0.1, 0.2, count), error,
                          generator.uniform(-0.95, 0.95, count)])
    missing = generator.uniform(size=count) < 0.2
    table[3:5, missing] = numpy.nan
    table[6:, missing] = numpy.nan
    table[5, generator.uniform(size=count) < 0.3] = numpy.nan
    check(numpy.isnan(table[3:6]).all(axis=0).sum() > 2, "no star without a value")
    return table


def csv_text(table, columns=COLUMNS):
    rows = [",".join("" if numpy.isnan(value) else repr(float(value)) for value in star) for star in table.T]
    return ",".join(columns) + "\n" + "\n".join(rows) + "\n"


def likelihood(program, folder, name, output, *options, stars="stars.csv", ranks=0):
    return run(program, "likelihood", f"{name}.toml", "--stars", stars, "-o", output, "--device", "openmp", "--memberships",
               "--quadrature", "gauss", "--force", *options, cwd=folder, ranks=ranks)


def expected_terms(model, table):
    """Of each star and component, with the density of its observables."""
    x = observables.along(model, table[0], table[1])
    errors = numpy.vstack([table[6:8], numpy.zeros((1, table.shape[1]))])

    def density(of):
        return observables.density([[of[one["name"]][key] for key in KEYS] for one in OBSERVABLES], x, table[3:6], errors,
                                   {(1, 0): table[8]})

    shares = numpy.exp([one.get("epsilon", 0) for one in POPULATIONS])
    background = sum(share * density(one) for share, one in zip(shares / shares.sum(), POPULATIONS))
    return Formulas(model).terms(table[:3].T) * numpy.array([background] + [density(one) for one in STREAMS]).T


def check_formulas(program, folder):
    table = made_up_table(150)
    (folder / "stars.csv").write_text(csv_text(table))
    for later in (False, True):
        model = likelihood_files.model(82, 2, cut=True, later=later)
        model["turnoff"] = "gaussian"
        (folder / "model.toml").write_text(observables.whole_toml(model, OBSERVABLES, POPULATIONS, STREAMS))
        terms = expected_terms(model, table)
        wanted = numpy.log10(terms.sum(axis=1) / Formulas(model).weights.sum())
        for mode in ("exact", "compressed"):
            done(likelihood(program, folder, "model", f"{mode}.h5", "--integration", mode))
            with h5py.File(folder / f"{mode}.h5") as file:
                group = file["likelihood"]
                unlike = abs(group["stars"]["log10_density"] / wanted - 1).max()
                whole = abs(group.attrs["search_likelihood"] / wanted.mean() - 1)
                members = abs(group["memberships"][:] - terms / terms.sum(axis=1, keepdims=True)).max()
            check(whole < 1e-12 and unlike < 1e-11 and members < 1e-11,
                  f"{mode}, {model['model']}: {whole}, {unlike}, {members}")
            print(f"{model['model']}, {mode}: the likelihood of NumPy within {whole:.1e}, memberships {members:.1e}")
    return table


def check_formats(program, folder, table):
    """The bits of all files are those of the CSV table."""
    wanted = answer(folder / "compressed.h5", ["likelihood"])
    header = "# %ECSV 1.0\n# ---\n# datatype:\n" + "".join(f"# - {{name: {name}, datatype: float64}}\n" for name in COLUMNS)
    rows = [" ".join('""' if numpy.isnan(value) else repr(float(value)) for value in star) for star in table.T]
    (folder / "stars.ecsv").write_text(header + " ".join(COLUMNS) + "\n" + "\n".join(rows) + "\n")
    (folder / "stars.fits").write_bytes(fits_files.table([(name, "", "D", list(column))
                                                          for name, column in zip(COLUMNS, table)]))
    for stars in ("stars.ecsv", "stars.fits"):
        result = likelihood(program, folder, "model", "other.h5", stars=stars)
        if "without cfitsio" in result.stderr:
            print("no FITS in this program")
            continue
        done(result)
        found = answer(folder / "other.h5", ["likelihood"])
        check({key for key in wanted if found[key] != wanted[key]} == {"likelihood@star_file"}, f"{stars}: other bits")
    print("CSV, ECSV and FITS have the same bits")


def check_ranks_and_rerun(program, folder):
    done(run(program, "rerun", "compressed.h5", "-o", "again.h5", cwd=folder))
    wanted = answer(folder / "compressed.h5", ["likelihood"])
    check(answer(folder / "again.h5", ["likelihood"]) == wanted, "a rerun has other bits")
    if not has_ranks(program):
        return print("ranks cannot be started here")
    for mode in ("exact", "compressed"):
        done(likelihood(program, folder, "model", "ranks.h5", "--integration", mode, ranks=2))
        check(answer(folder / "ranks.h5", ["likelihood"]) == answer(folder / f"{mode}.h5", ["likelihood"]),
              f"{mode}: other bits on 2 ranks")
    print("the same bits on 2 ranks and after a rerun")


def without_observables(text):
    """A parameter file without its observables and without [fit]."""
    text = re.sub(r"\[\[(observable|population)\]\][^\n]*\n(?:[^\[\n][^\n]*\n)*", "", text.split("[fit]")[0])
    return re.sub(r"(?m)^(pm_mu|pm_nu|v) = .*\n", "", text)


def members_found(folder, result, truth):
    with h5py.File(folder / result) as file:
        chosen = file["likelihood/memberships"][:, 1] > 0.5
    return (chosen & truth).sum() / truth.sum(), (chosen & truth).sum() / max(1, chosen.sum())


def check_thin_stream(program, folder):
    """Of the example, and the fit of its proper motions."""
    text = (SOURCE / "examples/gd1_like.toml").read_text()
    check("[[observable]]" not in without_observables(text) and "[[area]]" in without_observables(text), "the example")
    (folder / "gd1.toml").write_text(text)
    (folder / "plain.toml").write_text(without_observables(text))
    done(run(program, "simulate", "gd1.toml", "--number", 20000, "--seed", 4, "-o", "gd1.csv", cwd=folder))
    with open(folder / "gd1.csv", encoding="ascii") as file:
        truth = numpy.array([row["component"] == "1" for row in csv.DictReader(file)])
    done(likelihood(program, folder, "plain", "plain.h5", stars="gd1.csv"))
    plain = members_found(folder, "plain.h5", truth)
    done(run(program, "fit", "gd1.toml", "--stars", "gd1.csv", "--memberships", "--free",
             "stream1.epsilon,stream1.pm_mu.mean,stream1.pm_nu.mean", "--bootstrap", 2, "--device", "openmp", "-o", "gd1.h5",
             cwd=folder))
    found, pure = members_found(folder, "gd1.h5", truth)
    print(f"{truth.sum()} members: {found:.1%} have P > 0.5 with proper motions, {plain[0]:.1%} without; purity {pure:.1%}")
    check(found >= 0.9 and pure >= 0.9 and plain[0] < 0.1, "members of the thin stream")
    with h5py.File(folder / "gd1.h5") as file:
        names, best, error = (file["fit"][name][:] for name in ("names", "best", "standard_errors"))
        for name, value in ((b"stream1.pm_mu.mean", -12.5), (b"stream1.pm_nu.mean", -3.0)):
            at = list(names).index(name)
            check(abs(best[at] - value) < 5 * error[at] and error[at] < 0.1, f"{name}: {best[at]} +- {error[at]}")
        check(numpy.isfinite(file["fit/bootstrap/likelihood"][:]).all(), "bootstrap")
    done(run(program, "export", "gd1.h5", "--toml", "best.toml", cwd=folder))
    done(run(program, "likelihood", "best.toml", "--stars", "gd1.csv", "--memberships", "--device", "openmp", "--tolerance",
             "1e-9", "-o", "best.h5", cwd=folder))
    with h5py.File(folder / "gd1.h5") as one, h5py.File(folder / "best.h5") as other:
        check(one["likelihood/memberships"][:].tobytes() == other["likelihood/memberships"][:].tobytes(),
              "the exported model has other memberships than the fit")


def check_refused(program, folder, table):
    """One line, exit code 2 and no file."""
    line = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")

    def refused(pattern, *words):
        result = run(program, *words, "-o", "none.h5", "--quiet", cwd=folder)
        check(result.returncode == 2 and line.match(result.stderr) and re.search(pattern, result.stderr) and
              not (folder / "none.h5").exists(), f"{words}: {result.returncode}, {result.stderr}")

    def refused_stars(pattern, text):
        (folder / "bad.csv").write_text(text)
        refused(pattern, "likelihood", "model.toml", "--stars", "bad.csv")

    refused_stars("none of its columns .* is pmb", csv_text(table, [name.replace("pmb", "x") for name in COLUMNS]))
    refused_stars("needs the column pml", likelihood_files.stars(5))
    refused_stars("needs the column pml", "\n".join(likelihood_files.stars(5).splitlines()[1:]) + "\n")
    measured = numpy.flatnonzero(~numpy.isnan(table[3]))
    for pattern, row, value in (("pml has a value, but its error", 6, numpy.nan), ("its error", 7, -0.1),
                                ("the correlation corr is not", 8, 1.0), ("the correlation corr is not", 8, numpy.nan)):
        bad = table.copy()
        bad[row, measured[4]] = value
        refused_stars(f"bad.csv:{measured[4] + 2}'.*{pattern}", csv_text(bad))
    refused_stars("is 'fast', not a number", csv_text(table).replace(repr(float(table[5][~numpy.isnan(table[5])][0])), "fast", 1))
    text = (folder / "model.toml").read_text()
    for pattern, old, new in (("'pm_b' is missing in stream 1", r"(\[\[stream\]\]\npm_l[^\n]*\n)pm_b[^\n]*\n", r"\1"),
                              ("no \\[\\[population\\]\\]", r"(?s)\[\[population\]\].*", ""),
                              ("unknown key 'pm_c' in population 1", r"(\[\[population\]\]\n)pm_l", r"\1pm_c"),
                              ("name of observable 3", "parallax", "1x"),
                              ("dispersion is 0", "dispersion = 0.4", "dispersion = 0"),
                              ("unknown key 'pm_x'", 'correlation = { pm_l', "correlation = { pm_x"),
                              ("population1.epsilon is not 0", r"\[\[population\]\]\npm_l", "[[population]]\nepsilon = 1\npm_l")):
        (folder / "bad.toml").write_text(re.sub(old, new, text))
        refused(pattern, "likelihood", "bad.toml", "--stars", "stars.csv")
    print("bad observables are refused in one line")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-observables-") as name:
        folder = pathlib.Path(name)
        table = check_formulas(program, folder)
        check_formats(program, folder, table)
        check_ranks_and_rerun(program, folder)
        check_refused(program, folder, table)
        check_thin_stream(program, folder)


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    main()
