#!/usr/bin/env python3
"""Memberships of stars: those of NumPy by the published formulas, in both integrations and of a fit's best model; the
same bits on any number of ranks and after a rerun; in the table, the report of the run and the JSON. A stream that the
cuts swallow is refused, and with --allow-empty-streams as if it were left out. Usage: memberships.py PATH/OF/tessera"""

import csv
import io
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from stream_formulas import Formulas  # noqa: E402
from tessera_runs import check, has_ranks, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402


def write(folder, name, model):
    (folder / f"{name}.toml").write_text(likelihood_files.toml(model))


def done(result):
    check(result.returncode == 0, result.stderr)
    return result.stdout


def likelihood(program, folder, name, output, *options, ranks=0):
    return run(program, "likelihood", f"{name}.toml", "--stars", "stars", "-o", output, "--device", "openmp",
               "--quadrature", "gauss", *options, cwd=folder, ranks=ranks)


def stored(path):
    with h5py.File(path) as file:
        group = file["likelihood"]
        stars = group["stars"][:]
        return group["memberships"][:], numpy.array([stars["l"], stars["b"], stars["r"]]).T, group["expected_stars"][:]


def check_formulas(program, folder):
    for later in (False, True):
        model = likelihood_files.model(82, 2, cut=True, later=later)
        model["turnoff"] = "gaussian"
        write(folder, "model", model)
        (folder / "stars").write_text(likelihood_files.stars(200))
        for mode in ("exact", "compressed"):
            done(likelihood(program, folder, "model", f"{mode}.h5", "--memberships", "--integration", mode, "--force"))
            members, stars, expected = stored(folder / f"{mode}.h5")
            wanted = Formulas(model).memberships(stars)
            check(members.shape == (200, 3) and 0.01 < members[:, 1:].max() and members.min() >= 0, "no memberships")
            unlike = abs(members - wanted).max()
            check(unlike < 1e-11, f"{mode}, {model['model']}: memberships differ by {unlike} from the formulas")
            check(abs(members.sum(axis=1) - 1).max() < 1e-14, f"{mode}: rows do not sum to 1")
            check(numpy.allclose(expected, members.sum(axis=0), rtol=1e-13), f"{mode}: expected stars {expected}")
            print(f"{model['model']}, {mode}: the formulas within {unlike:.1e}")


def check_ranks(program, folder):
    if not has_ranks(program):
        return print("ranks cannot be started here")
    for mode in ("exact", "compressed"):
        reference = stored(folder / f"{mode}.h5")[0]
        for ranks in (2, 3):
            done(likelihood(program, folder, "model", "ranks.h5", "--memberships", "--integration", mode, "--force",
                            ranks=ranks))
            check(stored(folder / "ranks.h5")[0].tobytes() == reference.tobytes(), f"{mode}: other bits on {ranks} ranks")
    print("the same bits on 1, 2 and 3 ranks")


def check_views(program, folder):
    """What users see of them, and a rerun."""
    members, _, expected = stored(folder / "compressed.h5")
    table = list(csv.DictReader(io.StringIO(done(run(program, "table", "compressed.h5", cwd=folder)))))
    for k, name in enumerate(("background", "stream1", "stream2")):
        check([float(row[f"p_{name}"]) for row in table] == list(members[:, k]), f"table: p_{name}")
    names = numpy.array(["background", "stream1", "stream2"])
    check([row["most_likely"] for row in table] == list(names[members.argmax(axis=1)]), "table: most_likely")
    text = done(run(program, "info", "compressed.h5", cwd=folder))
    check(f"expected_stars stream 2     {expected[2]:.17g}" in text, f"info: {text}")
    found = json.loads(done(run(program, "info", "compressed.h5", "--json", cwd=folder)))
    check(found["likelihood"]["wedges"][0]["expected_stars"] == list(expected), "info --json")
    done(run(program, "rerun", "compressed.h5", "-o", "again.h5", cwd=folder))
    check(stored(folder / "again.h5")[0].tobytes() == members.tobytes(), "a rerun has other memberships")
    done(likelihood(program, folder, "model", "plain.h5"))
    with h5py.File(folder / "plain.h5") as plain, h5py.File(folder / "compressed.h5") as full:
        check("memberships" not in plain["likelihood"], "memberships without the option")
        check(plain["likelihood"].attrs["search_likelihood"] == full["likelihood"].attrs["search_likelihood"],
              "the option changes the likelihood")


def check_fit(program, folder):
    """The memberships of a fit are those of its best model, to the last bit."""
    done(run(program, "fit", "model.toml", "--stars", "stars", "--memberships", "--free", "stream1.mu", "--start", "file",
             "--method", "quasi-newton", "--population", "4", "--variations", "0", "--quadrature", "gauss", "--device",
             "openmp", "-o", "fit.h5", cwd=folder))
    members, _, _ = stored(folder / "fit.h5")
    done(run(program, "export", "fit.h5", "--toml", "best.toml", cwd=folder))
    done(likelihood(program, folder, "best", "best.h5", "--memberships", "--tolerance", "1e-9"))
    check(members.tobytes() == stored(folder / "best.h5")[0].tobytes(), "a fit has other memberships than its best model")
    table = list(csv.DictReader(io.StringIO(done(run(program, "table", "fit.h5", "--stars", cwd=folder)))))
    check([float(row["p_stream1"]) for row in table] == list(members[:, 1]), "table --stars of the fit")
    check("standard_error" in done(run(program, "table", "fit.h5", cwd=folder)), "table of the fit")
    refused = run(program, "table", "fit.h5", "--stars", "--set", "balanced", cwd=folder)
    check(refused.returncode == 2, "sets of a fit")


