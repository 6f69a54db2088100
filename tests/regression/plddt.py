#!/usr/bin/env python3
"""tessera dock --plddt: a tail of low confidence changes neither grid nor poses, the file and every command say what
was left out, exported models hold the whole partners, and B factors of experiments are never taken for pLDDT.
Usage: plddt.py PATH/OF/tessera"""

import json
import pathlib
import random
import re
import shutil
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

TAIL = 40
OPTIONS = ("--coefficients", "balanced", "--spacing", "4", "--rotations", "24", "--poses", "60")
REFINED = (*OPTIONS, "--refine", "40", "--duplicate-radius", "0")
TITLE = "TITLE     ALPHAFOLD MONOMER V2.0 PREDICTION FOR A GLOBULE (X00000)"
CRYSTAL = ("EXPDTA    X-RAY DIFFRACTION", "REMARK   2 RESOLUTION.    1.90 ANGSTROMS.")
# What may differ: the hash of the file, its atoms, and what the run says of them.
OF_FILE = re.compile(r"docking@(receptor|ligand)_sha256|docking/(receptor|ligand)/atoms|docking/plddt")


def with_b(lines, value):
    return [line[:60] + f"{value(int(line[22:26])):6.2f}" + line[66:] if line.startswith("ATOM") else line
            for line in lines]


def tail_of(lines, count, seed):
    """Residues that walk away from the last one in the file, which the TER record ends."""
    last = [line for line in lines if line.startswith("ATOM") and line[12:16].strip() == "CA"][-1]
    place = [float(last[i:i + 8]) for i in (30, 38, 46)]
    number, generator, tail = int(last[22:26]), random.Random(seed), []
    for step in range(1, count + 1):
        place = [x + shift for x, shift in zip(place, (3.0, generator.uniform(-1.5, 1.5), 1.6))]
        tail.append(("LEU", place))
    named = tessera_runs.pdb_lines(tail, last[21])[:-1]
    return [line[:22] + f"{number + int(line[22:26]):4d}" + line[26:] for line in named]


def write_models(folder):
    """Of both partners: *_core.pdb without a tail, *_tail.pdb with one, and *_crystal.pdb, whose B factors are the
    pLDDT of *_tail.pdb."""
    tessera_runs.write_pair(folder)
    for partner, seed in (("receptor", 3), ("ligand", 4)):
        core = [line for line in (folder / f"{partner}.pdb").read_text().splitlines() if line.startswith("ATOM")]
        last = int(core[-1][22:26])
        whole = with_b(core + tail_of(core, TAIL, seed),
                       lambda n, last=last: 92 - n % 7 if n <= last else 30 + n % 11)
        for name, head, lines in (("core", [TITLE], whole[:len(core)]), ("tail", [TITLE], whole),
                                  ("crystal", CRYSTAL, whole), ("silent", [], whole),
                                  ("flat", [TITLE], with_b(whole, lambda n: 1.0))):
            (folder / f"{partner}_{name}.pdb").write_text("\n".join([*head, *lines, "TER", "END", ""]))


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout + result.stderr


def dock(program, folder, kinds, output, *words, options=OPTIONS, ranks=0):
    receptor, ligand = (f"{partner}_{kind}.pdb" for partner, kind in zip(("receptor", "ligand"), kinds))
    return done(run(program, "dock", receptor, ligand, *options, *words, "-o", output, cwd=folder, ranks=ranks))


def poses(path):
    """Everything that does not speak of the files."""
    return {key: value for key, value in answer(path).items() if not OF_FILE.match(key)}


