#!/usr/bin/env python3
"""tessera sample has the same bytes on 1, 2 and 3 ranks, and after it was killed on one number of ranks and gone on
with on another. Both samplers agree, and what the file, the table, the report and ArviZ say is the same.
Usage: sample_ranks.py PATH/OF/tessera"""

import csv
import io
import json
import pathlib
import random
import re
import shutil
import sys
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from killed_runs import HEAD, KilledRun  # noqa: E402
from likelihood_files import SMALL_WEDGE  # noqa: E402
from tessera_runs import answer, check, in_folder_on_ranks, patience, run  # noqa: E402

WEDGE = SMALL_WEDGE + """[fit]
free = ["stream1.mu", "stream1.r", "stream1.sigma"]
[prior]
"stream1.r" = { distribution = "normal", mean = 26, sd = 2 }
"stream1.sigma" = { distribution = "log-uniform", lower = 0.5, upper = 8 }
"""
GROUPS = ("sample", "posterior", "sample_stats")
METHODS = {"nuts": ("--chains", "3", "--warmup", "150", "--draws", "300"),
           "ensemble": ("--method", "ensemble", "--chains", "12", "--warmup", "200", "--draws", "1500")}
GOES_ON = re.compile(r"goes on after (\d+) batches")


def command(program, method):
    return [program, "sample", "wedge.toml", "--stars", "stars.txt", "--tolerance", "1e-7", "--device", "openmp",
            *METHODS[method]]


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def check_same(wanted, path, what):
    other = answer(path, GROUPS)
    different = sorted(key for key in wanted.keys() | other.keys() if wanted.get(key) != other.get(key))
    check(not different, f"{what}: different {different}")


def killed(program, folder, method, output, ranks):
    """Whether a run could be killed while it was sampling."""
    scratch = folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    process = KilledRun([*command(program, method), "-o", output], ranks, folder, scratch)
    journal, latest = folder / f"{output}.partial" / "evaluations", time.monotonic() + patience(60)
    enough = HEAD + random.randint(3000, 30000)
    while not process.ended() and time.monotonic() < latest:
        try:
            if journal.stat().st_size >= enough:
                break
        except FileNotFoundError:
            pass
        time.sleep(0.001)
    running = not process.ended()
    process.kill(one_rank=False)
    return running and not (folder / output).exists()


def check_resumed(program, folder, method, wanted):
    output = f"{method}-resumed.h5"
    for _ in range(8):
        if killed(program, folder, method, output, 2):
            break
        shutil.rmtree(folder / f"{output}.partial", ignore_errors=True)
        (folder / output).unlink(missing_ok=True)
    else:
        check(False, f"{method}: could not be killed in time")
    progress = json.loads(done(run(program, "info", f"{output}.partial", "--json", cwd=folder)).stdout)
    check(progress["tiles_total"] is None and progress["tiles_done"] > 5, f"progress: {progress}")
    told = GOES_ON.search(done(run(*command(program, method), "-o", output, ranks=1, cwd=folder)).stderr)
    check(told and int(told[1]) == progress["tiles_done"], f"{method}: it began anew")
    check_same(wanted, folder / output, f"{method}, resumed")
    check(not (folder / f"{output}.partial").exists(), "the folder of a whole sampling is there")


def check_samplers_agree(folder):
    """Means, and widths of the central 68 %, to within five of their standard errors. Few draws lie in a far tail of the
    width of the stream, so that a standard deviation differs by chance."""
    moments = {}
    for method in METHODS:
        with h5py.File(folder / f"{method}1.h5") as file:
            names, sizes = file["sample/names"].asstr()[:], file["sample/ess_bulk"][:]
            draws = numpy.array([file["posterior"][name][:].ravel() for name in names])
            check(numpy.allclose(draws.mean(axis=1), file["sample/mean"][:], rtol=1e-12), f"{method}: other means")
            check(file["sample/r_hat"][:].max() < 1.1 and sizes.min() > 40, f"{method}: R-hat {file['sample/r_hat'][:]}")
            low, high = numpy.quantile(draws, [0.1587, 0.8413], axis=1)
            moments[method] = (draws.mean(axis=1), draws.std(axis=1), high - low, sizes)
    (mean, sd, width, sizes), (other_mean, other_sd, other_width, other_sizes) = moments.values()
    error = numpy.sqrt(sd ** 2 / sizes + other_sd ** 2 / other_sizes)
    check((abs(mean - other_mean) < 5 * error).all(), f"means {mean} and {other_mean}, errors {error}")
    check((abs(width / other_width - 1) < 5 * numpy.sqrt(1 / sizes + 1 / other_sizes)).all(),
          f"widths {width} and {other_width}")


