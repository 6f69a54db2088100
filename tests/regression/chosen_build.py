#!/usr/bin/env python3
"""--device and --gpu-fraction, tessera devices, and the choice among builds by tessera plan and tessera run. Shell
scripts that answer as builds do take the place of builds for GPUs.
Usage: chosen_build.py PATH/OF/tessera"""

import json
import os
import pathlib
import shlex
import shutil
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import check, own_lines, run  # noqa: E402

ORBITAL = ("orbital", "water.molden", "--spacing", "0.3")


def refused(result, code, words):
    told = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    check(result.returncode == code and not result.stdout and len(told) == 1 and words in told[0],
          f"expected {code} and '{words}': {result.returncode} {result.stdout}{result.stderr}")


def check_devices(program, folder):
    told = json.loads(run(program, "devices", "--json").stdout)
    check(told["cpu"]["cores"] > 0 and told["cpu"]["name"] and told["revision"], f"devices: {told}")
    text = run(program, "devices").stdout
    check(text.startswith("cpu ") and told["cpu"]["name"] in text, f"devices: {text}")
    if not told["cuda"]["built"]:
        check(told["gpus"] == [] and "without CUDA" in told["cuda"]["why_not"], f"devices: {told}")
        refused(run(program, *ORBITAL, "--device", "cuda:0", "-o", "no.h5", cwd=folder), 4, "no CUDA device (this program was built without CUDA)")
    refused(run(program, *ORBITAL, "--device", "cpu,cuda:99", "-o", "no.h5", cwd=folder), 4, "cuda" if told["gpus"] else "CUDA")
    for name in ("cuda:", "cuda:-1", "cuda:0,", "auto,cpu", "gpu"):
        refused(run(program, *ORBITAL, "--device", name, "-o", "no.h5", cwd=folder), 2, f"'{name}' is neither auto nor a list")
    for part in ("0", "1.5", "-0.5", "nan", "half"):
        refused(run(program, *ORBITAL, "--gpu-fraction", part, "-o", "no.h5", cwd=folder), 2, "--gpu-fraction")
    check(not (folder / "no.h5").exists(), "a refused run left a file")
    print("devices:", text.splitlines()[-1])


def check_names_of_processors(program, folder):
    """`cpu` is `openmp`, and ranks take the members of a list in turn; none of this changes a bit."""
    def backends(name, *options, ranks=0):
        made = run(program, *ORBITAL, *options, "-o", name, cwd=folder, ranks=ranks)
        check(made.returncode == 0, f"{options}: {made.stderr}")
        with h5py.File(folder / name) as file:
            return [row["backend"].decode() for row in file["run/ranks"]]

    check(backends("openmp.h5", "--device", "openmp") == ["openmp"], "openmp is another backend")
    check(backends("cpu.h5", "--device", "cpu", "--gpu-fraction", "0.5") == ["openmp"], "cpu is another backend")
    names = ["openmp.h5", "cpu.h5"]
    if tessera_runs.has_ranks(program):
        took = backends("list.h5", "--device", "serial,cpu", ranks=2)
        check(took == ["serial", "openmp"], f"ranks took {took}")
        names.append("list.h5")
    answers = [tessera_runs.answer(folder / name, ("orbitals",)) for name in names]
    check(all(answer == answers[0] for answer in answers), "the name of the device changed the result")


def check_part_of_a_gpu(program, folder):
    """A plan knows the part of a GPU that is not here."""
    def free(*options):
        plan = run(program, "plan", *ORBITAL, "--for-device", "A100", *options, "--json", cwd=folder)
        device = json.loads(plan.stdout)["ranks"][0]["device"]
        return device["free_bytes"] / device["memory_bytes"]

    check(abs(free() - 0.97) < 1e-6 and abs(free("--gpu-fraction", "0.25") - 0.25) < 1e-6, "parts of a GPU")


class StandIn:
    """A shell script that answers as a build with GPUs does."""

    def __init__(self, folder, name, plan, gpus, revision="another"):
        self.path = folder / name / "tessera"
        self.path.parent.mkdir(exist_ok=True)
        devices = {"revision": revision, "cuda": {"built": True, "why_not": "" if gpus else "the driver is too old"},
                   "gpus": [{"name": f"cuda:{i}", "number": i, "model": "NVIDIA H200", "why_not": ""} for i in range(gpus)]}
        lines = (f"case $1 in devices) echo {shlex.quote(json.dumps(devices))} ;;",
                 f"plan) echo {shlex.quote(json.dumps(plan))} ;;",
                 '*) echo "ran <$*>"; exit 7 ;; esac')
        self.path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
        self.path.chmod(0o755)


def gpu_plan(plan, factor):
    """The plan of a GPU on which everything takes `factor` times as long as in `plan`."""
    other = json.loads(json.dumps(plan))
    for phase in other["phases"]:
        phase["seconds"] *= factor
    for rank in other["ranks"]:
        for key in ("seconds_per_item", "start_seconds", "first_tile_seconds"):
            rank[key] *= factor
        rank["device"].update(name="NVIDIA H200", backend="cuda")
    return other


def short_plan(plan):
    """The plan of a GPU that takes 0.01 s for a hundred tiles and no time for anything else."""
    other = gpu_plan(plan, 0)
    other["work"]["tiles"] = 100
    other["ranks"][0]["seconds_per_item"] = 0.01 / other["work"]["items"]
    next(phase for phase in other["phases"] if phase["name"] == other["work"]["phase"])["seconds"] = 0.01
    return other