def check_same_poses(program, folder):
    core_text = dock(program, folder, ("core", "core"), "core.h5", options=REFINED)
    check("no residue is below pLDDT 70" in core_text, core_text)
    text = dock(program, folder, ("tail", "tail"), "tail.h5", options=REFINED)
    check(poses(folder / "tail.h5") == poses(folder / "core.h5"), "the tails change the poses")
    for partner in ("receptor", "ligand"):
        with h5py.File(folder / "tail.h5") as file:
            group = file[f"docking/plddt/{partner}"]
            residues, index = group.attrs["residues"], group["residue_index"][:]
            atoms = file[f"docking/{partner}/atoms/residue_index"][:]
            check(index.tolist() == list(range(residues - TAIL, residues)), f"left out: {index}")
            check(atoms.max() == residues - 1, "the file lacks atoms of the tail")
            check(group.attrs["threshold"] == 70 and "TITLE names AlphaFold" in group.attrs["source"], "attributes")
        line = f"{partner}: {TAIL} of {residues} residues below pLDDT 70 are left out"
        check(sum(line in one for one in text.splitlines()) == 1, f"{line}\n{text}")
        check(line in done(run(program, "info", "tail.h5", cwd=folder)), "info")
    facts = json.loads(done(run(program, "info", "tail.h5", "--json", cwd=folder)))["docking"]["plddt"]
    check(facts["ligand"]["residues_left_out"] == TAIL and facts["receptor"]["threshold"] == 70, f"{facts}")
    whole = dock(program, folder, ("tail", "tail"), "whole.h5", "--plddt", "off")
    check("stick out and enlarge the grid" in whole, whole)
    with h5py.File(folder / "whole.h5") as off, h5py.File(folder / "tail.h5") as cut:
        check(off["docking"].attrs["grid"] > cut["docking"].attrs["grid"], "the tail enlarges no grid")
        check("plddt" not in off["docking"], "a group with --plddt off")


def check_experiments(program, folder):
    """Without pLDDT the option's default changes nothing."""
    for kind in ("crystal", "silent", "flat"):
        text = dock(program, folder, (kind, kind), f"{kind}.h5")
        dock(program, folder, (kind, kind), f"{kind}_off.h5", "--plddt", "off")
        check(answer(folder / f"{kind}.h5") == answer(folder / f"{kind}_off.h5"), f"{kind}: auto differs from off")
        check(("plddt" in text.lower()) == (kind != "crystal"), f"{kind}\n{text}")
        with h5py.File(folder / f"{kind}.h5") as file:
            check("plddt" not in json.loads(file["run"].attrs["input"]), "the input names a default")
    check("--plddt receptor=70 leaves out 40 of" in dock(program, folder, ("silent", "core"), "hint.h5"), "no hint")
    dock(program, folder, ("silent", "core"), "forced.h5", "--plddt", "receptor=70")
    dock(program, folder, ("tail", "core"), "said.h5")
    check(poses(folder / "forced.h5") == poses(folder / "said.h5"), "a forced threshold differs")


def check_models(program, folder):
    """Exported models hold the whole partners; the tail of the ligand moves with it."""
    done(run(program, "export", "tail.h5", "--poses", "1", "models", "--set", "balanced", cwd=folder))
    done(run(program, "export", "core.h5", "--poses", "1", "cores", "--set", "balanced", cwd=folder))
    done(run(program, "export", "tail.h5", "--clusters", "1", "--multi-model", "-o", "top.cif", cwd=folder))
    lines = (folder / "models/balanced_0001.pdb").read_text().splitlines()
    cores = (folder / "cores/balanced_0001.pdb").read_text().splitlines()
    remarks = "".join(line[11:].rstrip("\n") for line in lines if line.startswith("REMARK"))
    check("not docked, pLDDT below 70: receptor A" in remarks and "ligand B" in remarks, remarks)
    check("not docked" in (folder / "top.cif").read_text(), "the remark of the mmCIF file")

    def places(lines, chain):
        return {(int(line[22:26]), line[12:16]): numpy.array([float(line[i:i + 8]) for i in (30, 38, 46)])
                for line in lines if line.startswith("ATOM") and line[21] == chain}

    for chain, partner in (("A", "receptor"), ("B", "ligand")):
        model, core = places(lines, chain), places(cores, chain)
        file = places((folder / f"{partner}_tail.pdb").read_text().splitlines(), chain)
        check(model.keys() == file.keys() and core.keys() < model.keys(), f"atoms of chain {chain}")
        check(all((model[key] == core[key]).all() for key in core), f"chain {chain} is elsewhere")
        first, last = min(file), max(file)
        length = numpy.linalg.norm(file[first] - file[last])
        check(abs(numpy.linalg.norm(model[first] - model[last]) - length) < 0.01, f"chain {chain} is torn")


def check_report(program, folder):
    done(run(program, "report", "tail.h5", "-o", "tail.html", cwd=folder))
    done(run(program, "report", "core.h5", "-o", "core.html", cwd=folder))
    data = [json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', (folder / name).read_text(), re.S).group(1))
            for name in ("tail.html", "core.html")]
    left_out = data[0]["docking"].pop("left_out")
    check(len(left_out) == 2 and left_out[0].startswith(f"receptor: {TAIL} of "), f"{left_out}")
    check(data[0]["docking"] == data[1]["docking"], "the report shows what was not docked")


