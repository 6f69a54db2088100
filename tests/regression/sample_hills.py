#!/usr/bin/env python3
"""tessera sample on a posterior with several directions of a stream: the draws have the directions that NumPy computes on
a grid by the published formulas, the same bytes on 1 and 2 ranks and after a kill, and the file and the report tell the
hills and their weights. Usage: sample_hills.py PATH/OF/tessera"""

import json
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from killed_runs import HEAD, KilledRun  # noqa: E402
from stream_formulas import Formulas  # noqa: E402
from tessera_runs import answer, check, has_ranks, patience, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

MODEL = {"wedge": 82, "convolve": 16, "model": "2018", "turnoff": "gaussian",
         "background": {"profile": "hernquist", "epsilon": 0.99, "q": 0.6},
         "streams": [{"epsilon": -0.8, "mu": 32.0, "r": 27.0, "theta": 1.9, "phi": 0.55, "sigma": 2.0}],
         "areas": [{"r": (16.0, 22.5, 16), "mu": (0.0, 50.0, 12), "nu": (-1.25, 1.25, 2)}]}
FREE = '[fit]\nfree = ["stream1.theta", "stream1.phi"]\n'
NARROW = FREE + """[prior]
"stream1.theta" = { distribution = "uniform", lower = 1.7, upper = 2.1 }
"stream1.phi" = { distribution = "uniform", lower = 0.3, upper = 0.6 }
"""
OPTIONS = ("--quadrature", "gauss", "--tolerance", "1e-7", "--device", "openmp")
LONG, SHORT = ("--warmup", "120", "--draws", "350"), ("--warmup", "60", "--draws", "60")
GROUPS = ("sample", "posterior", "sample_stats")
STEPS = 24


def directions(theta, phi):
    """Numbers that an axis has whatever its sign."""
    x, y, z = numpy.sin(theta) * numpy.cos(phi), numpy.sin(theta) * numpy.sin(phi), numpy.cos(theta)
    return {"xx": x * x, "xy": x * y, "yy": y * y, "xz": x * z, "yz": y * z}


def on_grid(stars):
    """Means and standard deviations of directions(). Half a turn of phi has every axis once."""
    theta = numpy.pi * (numpy.arange(STEPS) + 0.5) / STEPS
    phi = theta - numpy.pi / 2
    stream, logs = dict(MODEL["streams"][0]), numpy.empty((STEPS, STEPS))
    for i, stream["theta"] in enumerate(theta):
        for j, stream["phi"] in enumerate(phi):
            logs[i, j] = Formulas({**MODEL, "streams": [stream]}).log_likelihood(stars)
    probabilities = numpy.exp(logs - logs.max())
    probabilities /= probabilities.sum()
    found = {}
    for name, values in directions(*numpy.meshgrid(theta, phi, indexing="ij")).items():
        mean = (values * probabilities).sum()
        found[name] = mean, numpy.sqrt(((values - mean) ** 2 * probabilities).sum())
    return found


def command(program, output, *words, wedge="wedge.toml"):
    return [program, "sample", wedge, "--stars", "stars.txt", *OPTIONS, "-o", output, *words]


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_posterior(folder):
    expected = on_grid(numpy.loadtxt(folder / "stars.txt", skiprows=1))
    with h5py.File(folder / "one.h5") as file:
        draws = directions(*(file[f"posterior/stream1.{name}"][:].ravel() for name in ("theta", "phi")))
        size = file["sample/ess_bulk"][:].min()
        check(size > 150 and file["sample/r_hat"][:].max() < 1.05, f"{size} independent draws")
    for name, (mean, sd) in expected.items():
        found = draws[name].mean()
        check(abs(found - mean) < 5 * sd / numpy.sqrt(size), f"{name}: {found} instead of {mean}, sd {sd}")
        print(f"{name}: {found:.4f}, by the formulas {mean:.4f}")


