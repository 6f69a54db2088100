#!/usr/bin/env python3
"""Simulates a small wedge and fits it: the same bytes on 1, 2 and 3 ranks and after being killed or stopped at
any moment, what the file says, and refusals.
Usage: fit_ranks.py PATH/OF/tessera"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, patience, run  # noqa: E402

WEDGE = """wedge = 82
convolve = 20
model = "2018"
background = { profile = "hernquist", epsilon = 0.99, q = 0.6 }
[[stream]]
epsilon = -0.8
mu = 32.0
r = 27.0
theta = 1.9
phi = 0.55
sigma = 3.0
[[area]]
r = { min = 16.0, max = 22.5, steps = 20 }
mu = { min = 0, max = 50, steps = 20 }
nu = { min = -1.25, max = 1.25, steps = 2 }
[fit]
method = "differential-evolution"
population = 24
generations = 30
free = ["stream1.epsilon", "stream1.mu", "stream1.r", "stream1.theta", "stream1.phi"]
[fit.bounds]
"stream1.epsilon" = [-4, 2]
"""
GROUPS = ("fit", "likelihood")
FIT = ("fit", "wedge.toml", "--stars", "stars.txt", "--tolerance", "1e-8")


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result


def expect_same(first, path, what):
    other = answer(path, GROUPS)
    different = sorted(name for name in first.keys() | other.keys() if first.get(name) != other.get(name))
    check(not different, f"{what}: different {different}")


def test_simulate(program, folder):
    command = (program, "simulate", "wedge.toml", "--number", "600", "--seed", "4", "-o")
    told = done(run(*command, "stars.txt", cwd=folder)).stdout
    check("background: " in told and "stream 1: " in told, told)
    lines = (folder / "stars.txt").read_text().splitlines()
    check(lines[0].strip() == "600" and len(lines) == 601, "the star file has another number of lines")
    done(run(*command, "again.txt", cwd=folder, environment={"OMP_NUM_THREADS": "3"}))
    check((folder / "again.txt").read_bytes() == (folder / "stars.txt").read_bytes(),
          "another number of threads draws other stars")
    refused(run(*command, "stars.txt", cwd=folder), "--force")
    refused(run(program, "simulate", "wedge.toml", "-o", "wedge.toml", "--force", cwd=folder), "input")
    print("600 stars, the same for any number of threads")


def test_warnings(program, folder):
    """A text file of the other model's layout is read, and that is said; bounds of its own from 0 are no widths."""
    text = likelihood_files.text(likelihood_files.model()).replace("stream_min[5]: 0, 0, 0, 0, 0",
                                                                   "stream_min[5]: 0, 0, 0, 0, 0.1")
    text = text.replace("background_min[4]: 0, 0,", "background_min[4]: 0, 0.1,")
    text = text.replace("optimize_parameter[4]: 0, 1, 1, 0", "optimize_parameter[4]: 0, 1, 0, 0")  # r0 is fixed in 2018
    (folder / "classic.txt").write_text(text)
    stars = ("--stars", "warned.txt")  # that simulate has drawn, of this wedge
    for command in (("simulate", "-o", "warned.txt", "--number", "9"), ("likelihood", *stars, "-o", "warned.h5"),
                    ("plan", "fit", *stars, "--for-device", "H200"), ("plan", "likelihood", *stars)):
        for model, warned in (("2018", True), ("classic", False)):
            words = command[:2] if command[0] == "plan" else command[:1]
            options = command[len(words):] + (() if command[0] == "plan" else ("--force",))
            result = done(run(program, *words, "classic.txt", *options, "--model", model, cwd=folder))
            check(("warning: 'classic.txt' has the layout of the classic" in result.stderr + result.stdout) == warned,
                  f"{words} --model {model}: {result.stderr}")
    print("a text file of the other model's layout is warned of")