def check_again(program, folder):
    """rescore, rerun, plan, ranks and tables of pairs."""
    radius = ("--cluster-radius", "5")
    for name in ("tail", "core"):
        done(run(program, "rescore", f"{name}.h5", *radius, "--rescoring", "general", "-o", f"{name}5.h5", cwd=folder))
    check(poses(folder / "tail5.h5") == poses(folder / "core5.h5"), "rescore differs")
    moved = folder / "away"
    moved.mkdir()
    shutil.copy(folder / "tail.h5", moved)
    done(run(program, "rescore", "tail.h5", *radius, "--rescoring", "general", "-o", "tail5.h5", cwd=moved))
    check(answer(moved / "tail5.h5") == answer(folder / "tail5.h5"), "rescore without the files differs")
    done(run(program, "rerun", "tail.h5", "-o", "rerun.h5", cwd=folder))
    check(answer(folder / "rerun.h5") == answer(folder / "tail.h5"), "rerun differs")
    plan = done(run(program, "plan", "dock", "receptor_tail.pdb", "ligand_tail.pdb", *OPTIONS, cwd=folder))
    check(f"receptor: {TAIL} of " in plan and "stick out" not in plan, plan)
    if tessera_runs.has_ranks(program):
        dock(program, folder, ("tail", "tail"), "two.h5", options=REFINED, ranks=2)
        check(answer(folder / "two.h5") == answer(folder / "tail.h5"), "two ranks differ from one")


def check_pairs(program, folder):
    (folder / "pairs.csv").write_text(
        "name,receptor,ligand,plddt\nauto,receptor_tail.pdb,ligand_tail.pdb,\n"
        "off,receptor_tail.pdb,ligand_tail.pdb,off\nhalf,receptor_tail.pdb,ligand_tail.pdb,receptor=70;ligand=off\n"
        "core,receptor_core.pdb,ligand_core.pdb,auto\n")
    dock(program, folder, ("tail", "tail"), "auto.h5")
    dock(program, folder, ("tail", "tail"), "half.h5", "--plddt", "receptor=70,ligand=off")
    done(run(program, "dock", "--pairs", "pairs.csv", *OPTIONS, "-o", "all", cwd=folder))
    for pair, single in (("auto", "auto"), ("off", "whole"), ("half", "half")):
        check(answer(folder / f"all/{pair}.h5") == answer(folder / f"{single}.h5"), f"{pair} of the table differs")
    check(poses(folder / "all/core.h5") == poses(folder / "auto.h5"), "core of the table differs")
    plan = done(run(program, "plan", "dock", "--pairs", "pairs.csv", *OPTIONS, cwd=folder))
    check("pair off" in plan and "pair auto" not in plan, plan)


def check_refused(program, folder):
    (folder / "block").write_text("receptor A 9999\n")
    (folder / "column.csv").write_text("receptor,ligand,plddt\nreceptor_tail.pdb,ligand_tail.pdb,much\n")
    models = ("receptor_tail.pdb", "ligand_tail.pdb")
    crystals = ("receptor_crystal.pdb", "ligand_silent.pdb")
    cases = {(*models, "--plddt", "95"): "no residue of the receptor is left",
             (*models, "--plddt", "0.7"): "out of range",
             (*models, "--plddt", "101"): "out of range",
             (*models, "--plddt", "much"): "'much'",
             (*models, "--plddt", "receptor=70,receptor=50"): "once",
             (*models, "--plddt", "antigen=70"): "receptor=70,ligand=off",
             (*crystals, "--plddt", "60"): "EXPDTA says that it is an experiment",
             ("receptor_flat.pdb", "ligand_tail.pdb", "--plddt", "receptor=60"): "all of its values are the same",
             (*models, "--block", "block"): "40 residues of low pLDDT are left out",
             ("--pairs", "column.csv"): "line 2"}
    for words, part in cases.items():
        result = run(program, "dock", *words, *OPTIONS, "--quiet", "-o", "refused.h5", cwd=folder)
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and part in lines[0], f"{words}: {lines}")
        check(not (folder / "refused.h5").is_file(), f"{words}: a file is left")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_models(folder)
        for check_one in (check_same_poses, check_experiments, check_models, check_report, check_again, check_pairs,
                          check_refused):
            check_one(sys.argv[1], folder)


if __name__ == "__main__":
    main()