def check_hills(folder, program):
    with h5py.File(folder / "one.h5") as file:
        group, hill = file["sample/hills"], file["sample_stats/hill"][:]
        weights, tops = group["weights"][:], group["tops"][:]
        shares = [(hill == k).mean() for k in range(len(weights))]
        changes = (hill[:, 1:] != hill[:, :-1]).sum()
        check(len(weights) >= 2 and numpy.allclose(weights, shares), f"weights {weights}, shares of draws {shares}")
        check(group.attrs["changes"] == changes > 50, f"{changes} changes")
        check(0 < group["weight_errors"][:].min() and group["log_densities"][:].max() == 0, "errors or densities")
        theta, phi = file["posterior/stream1.theta"][:], file["posterior/stream1.phi"][:]
        for k in range(len(weights)):  # each top is nearest to the mean of its own draws
            mean = numpy.array([theta[hill == k].mean(), phi[hill == k].mean()])
            check(numpy.argmin(((tops - mean) ** 2).sum(axis=1)) == k, f"hill {k}: top {tops[k]}, mean {mean}")
    text = done(run(program, "info", "one.h5", cwd=folder))
    check(f"{len(weights)} hills, between which chains changed {changes} times" in text, text)
    told = json.loads(done(run(program, "info", "one.h5", "--json", cwd=folder)))["sample"]["hills"]
    check([one["weight"] for one in told] == list(weights), f"info: {told}")


def check_resumed(folder, program):
    """Killed on two ranks, and gone on with on one."""
    scratch = folder / "scratch"
    scratch.mkdir()
    process = KilledRun(command(program, "again.h5", *SHORT, "--hills", "auto"), 2, folder, scratch)
    journal, latest = folder / "again.h5.partial" / "evaluations", time.monotonic() + patience(60)
    while not process.ended() and time.monotonic() < latest:
        if journal.exists() and journal.stat().st_size > HEAD + 12_000:
            break
        time.sleep(0.001)
    process.kill(one_rank=False)
    if not (folder / "again.h5").exists():  # it was not faster
        done(run(*command(program, "again.h5", *SHORT, "--hills", "auto"), cwd=folder))
    done(run(*command(program, "short.h5", *SHORT, "--hills", "auto"), cwd=folder))
    wanted, found = (answer(folder / name, GROUPS) for name in ("short.h5", "again.h5"))
    check("sample/hills/weights" in wanted, "the short sampling has one hill")
    different = sorted(key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key))
    check(not different, f"resumed: different {different}")
    shutil.rmtree(scratch)


def check_choices(folder, program):
    """Where scouts find one hill, the draws are those without scouts."""
    (folder / "narrow.toml").write_text(likelihood_files.toml(MODEL) + NARROW)
    for hills in ("auto", "off"):
        done(run(*command(program, f"{hills}.h5", *SHORT, "--hills", hills, wedge="narrow.toml"), cwd=folder))
    with h5py.File(folder / "auto.h5") as auto, h5py.File(folder / "off.h5") as off:
        check(all("hills" not in file["sample"] for file in (auto, off)), "more than one hill")
        check(off["sample"].attrs["evaluations"] == 0 < auto["sample"].attrs["evaluations"], "no scouts, or always")
    same = [answer(folder / f"{hills}.h5", ("posterior", "sample_stats")) for hills in ("auto", "off")]
    check(same[0] == same[1], "other draws because of the scouts")
    for words, reason in ((("--hills", "9"), "each needs a chain"), (("--hills", "some"), "auto, off, or a number"),
                          (("--hills", "2", "--method", "ensemble"), "does not look for hills")):
        result = run(*command(program, "bad.h5", *words), cwd=folder)
        check(result.returncode == 2 and reason in result.stderr and len(result.stderr.splitlines()) == 1,
              f"{words}: exit code {result.returncode}, {result.stderr}")
        check(not list(folder.glob("bad.h5*")), "something was left")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "wedge.toml").write_text(likelihood_files.toml(MODEL) + FREE)
        done(run(program, "simulate", "wedge.toml", "--number", "300", "--seed", "4", "-o", "stars.txt", cwd=folder))
        done(run(*command(program, "one.h5", *LONG, "--hills", "auto"), cwd=folder))
        check_hills(folder, program)
        check_posterior(folder)
        check_choices(folder, program)
        if has_ranks(program):
            check_resumed(folder, program)


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
