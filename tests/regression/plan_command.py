#!/usr/bin/env python3
"""tessera plan: for every workload it says which device, what size and how long, on one rank and on two, and
leaves no file behind; what cannot run is told with exit code 4, bad input in one line.
Usage: plan_command.py PATH/OF/tessera"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import fail, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
DOCK = ["dock", "receptor.pdb", "ligand.pdb", "--rotations", "240", "--spacing", "2"]
ORBITAL = ["orbital", "water.molden", "--spacing", "0.2"]
LIKELIHOOD = ["likelihood", "wedge.toml", "--stars", "stars.txt"]
FIT = ["fit", "wedge.toml", "--stars", "stars.txt"]
SAMPLE = ["sample", "wedge.toml", "--stars", "stars.txt"]
PHASES = {"dock": ("prepare", "start device", "search", "cluster and evaluate"),
          "pairs": ("prepare", "start device", "search", "last pair written"),
          "orbital": ("reading", "planning", "start device", "tiles"),
          "likelihood": ("reading", "start device", "tiles"), "fit": ("reading", "start device", "fit"),
          "sample": ("reading", "start device", "sample", "diagnostics")}


def planned(program, folder, *arguments, ranks=0):
    result = run(program, "plan", *arguments, "--json", ranks=ranks, cwd=folder)
    if result.returncode != 0:
        fail(f"plan {' '.join(arguments)}: exit code {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout)


def check_whole(plan, workload, ranks=1):
    if plan["workload"] != {"pairs": "dock"}.get(workload, workload) or not plan["can_run"] or len(plan["ranks"]) != ranks:
        fail(f"not a plan of {workload} on {ranks} ranks: {plan}")
    phases = {phase["name"]: phase["seconds"] for phase in plan["phases"]}
    if not set(PHASES[workload]) <= set(phases) or min(phases.values()) < 0:
        fail(f"phases of {workload}: {phases}")
    if abs(sum(phases.values()) - plan["total_seconds"]) > 1e-6:
        fail(f"the phases of {workload} do not add up")
    for rank in plan["ranks"]:
        device = rank["device"]
        if not (rank["items_per_second"] > 0 and device["name"] and device["bandwidth_bytes_per_second"] > 0
                and 0 < device["free_bytes"] <= device["memory_bytes"]):
            fail(f"a rank without figures: {rank}")
    if not plan["work"]["items"] > 0 or not plan["work"]["tiles"] > 0:
        fail(f"no work in a plan of {workload}")


def check_workloads(program, folder):
    for arguments in (DOCK, ORBITAL, LIKELIHOOD, LIKELIHOOD + ["--integration", "exact"], FIT,
                      SAMPLE, ORBITAL + ["--density", "--orbitals", "HOMO", "--isosurface", "0.05", "--grids", "--compress",
                                 "4", "-o", "never.h5"],
                      DOCK + ["--reference", "complex.pdb", "--coefficients", "balanced"]):
        check_whole(planned(program, folder, *arguments), arguments[0])
    plan = planned(program, folder, *DOCK)
    if plan["work"]["items"] != 240 or plan["work"]["tiles"] != 2:
        fail(f"240 rotations are 2 tiles of at most 192, not {plan['work']}")
    text = run(program, "plan", *DOCK, cwd=folder)
    if text.returncode != 0 or "rotations/s" not in text.stdout or "total" not in text.stdout:
        fail(f"the table does not say what it should:\n{text.stdout}{text.stderr}")


def check_size_decides(program, folder):
    """By the table, so that nothing is timed."""
    def total(*arguments):
        return planned(program, folder, *arguments, "--for-device", "H200")["ranks"][0]["seconds_per_item"]

    if not total(*DOCK, "--grid", "96") > total(*DOCK, "--grid", "64"):
        fail("a larger grid does not take longer")
    if not total(*DOCK) > total(*DOCK, "--coefficients", "balanced"):
        fail("four sets do not take longer than one")
    if not total(*LIKELIHOOD, "--integration", "exact") > total(*LIKELIHOOD, "--integration", "exact",
                                                               "--precision", "single-compensated"):
        fail("FP32 is not faster than FP64")


def check_other_devices(program, folder):
    for arguments in (DOCK, ORBITAL, LIKELIHOOD, LIKELIHOOD + ["--integration", "exact"], FIT, SAMPLE):
        plan = planned(program, folder, *arguments, "--for-device", "A100")
        check_whole(plan, arguments[0])
        rank = plan["ranks"][0]
        if "A100" not in rank["device"]["name"] or rank["device"]["backend"] != "cuda" or \
                rank["basis"] != "table":
            fail(f"not a plan for an A100: {rank}")
    result = run(program, "plan", *DOCK, "--for-device", "H200", "--memory", "0.001", "--json", cwd=folder)
    plan = json.loads(result.stdout)
    if result.returncode != 4 or plan["can_run"] or "does not fit" not in plan["ranks"][0]["why_not"] or \
            "total_seconds" in plan:
        fail(f"a grid that does not fit is planned: {result.returncode} {plan}")


def check_samplings(program, folder):
    """The chains are the tiles: so many ranks have something to do. An ensemble evaluates each draw once, after a start
    of some hundred gradients."""
    def sampling(*arguments):
        return planned(program, folder, *SAMPLE, *arguments, "--for-device", "H200")

    nuts, ensemble = sampling(), sampling("--method", "ensemble", "--chains", "40", "--draws", "2000")
    if nuts["work"]["tiles"] != 4 or ensemble["work"]["tiles"] != 20:
        fail(f"4 chains and 40 walkers: {nuts['work']}, {ensemble['work']}")
    if not 0 < ensemble["work"]["items"] - 40 * (1000 + 2000) < 1000:
        fail(f"40 walkers, 3,000 draws of each: {ensemble['work']}")
    short = sampling("--warmup", "500", "--draws", "500", "--max-depth", "2")  # at most 3 gradients for each draw
    if not 4000 < short["work"]["items"] <= 4 * 1000 * 3 + 1000 or not short["total_seconds"] < nuts["total_seconds"]:
        fail(f"a short sampling: {short['work']}")
    if not any("MB of memory" in note for note in nuts["notes"]):
        fail(f"nothing about memory: {nuts['notes']}")


def check_refinement(program, folder):
    refined = planned(program, folder, *DOCK, "--refine", "100", "--poses", "150")
    phases = [phase["name"] for phase in refined["phases"]]
    if phases.index("refine") != phases.index("rank") + 1 or \
            not refined["ranks"][0]["second_stage_seconds_per_item"] > 0:
        fail(f"no refinement in {refined}")
    if "refine" in [phase["name"] for phase in planned(program, folder, *DOCK, "--refine", "0")["phases"]]:
        fail("a refinement that is not done is planned")


def check_pairs(program, folder):
    """A table is its pairs, each of its own size; rows that cannot be docked are named and left out."""
    (folder / "pairs.csv").write_text("name,receptor,ligand\na,receptor.pdb,ligand.pdb\nb,ligand.pdb,receptor.pdb\n"
                                      "lost,nowhere.pdb,ligand.pdb\nc,complex.pdb,ligand.pdb\n")
    options = DOCK[3:]
    table = ["dock", "--pairs", "pairs.csv", *options]
    check_whole(planned(program, folder, *table), "pairs")
    one = planned(program, folder, *DOCK, "--for-device", "H200")
    plan = planned(program, folder, *table, "--for-device", "H200")
    check_whole(plan, "pairs")
    if plan["work"]["items"] != 3 * one["work"]["items"] or plan["work"]["tiles"] != 3 * one["work"]["tiles"]:
        fail(f"three pairs are {plan['work']}, one is {one['work']}")
    notes = "\n".join(plan["notes"])
    grid = next(re.search(r"(\d+)\^3", note).group(1) for note in one["notes"] if note.startswith("grid"))
    if "pair lost fails" not in notes or f"grids of {grid}^3" not in notes:
        fail(f"notes of a plan of pairs, grid {grid}:\n{notes}")
    if tessera_runs.has_ranks(program):
        check_whole(planned(program, folder, *table, ranks=2), "pairs", ranks=2)
    (folder / "pairs.csv").write_text("receptor,ligand\nnowhere.pdb,ligand.pdb\n")
    result = run(program, "plan", *table, cwd=folder)
    if result.returncode != 2 or "no pair of 'pairs.csv' can be docked" not in result.stderr:
        fail(f"a table without pairs: {result.returncode} {result.stderr}")
    (folder / "pairs.csv").unlink()


def check_no_gpu(program, folder):
    result = run(program, "plan", *DOCK, "--device", "cuda", "--json", cwd=folder)
    plan = json.loads(result.stdout)
    if plan["can_run"]:
        return print("there is a GPU: its absence was not tested")
    if result.returncode != 4 or "CUDA" not in plan["ranks"][0]["why_not"]:
        fail(f"a device that is not there: {result.returncode} {plan}")


def check_ranks(program, folder):
    if not tessera_runs.has_ranks(program):
        return print("no mpiexec: one rank only")
    for arguments in (DOCK, ORBITAL, LIKELIHOOD + ["--integration", "exact"]):
        check_whole(planned(program, folder, *arguments, ranks=2), arguments[0], ranks=2)
    long = ["70000" if word == "240" else word for word in DOCK] + ["--for-device", "H200"]
    one, two = planned(program, folder, *long), planned(program, folder, *long, ranks=2)
    seconds = [next(p["seconds"] for p in plan["phases"] if p["name"] == "search") for plan in (one, two)]
    if not 1.8 < seconds[0] / seconds[1] <= 2.001:
        fail(f"two GPUs are planned to take {seconds[1]} s where one takes {seconds[0]} s")


def check_bad_input(program, folder):
    for arguments, words in ((["dock", "none.pdb", "ligand.pdb"], "none.pdb"),
                             (DOCK + ["--terms", "0"], "--terms"),
                             (DOCK + ["--for-device", "Abacus"], "A100"),
                             (DOCK + ["--colour", "red"], "--colour"),
                             (DOCK + ["--membrane", "-1000,1000"], "the membrane allows no pose"),
                             (DOCK + ["-o", "nowhere/run.h5"], "there is no folder 'nowhere'"),
                             (ORBITAL + ["-o", "nowhere/run.h5"], "mkdir -p nowhere"),
                             (FIT + ["-o", "stars.txt/run.h5"], "'stars.txt' is not a folder"),
                             (["orbital", "none.molden"], "none.molden"),
                             (["likelihood", "wedge.toml", "--stars", "none.txt"], "none.txt"),
                             (SAMPLE + ["--chains", "7", "--method", "ensemble"], "even number"),
                             (SAMPLE + ["--fit", "stars.txt"], "stars.txt"),
                             (["simulate"], "unknown command 'simulate'"), ([], "subcommand")):
        for ranks in (0, 2) if arguments == ["dock", "none.pdb", "ligand.pdb"] and \
                tessera_runs.has_ranks(program) else (0,):
            result = run(program, "plan", *arguments, ranks=ranks, cwd=folder)
            told = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
            if result.returncode != 2 or len(told) != 1 or not LINE.match(told[0]) or \
                    not re.search(words, told[0]) or result.stdout:
                fail(f"plan {arguments}: {result.returncode}\n{result.stdout}{result.stderr}")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-plan-"))
    try:
        tessera_runs.write_pair(folder)
        source = pathlib.Path(os.environ["TESSERA_SOURCE_DIR"])
        shutil.copy(source / "examples" / "water.molden", folder)
        (folder / "wedge.toml").write_text(likelihood_files.toml(likelihood_files.model()))
        (folder / "stars.txt").write_text(likelihood_files.stars(300))
        before = sorted(folder.iterdir())
        check_workloads(program, folder)
        check_size_decides(program, folder)
        check_other_devices(program, folder)
        check_samplings(program, folder)
        check_refinement(program, folder)
        check_pairs(program, folder)
        check_no_gpu(program, folder)
        check_ranks(program, folder)
        check_bad_input(program, folder)
        if sorted(folder.iterdir()) != before:
            fail("a plan left files behind")
    finally:
        shutil.rmtree(folder)


main()