def test_ranks(program, folder):
    counts = [1, 2, 3] if tessera_runs.has_ranks(program) else [1]
    for ranks in counts:
        done(run(program, *FIT, "-o", f"fit{ranks}.h5", ranks=ranks if len(counts) > 1 else 0, cwd=folder))
        check(not (folder / f"fit{ranks}.h5.partial").exists(), "the folder of a whole fit is still there")
    first = answer(folder / "fit1.h5", GROUPS)
    for ranks in counts[1:]:
        expect_same(first, folder / f"fit{ranks}.h5", f"1 and {ranks} ranks")
        with h5py.File(folder / f"fit{ranks}.h5") as file:
            check(len(file["run/ranks"]) == ranks and min(file["run/ranks"]["tiles_done"]) > 0,
                  "not every rank took part")
    print(f"ranks {counts}: the same {len(first)} datasets and attributes to the last bit")
    return first


def test_exact(program, folder):
    """Every point of the quadrature, with gradients by differences: the same maximum."""
    done(run(program, *FIT, "--integration", "exact", "--method", "quasi-newton", "--start", "file",
             "-o", "exact.h5", cwd=folder))
    with h5py.File(folder / "fit1.h5") as compressed, h5py.File(folder / "exact.h5") as exact:
        moved = abs(exact["fit/best"][:] - compressed["fit/best"][:])
        errors = compressed["fit/standard_errors"][:]
        check((moved < 1e-3 * errors)[numpy.isfinite(errors)].all(), f"moved by {moved} of errors {errors}")
        check(json.loads(exact["run"].attrs["input"])["integration"] == "exact", "the input does not say exact")
    print("exact and compressed integration: the same maximum")


def test_file(folder):
    with h5py.File(folder / "fit1.h5") as file:
        check(file.attrs["workload"] in ("fit", b"fit") and file.attrs["complete"] == 1, "attributes")
        fit, likelihood = file["fit"], file["likelihood"]
        names = [name.decode() if isinstance(name, bytes) else name for name in fit["names"][:]]
        check(names == ["stream1.epsilon", "stream1.mu", "stream1.r", "stream1.theta", "stream1.phi"],
              f"names {names}")
        best, errors = fit["best"][:], fit["standard_errors"][:]
        truth = numpy.array([-0.8, 32, 27, 1.9, 0.55])
        check(fit.attrs["converged"] == 1, "not converged")
        check((abs(best - truth) < 4 * errors)[numpy.isfinite(errors)].all(),
              f"{best} is not {truth} within 4 x {errors}")
        check(numpy.isfinite(errors).sum() >= 3, f"errors {errors}")
        covariance = fit["covariance"][:]
        check(numpy.allclose(covariance, covariance.T, equal_nan=True), "the covariance is not symmetric")
        check(numpy.array_equal(numpy.sqrt(covariance.diagonal()), errors, equal_nan=True),
              "errors are not the covariance's diagonal")
        check(abs(likelihood.attrs["search_likelihood"] - fit.attrs["likelihood"]) < 1e-12,
              "the likelihood at the best point is another")
        mean = likelihood["stars"]["log10_density"].mean()
        check(abs(mean - fit.attrs["likelihood"]) < 1e-12, "densities do not add up to the likelihood")
        history = fit["history"]
        evaluation = history["evaluation"][:]
        check((numpy.diff(evaluation) >= 0).all() and evaluation[0] == 24, "history")
        check(evaluation[-1] <= fit.attrs["evaluations"] + fit.attrs["gradient_evaluations"], "history")
        check(history["parameters"].shape == (len(evaluation), 5), "history")
        for search in set(history["search"][:]):
            one = history["likelihood"][:][history["search"][:] == search]
            check((numpy.diff(one) > -1e-9).all(), f"search {search} has become worse")
        settings = json.loads(file["run"].attrs["input"])["fit"]
        check(settings["population"] == 24 and settings["bounds"]["stream1.mu"] == [0, 50],
              f"settings {settings}")
    print("the file holds what the fit has found, near what the stars were drawn from")


def start_fit(program, folder, output, batches):
    """A fit that has written down some batches; None where it was faster."""
    process = subprocess.Popen([program, *FIT, "-o", output, "--quiet"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, OMP_NUM_THREADS="1"))
    journal = folder / (output + ".partial") / "evaluations"
    while process.poll() is None:
        if journal.exists() and journal.stat().st_size > 40 + batches * (16 + 8 + 24 * 8):
            return process
        time.sleep(0.002)
    return None