def check_readers(program, folder):
    with h5py.File(folder / "nuts1.h5") as file:
        names, shape = file["sample/names"].asstr()[:], (3, 300)
        mean, r = file["sample/mean"][:], file["posterior/stream1.r"][:]
        check(all(file["posterior"][name].shape == shape for name in names), "another shape")
        check(file["posterior/stream1.r"].dims[1][0].name == "/posterior/draw", "an axis has no name")
    rows = list(csv.DictReader(io.StringIO(done(run(program, "table", "nuts1.h5", cwd=folder)).stdout)))
    check([row["name"] for row in rows] == list(names) and [float(row["mean"]) for row in rows] == list(mean),
          f"table: {rows}")
    rows = list(csv.DictReader(io.StringIO(done(run(program, "table", "nuts1.h5", "--draws", cwd=folder)).stdout)))
    check([float(row["stream1.r"]) for row in rows] == list(r.ravel()), "table of draws")
    told = json.loads(done(run(program, "info", "nuts1.h5", "--json", cwd=folder)).stdout)["sample"]
    check([one["mean"] for one in told["parameters"]] == list(mean) and told["draws"] == 300, f"info: {told}")
    check("R-hat up to" in done(run(program, "info", "nuts1.h5", cwd=folder)).stdout, "info without R-hat")
    done(run(program, "report", "nuts1.h5", "-o", "nuts1.html", cwd=folder))
    page = re.search(r'id="data">(.*?)</script>', (folder / "nuts1.html").read_text(), re.DOTALL)[1]
    sample = json.loads(page)["sample"]
    check(sample["traces"][1] == [list(chain) for chain in r] and len(sample["pairs"][1]) == 900, "another trace")


def check_arviz(folder):
    try:
        import arviz
    except ImportError:
        print("ArviZ is not installed: not compared")
        return
    for method in METHODS:
        with h5py.File(folder / f"{method}1.h5") as file:
            names = file["sample/names"].asstr()[:]
            own = [file[f"sample/{name}"][:] for name in ("r_hat", "ess_bulk", "ess_tail")]
        data = arviz.from_netcdf(str(folder / f"{method}1.h5"))
        flags = data.sample_stats["diverging" if method == "nuts" else "accepted"]
        check(flags.dtype == bool, f"flags are {flags.dtype}")
        found = [arviz.rhat(data), arviz.ess(data, method="bulk"), arviz.ess(data, method="tail")]
        for mine, theirs in zip(own, found):
            theirs = [float(theirs[name]) for name in names]
            check(numpy.allclose(mine, theirs, rtol=1e-9), f"{method}: {mine}, by ArviZ {theirs}")
    print("ArviZ has the same diagnostics")


def check_refusals(program, folder):
    def refused(pattern, text, *words, code=2):
        (folder / "bad.toml").write_text(text)
        result = run(program, "sample", "bad.toml", "--stars", "stars.txt", "-o", "bad.h5", *words, cwd=folder)
        check(result.returncode == code and re.search(pattern, result.stderr) and
              len(result.stderr.splitlines()) == 1, f"{pattern}: exit code {result.returncode}, {result.stderr}")
        check(not list(folder.glob("bad.h5*")), "something was left")

    refused("prior of stream1.theta has no effect",
            WEDGE + '"stream1.theta" = { distribution = "uniform", lower = 1, upper = 2 }\n')
    refused("outside its bounds", WEDGE.replace("sigma = 3.0", "sigma = 9.0"))
    refused("truncate its prior", WEDGE.replace('"log-uniform", lower = 0.5, upper = 8', '"normal", mean = 3, sd = 1'))
    refused("--chains", WEDGE, "--chains", "-1")
    refused("even number", WEDGE, "--method", "ensemble", "--chains", "7")
    refused("even number", WEDGE, "--method", "ensemble", "--chains", "4")
    refused("between 0 and 1", WEDGE, "--target-acceptance", "1")
    refused("--free and --fix", WEDGE, "--free", "stream1.mu", "--fix", "stream1.mu")


def check_all(program, folder):
    (folder / "wedge.toml").write_text(WEDGE)
    done(run(program, "simulate", "wedge.toml", "--number", "400", "--seed", "4", "-o", "stars.txt", cwd=folder))
    for method in METHODS:
        done(run(*command(program, method), "-o", f"{method}1.h5", ranks=1, cwd=folder))
        wanted = answer(folder / f"{method}1.h5", GROUPS)
        for ranks in (2, 3):
            done(run(*command(program, method), "-o", f"{method}{ranks}.h5", ranks=ranks, cwd=folder))
            check_same(wanted, folder / f"{method}{ranks}.h5", f"{method}, 1 and {ranks} ranks")
        check_resumed(program, folder, method, wanted)
    check_samplers_agree(folder)
    check_readers(program, folder)
    check_arviz(folder)
    check_refusals(program, folder)
    print("the same draws on 1, 2 and 3 ranks and after a kill, by both samplers")


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(str(pathlib.Path(sys.argv[1]).resolve()), check_all))