def candidates_of(program, folder, builds, *options):
    told = run(program, "plan", *ORBITAL, *options, "--json", cwd=folder,
               environment={"TESSERA_BUILDS": ":".join(str(build.path) for build in builds)})
    check(told.returncode == 0, f"plan: {told.returncode} {told.stderr}")
    plan = json.loads(told.stdout)
    check([one["chosen"] for one in plan["candidates"]].count(True) == 1, f"not one is chosen: {plan['candidates']}")
    chosen = next(one for one in plan["candidates"] if one["chosen"])
    check(abs(chosen["total_seconds"] - plan["total_seconds"]) < 1e-9, "the plan is not that of the choice")
    return plan["candidates"], chosen


def check_choice(program, folder, plan):
    fast, slow = StandIn(folder, "fast", gpu_plan(plan, 0.01), 1), StandIn(folder, "slow", gpu_plan(plan, 100), 1)
    none = StandIn(folder, "none", plan, 0)
    candidates, chosen = candidates_of(program, folder, (slow, none, fast))
    check(chosen["build"] == str(fast.path) and chosen["devices"] == "cuda:0", f"chosen: {chosen}")
    check(any(one["why_not"] == "the driver is too old" for one in candidates), f"no rule: {candidates}")
    text = run(program, "plan", *ORBITAL, cwd=folder, environment={"TESSERA_BUILDS": str(fast.path)}).stdout
    check("chosen: the fastest" in text and "total" in text and f"{fast.path} orbital" in text, f"plan: {text}")
    ran = run(program, "run", *ORBITAL, "-o", "two words.h5", cwd=folder, environment={"TESSERA_BUILDS": str(fast.path)})
    check(ran.returncode == 7 and ran.stdout == f"ran <{' '.join(ORBITAL)} -o two words.h5>\n", f"run: {ran.stdout}{ran.stderr}")
    check(f"tessera run: {fast.path} orbital" in ran.stderr and "'two words.h5'" in ran.stderr, f"run: {ran.stderr}")
    ran = run(program, "run", *ORBITAL, "-o", "true.h5", cwd=folder, environment={"TESSERA_BUILDS": str(slow.path)})
    check(ran.returncode == 0 and (folder / "true.h5").exists(), f"run: {ran.stderr}")
    told = json.loads(run(program, "info", "--json", "true.h5", cwd=folder).stdout)
    check("orbital water.molden" in json.dumps(told), f"info: {told}")


def check_several_gpus(program, folder, plan):
    """mpirun starts a rank for each GPU, and with --mixed one more on the cores."""
    revision = json.loads(run(program, "devices", "--json").stdout)["revision"]
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "mpirun").write_text('#!/bin/sh\necho "mpirun <$*> $OMPI_MCA_hwloc_base_binding_policy"\n')
    (bin_folder / "mpirun").chmod(0o755)
    two = StandIn(folder, "two", short_plan(plan), 2, revision)
    environment = {"TESSERA_BUILDS": str(two.path), "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    words = " ".join(ORBITAL)
    ran = run(program, "run", *ORBITAL, cwd=folder, environment=environment)
    expected = f"mpirun <-n 2 {two.path} {words}> none\n"
    check(ran.returncode == 0 and ran.stdout == expected, f"run: {ran.stdout}{ran.stderr}")
    _, chosen = candidates_of(program, folder, (two,))
    check(chosen["ranks"] == 2, f"chosen: {chosen}")
    mixed, _ = candidates_of(program, folder, (two,), "--mixed")
    check("OMP_NUM_THREADS" in str(mixed[-1]["command"]) or "no core free" in mixed[-1]["why_not"], f"mixed: {mixed}")


def check_refused(program, folder):
    run_ = lambda *words, **more: run(program, "run", *words, cwd=folder, **more)  # noqa: E731
    refused(run_("info", "openmp.h5"), 2, "cannot choose devices for 'info'")
    refused(run_("orbital", "none.molden", "-o", "no.h5"), 2, "none.molden")
    refused(run_(*ORBITAL, "--colour", "red"), 2, "--colour")
    refused(run_(), 2, "command")
    refused(run_("--mixd", *ORBITAL), 2, "--mixd")
    refused(run_(*ORBITAL, "-o", "no.h5", environment={"PMI_RANK": "0"}), 2, "below mpirun")
    helped = run_("orbital", "--help")
    check(helped.returncode == 0 and "--isosurface" in helped.stdout, f"run orbital --help: {helped.stderr}")
    full = run_(*ORBITAL, "--device", "cuda:99", "-o", "no.h5")
    check(full.returncode == 4 and "no build can do this" in full.stderr and "as given" in full.stderr, f"run: {full.stderr}")
    check(not (folder / "no.h5").exists(), "a refused run left a file")


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ.pop("TESSERA_BUILDS", None)
    with tempfile.TemporaryDirectory(prefix="tessera-choice-") as name:
        folder = pathlib.Path(name)
        shutil.copy(pathlib.Path(os.environ["TESSERA_SOURCE_DIR"]) / "examples/water.molden", folder)
        check_devices(program, folder)
        check_names_of_processors(program, folder)
        check_part_of_a_gpu(program, folder)
        plan = json.loads(run(program, "plan", *ORBITAL, "--json", cwd=folder).stdout)
        check("candidates" not in plan, "one build is compared")
        check_choice(program, folder, plan)
        check_several_gpus(program, folder, plan)
        check_refused(program, folder)
        check(not list(folder.glob("*.partial")), "a plan left files")


main()