def test_resume(program, folder, first):
    interrupted = 0
    for number, (batches, how) in enumerate(((0, signal.SIGKILL), (8, signal.SIGTERM), (20, signal.SIGKILL),
                                             (31, signal.SIGUSR1), (33, signal.SIGKILL))):
        output = f"resumed{number}.h5"
        process = start_fit(program, folder, output, batches)
        if process:
            process.send_signal(how)
            _, told = process.communicate(timeout=patience(60))
            check(not (folder / output).exists() or process.returncode == 0, "a stopped fit left an output")
            if process.returncode != 0:
                interrupted += 1
                check(process.returncode == (-9 if how == signal.SIGKILL else 75),
                      f"exit code {process.returncode} after {how}: {told}")
                check((folder / (output + ".partial")).is_dir(), "nothing is left to go on with")
        if (folder / output).exists():
            continue
        if number == 2:  # a torn last record
            journal = folder / (output + ".partial") / "evaluations"
            os.truncate(journal, journal.stat().st_size - 7)
        result = done(run(program, *FIT, "-o", output, cwd=folder))
        check(batches == 0 or "goes on after" in result.stderr, "it began anew: " + result.stderr)
        expect_same(first, folder / output, f"resumed after {how.name} at batch {batches}")
        with h5py.File(folder / output) as file:
            check(file["run"].attrs["tiles_resumed"] > 0 or batches == 0, "resumed tiles are not recorded")
        check(not (folder / (output + ".partial")).exists(), "the folder of a whole fit is still there")
    check(interrupted >= 3, f"only {interrupted} fits could be interrupted")
    print(f"{interrupted} fits were killed or stopped, and ended with the same bits")


def refused(result, words):
    lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    check(result.returncode > 0 and len(lines) == 1 and words in lines[-1],
          f"expected one line with '{words}', exit code {result.returncode}\n{result.stderr}")
    check(result.returncode != 70, f"told as a bug of the program: {lines}")


def test_refusals(program, folder, first):
    process = start_fit(program, folder, "other.h5", 3)
    check(process is not None, "the fit could not be caught")
    process.kill()
    process.communicate(timeout=patience(60))
    refused(run(program, *FIT, "-o", "other.h5", "--seed", "2", cwd=folder), "another input")
    refused(run(program, *FIT, "-o", "fit1.h5", cwd=folder), "--force")
    done(run(program, *FIT, "-o", "other.h5", "--force", cwd=folder))
    expect_same(first, folder / "other.h5", "--force")
    for line, words in (('methid = "x"', "did you mean 'method'"), ('free = ["stream1.sigmo"]', "stream1.sigma"),
                        ('free = ["background.r0"]', "no effect"), ('method = "annealing"', "annealing"),
                        ("free = []", "nothing to fit"),
                        ('[fit.bounds]\n"background.r0" = [1, 50]', "background.r0 have no effect"),
                        ('start = "file"\n[fit.bounds]\n"stream1.r" = [5, 20]', "stream1.r of the file (it is 27,"),
                        ('[fit.bounds]\n"background.q" = [-1, 3]', "background.q (its lower bound is -1")):
        text = WEDGE.split("[fit]")[0] + "[fit]\n" + line + "\n"
        (folder / "bad.toml").write_text(text)
        refused(run(program, "fit", "bad.toml", "--stars", "stars.txt", "-o", "bad.h5", cwd=folder), words)
    check(not list(folder.glob("bad.h5*")), "a refused fit left something behind")
    told = done(run(program, "info", "fit1.h5", cwd=folder)).stdout
    check("stream1.epsilon" in told and "converged" in told and "search_likelihood" in told, told)
    print("another input, names that are not there and existing files are refused")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "wedge.toml").write_text(WEDGE)
        test_simulate(program, folder)
        test_warnings(program, folder)
        first = test_ranks(program, folder)
        test_exact(program, folder)
        test_file(folder)
        test_resume(program, folder, first)
        test_refusals(program, folder, first)


if __name__ == "__main__":
    main()