def check_empty_streams(program, folder):
    """The first of two streams lies within the cut."""
    area = {"r": (16.0, 22.5, 14), "mu": (150.0, 200.0, 50), "nu": (-1.25, 1.25, 6)}
    model = likelihood_files.model(82, 2)
    model["streams"][0] = {"epsilon": -1.0, "mu": 175.0, "r": 22.0, "theta": 1.097, "phi": 2.146, "sigma": 0.8}
    model["areas"] = [area, area | {"mu": (155.0, 195.0, 40)}]
    write(folder, "both", model)
    model["streams"] = model["streams"][1:]
    write(folder, "rest", model)
    for mode in ("exact", "compressed"):
        words = ("--integration", mode, "--memberships", "--force")
        refused = likelihood(program, folder, "both", "none.h5", *words)
        check(refused.returncode == 3 and "--allow-empty-streams" in refused.stderr and
              re.fullmatch(r"tessera: [^\n]+ \(.+\): [^\n]+\n", refused.stderr.splitlines(True)[-1]) and
              not (folder / "none.h5").exists(), f"{mode}: {refused.returncode}, {refused.stderr}")
        text = done(likelihood(program, folder, "both", "both.h5", "--allow-empty-streams", *words))
        done(likelihood(program, folder, "rest", "rest.h5", *words))
        check("stream 1 of 'both.toml' has weight 0" in text, f"{mode}: no warning: {text}")
        (both, stars, _), (rest, _, _) = stored(folder / "both.h5"), stored(folder / "rest.h5")
        check(numpy.allclose(both[:, [0, 2]], rest, rtol=1e-11, atol=0) and not both[:, 1].any(), f"{mode}: memberships")
        check(numpy.allclose(rest, Formulas(model).memberships(stars), rtol=0, atol=1e-10), f"{mode}: the formulas")
        with h5py.File(folder / "both.h5") as one, h5py.File(folder / "rest.h5") as other:
            found, wanted = (file["likelihood"].attrs["search_likelihood"] for file in (one, other))
            check(abs(found / wanted - 1) < 1e-13, f"{mode}: {found} is not {wanted}")
            check(list(one["likelihood/empty_streams"]) == [1] and len(other["likelihood/empty_streams"]) == 0 and
                  one["likelihood/stream_integrals"][0] == 0, f"{mode}: what the file says of the stream")
            check(json.loads(one["run"].attrs["input"])["allow_empty_streams"] is True, "the input")
        done(run(program, "rerun", "both.h5", "-o", "both-again.h5", "--force", cwd=folder))
        check(stored(folder / "both-again.h5")[0].tobytes() == both.tobytes(), f"{mode}: a rerun")
    check_fit_with_empty_stream(program, folder)


def check_fit_with_empty_stream(program, folder):
    """It is refused without the option, and the fit of the other stream with it."""
    words = ("--stars", "stars", "--start", "file", "--method", "quasi-newton", "--population", "4", "--starts", "1",
             "--variations", "0", "--device", "openmp", "--quiet")
    refused = run(program, "fit", "both.toml", *words, "--free", "stream2.mu", "-o", "fit-both.h5", cwd=folder)
    check(refused.returncode == 3 and not (folder / "fit-both.h5").exists(), f"fit: {refused.stderr}")
    done(run(program, "fit", "both.toml", *words, "--free", "stream2.mu", "--allow-empty-streams", "--profile", "all",
             "--bootstrap", 2, "-o", "fit-both.h5", cwd=folder))
    done(run(program, "fit", "rest.toml", *words, "--free", "stream1.mu", "-o", "fit-rest.h5", cwd=folder))
    with h5py.File(folder / "fit-both.h5") as both, h5py.File(folder / "fit-rest.h5") as rest:
        check(abs(both["fit/best"][0] - rest["fit/best"][0]) < 1e-4, "another best model")
        check(list(both["likelihood/empty_streams"]) == [1], "the fit's empty streams")
        check(numpy.isfinite(both["fit/bootstrap/likelihood"][:]).all() and len(both["fit/profile/lower"]) == 1,
              "bootstrap and profile with an empty stream")
    done(run(program, "export", "fit-both.h5", "--toml", "best-both.toml", cwd=folder))
    printed = run(program, "export", "fit-both.h5", "--toml", "best-both.toml", "--force", cwd=folder)
    check("--allow-empty-streams" in printed.stdout, f"the command for the best model: {printed.stdout}")
    print("a stream that the cuts swallow is as if it were left out")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-memberships-") as name:
        for check_part in (check_formulas, check_ranks, check_views, check_fit, check_empty_streams):
            check_part(program, pathlib.Path(name))


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    main()
