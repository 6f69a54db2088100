#!/usr/bin/env python3
"""tessera dock --keep, --drop: ions and cofactors are docked, stored, shown and exported with their protein, count as no
residues of it, and without them every bit is as before.
Usage: chemistry.py PATH/OF/tessera"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

OPTIONS = ("--coefficients", "balanced", "--spacing", "4", "--rotations", "24", "--poses", "60")
REFINED = (*OPTIONS, "--refine", "40", "--duplicate-radius", "0")
# What may differ although the same atoms are docked.
OF_FILE = re.compile(r"docking@(receptor|ligand)_sha256|docking/chemistry")
LEFT_OUT = "left out 1 GOL (additive), 1 L1G (unknown, --keep auto,L1G keeps it), 1 MG (ion that is not bound)"
PHOSPHATE = (("PG", (0, 0, 0)), ("O1G", (0.85, 0.85, 0.85)), ("O2G", (-0.85, -0.85, 0.85)),
             ("O3G", (0.85, -0.85, -0.85)), ("O3B", (-0.9, 0.9, -0.9)))


def hetero_line(name, residue, number, point, chain="A"):
    element = residue if residue in ("ZN", "MG") else name[0]
    atom = name if len(element) > 1 else f" {name}"
    x, y, z = point
    return (f"HETATM 9000 {atom:<4s} {residue:>3s} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00"
            f"          {element:>2s}")


def write_files(folder):
    """receptor_full.pdb: the receptor with a zinc ion at N and O of a residue of its surface, a phosphate with the
    names of ATP, a magnesium ion, a glycerol, a ligand and a water, all on the side away from the cut.
    ligand_full.pdb: the ligand with a zinc ion."""
    tessera_runs.write_pair(folder)
    for partner in ("receptor", "ligand"):
        atoms = [line for line in (folder / f"{partner}.pdb").read_text().splitlines() if line.startswith("ATOM")]
        point = {(int(line[22:26]), line[12:16].strip()): numpy.array([float(line[i:i + 8]) for i in (30, 38, 46)])
                 for line in atoms}
        center = numpy.mean(list(point.values()), axis=0)
        last = min(range(1, 5), key=lambda n: point[n, "CA"][2]) if partner == "receptor" else 1
        outward = point[last, "CA"] - center
        outward /= numpy.linalg.norm(outward)
        between = (point[last, "N"] + point[last, "O"]) / 2 + 1.2 * outward
        lines = [hetero_line("ZN", "ZN", 901, between, "A" if partner == "receptor" else "B")]
        if partner == "receptor":
            far = point[last, "CA"] + 6 * outward
            lines += [hetero_line(name, "ATP", 902, far + offset) for name, offset in PHOSPHATE]
            lines += [hetero_line("MG", "MG", 903, far + 9 * outward), hetero_line("O", "HOH", 904, far + 5 * outward),
                      hetero_line("C1", "GOL", 905, far + 4 * numpy.cross(outward, (0, 0, 1.0))),
                      hetero_line("C1", "L1G", 906, far - 5 * numpy.cross(outward, (0, 0, 1.0)))]
        (folder / f"{partner}_full.pdb").write_text("\n".join([*atoms, "TER", *lines, "END", ""]))


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout + result.stderr


def dock(program, folder, kind, output, *words, options=OPTIONS, ranks=0):
    return done(run(program, "dock", f"receptor{kind}.pdb", f"ligand{kind}.pdb", *options, *words, "-o", output,
                    cwd=folder, ranks=ranks))


def poses(path):
    return {key: value for key, value in answer(path).items() if not OF_FILE.match(key)}


def check_default(program, folder):
    text = dock(program, folder, "_full", "full.h5", "--reference", "complex.pdb", options=REFINED)
    check(text.count(f"receptor: kept 1 ATP, 1 ZN; {LEFT_OUT}") == 1, text)
    check(text.count("ligand: kept 1 ZN\n") == 1, text)
    check("element and bonding" not in text, text)
    with h5py.File(folder / "full.h5") as file:
        atoms = file["docking/receptor/atoms"]
        hetero = atoms["hetero"][:]
        texts = atoms["texts"].asstr()[:]
        check(hetero.sum() == 6 and hetero[-6:].all(), f"{hetero}")
        check(list(texts[atoms["residue_name"][-6:]]) == ["ZN"] + ["ATP"] * 5, "names of residues")
        check(file["docking/ligand/atoms/hetero"][:].sum() == 1, "the ligand's ion")
        kept = file["docking/chemistry/receptor/kept"]
        check(kept["residue_name"].asstr()[:].tolist() == ["ATP", "ZN"] and kept["count"][:].tolist() == [1, 1], "kept")
        check(len(file["docking/chemistry/receptor/left_out/reason"]) == 3, "left out")
        check("left_out" not in file["docking/chemistry/ligand"], "an empty group")
        check(json.loads(file["run"].attrs["input"])["keep"] == "auto", "the input")
    check("receptor: kept 1 ATP, 1 ZN; left out 1 GOL" in done(run(program, "info", "full.h5", cwd=folder)), "info")
    facts = json.loads(done(run(program, "info", "full.h5", "--json", cwd=folder)))["docking"]["chemistry"]
    check(facts["receptor"]["kept"][1] == {"residue_name": "ZN", "count": 1}, f"{facts}")
    done(run(program, "report", "full.h5", "-o", "full.html", cwd=folder))
    check("kept 1 ATP, 1 ZN" in (folder / "full.html").read_text(), "the report")


def check_without(program, folder):
    """Without molecules, and with none kept, all bits are the same. Kept ones change scores and no measure."""
    dock(program, folder, "", "plain.h5", "--reference", "complex.pdb", options=REFINED)
    text = dock(program, folder, "_full", "none.h5", "--reference", "complex.pdb", "--keep", "none", options=REFINED)
    check("receptor: left out 1 ATP (not in --keep), 1 GOL" in text, text)
    check(poses(folder / "none.h5") == poses(folder / "plain.h5"), "--keep none differs from a file without molecules")
    check("docking/chemistry" not in " ".join(answer(folder / "plain.h5")), "a group without molecules")
    check("hetero" not in " ".join(answer(folder / "none.h5")), "a dataset without molecules")
    check(matched(text) == matched(dock(program, folder, "_full", "kept.h5", "--reference", "complex.pdb")),
          "molecules change what is compared with the complex")
    check(poses(folder / "full.h5") != poses(folder / "plain.h5"), "kept molecules change nothing")


def matched(text):
    """What the log says of residues and native contacts in the reference."""
    lines = [line for line in text.splitlines() if "native contacts" in line]
    check(len(lines) == 1, text)
    return lines


def check_models(program, folder):
    done(run(program, "export", "full.h5", "--poses", "1", "models", "--set", "balanced", cwd=folder))
    lines = (folder / "models/balanced_0001.pdb").read_text().splitlines()
    hetero = [line for line in lines if line.startswith("HETATM")]
    check([line[17:20].strip() + line[21] for line in hetero] == ["ZNA"] + ["ATPA"] * 5 + ["ZNB"], f"{hetero}")
    check(sum(line.startswith("TER") for line in lines) == 2, "TER ends proteins alone")

    def near(lines, zinc):
        place = numpy.array([float(zinc[i:i + 8]) for i in (30, 38, 46)])
        return sorted(round(float(numpy.linalg.norm(place - [float(one[i:i + 8]) for i in (30, 38, 46)])), 1)
                      for one in lines if one.startswith("ATOM"))[:2]

    file = (folder / "ligand_full.pdb").read_text().splitlines()
    own = near(file, [line for line in file if line.startswith("HETATM")][0])
    moved = near([line for line in lines if line[21:22] == "B"], hetero[-1])
    check(numpy.allclose(own, moved, atol=0.11), f"the ligand's ion does not move with it: {own}, {moved}")
    done(run(program, "export", "full.h5", "--poses", "1", "--format", "cif", "cifs", "--set", "balanced", cwd=folder))
    text = done(run(program, "dock", "cifs/balanced_0001.cif", "cifs/balanced_0001.cif", "--receptor-chains", "A",
                    "--ligand-chains", "B", *OPTIONS, "-o", "cif.h5", cwd=folder))
    check("receptor: kept 1 ATP, 1 ZN\n" in text and "ligand: kept 1 ZN\n" in text, text)


def check_words(program, folder):
    for words, part in {("--keep", "all"): "receptor: kept 1 ATP, 1 GOL, 1 L1G, 1 MG, 1 ZN\n",
                        ("--keep", "auto,l1g", "--drop", "receptor=ZN"): "receptor: kept 1 ATP, 1 L1G; left out",
                        ("--keep", "receptor=HOH,ligand=none"): "receptor: kept 1 HOH; left out"}.items():
        text = dock(program, folder, "_full", "words.h5", *words, "--force")
        check(part in text, f"{words}\n{text}")
        check(("L1G (1 atoms)" in text or "L1G (C1)" in text) == ("L1G;" in part or "L1G," in part), text)


def check_again(program, folder):
    """rescore, rerun, plan, ranks and tables of pairs."""
    radius = ("--cluster-radius", "5", "--rescoring", "general")
    done(run(program, "rescore", "full.h5", *radius, "-o", "full5.h5", cwd=folder))
    moved = folder / "away"
    moved.mkdir()
    for name in ("full.h5", "complex.pdb"):
        shutil.copy(folder / name, moved)
    done(run(program, "rescore", "full.h5", *radius, "-o", "full5.h5", cwd=moved))
    check(answer(moved / "full5.h5") == answer(folder / "full5.h5"), "rescore without the files differs")
    with h5py.File(folder / "full5.h5") as file:
        check("hetero" in file["docking/receptor/atoms"] and "chemistry" in file["docking"], "rescore drops molecules")
    done(run(program, "rerun", "full.h5", "-o", "rerun.h5", cwd=folder))
    check(answer(folder / "rerun.h5") == answer(folder / "full.h5"), "rerun differs")
    done(run(program, "rerun", "none.h5", "-o", "rerun_none.h5", cwd=folder))
    check(answer(folder / "rerun_none.h5") == answer(folder / "none.h5"), "rerun keeps what was left out")
    plan = done(run(program, "plan", "dock", "receptor_full.pdb", "ligand_full.pdb", *OPTIONS, cwd=folder))
    check("receptor: kept 1 ATP, 1 ZN" in plan, plan)
    (folder / "pairs.csv").write_text("name,receptor,ligand,keep,drop\nauto,receptor_full.pdb,ligand_full.pdb,,\n"
                                      "none,receptor_full.pdb,ligand_full.pdb,none,\n"
                                      "some,receptor_full.pdb,ligand_full.pdb,receptor=all;ligand=none,ATP\n")
    dock(program, folder, "_full", "auto.h5")
    dock(program, folder, "_full", "none_coarse.h5", "--keep", "none")
    dock(program, folder, "_full", "some.h5", "--keep", "receptor=all,ligand=none", "--drop", "ATP")
    done(run(program, "dock", "--pairs", "pairs.csv", *OPTIONS, "-o", "all", cwd=folder))
    for pair, single in (("auto", "auto"), ("none", "none_coarse"), ("some", "some")):
        check(answer(folder / f"all/{pair}.h5") == answer(folder / f"{single}.h5"), f"{pair} of the table differs")
    done(run(program, "plan", "dock", "--pairs", "pairs.csv", *OPTIONS, cwd=folder))
    if tessera_runs.has_ranks(program):
        dock(program, folder, "_full", "two.h5", "--reference", "complex.pdb", options=REFINED, ranks=2)
        check(answer(folder / "two.h5") == answer(folder / "full.h5"), "two ranks differ from one")


def check_refused(program, folder):
    (folder / "column.csv").write_text("receptor,ligand,keep\nreceptor_full.pdb,ligand_full.pdb,none;ZN\n")
    files = ("receptor_full.pdb", "ligand_full.pdb")
    cases = {(*files, "--keep", "L1H"): "did you mean L1G?",
             (*files, "--drop", "QQQ"): "--drop names QQQ",
             (*files, "--keep", "none,ZN"): "'none' stands beside other words",
             (*files, "--keep", "antigen=ZN"): "no name of a residue",
             ("--pairs", "column.csv"): "line 2"}
    for words, part in cases.items():
        result = run(program, "dock", *words, *OPTIONS, "--quiet", "-o", "refused.h5", cwd=folder)
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and part in lines[0], f"{words}: {lines}")
        check(not (folder / "refused.h5").is_file(), f"{words}: a file is left")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_files(folder)
        for check_one in (check_default, check_without, check_models, check_words, check_again, check_refused):
            check_one(sys.argv[1], folder)


if __name__ == "__main__":
    main()
