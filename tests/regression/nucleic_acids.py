#!/usr/bin/env python3
"""Docking of DNA: read, evaluated, stored and exported; beside a protein it is left out unless it is asked for.
Usage: nucleic_acids.py PATH/OF/tessera"""

import json
import pathlib
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import double_helix  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

OPTIONS = ("--coefficients", "balanced", "--spacing", "4", "--rotations", "24", "--poses", "60", "--refine", "40",
           "--duplicate-radius", "0")
SEQUENCE = "GATTACAGAT"


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout + result.stderr


def dock(program, folder, *words, ranks=0):
    return done(run(program, "dock", *words, cwd=folder, ranks=ranks))


def write_files(folder):
    """receptor.pdb: a protein. dna.pdb and dna_old.pdb: a helix in the names of today and of older files. complex.pdb:
    both, the helix beside the protein."""
    tessera_runs.write_pair(folder)
    protein = [line for line in (folder / "receptor.pdb").read_text().splitlines() if line.startswith("ATOM")]
    top = max(float(line[46:54]) for line in protein)

    def beside(point):  # the axis along x, on top of the protein
        x, y, z = point
        return [z, y, x + top + 7]

    for name, lines in (("dna", double_helix.pdb_lines(SEQUENCE, "D")),
                        ("dna_old", double_helix.pdb_lines(SEQUENCE, "D", name="{}", old_names=True)),
                        ("complex", [*protein, "TER", *double_helix.pdb_lines(SEQUENCE, "D", beside)])):
        (folder / f"{name}.pdb").write_text("\n".join([*lines, "END", ""]))


def check_docking(program, folder):
    text = dock(program, folder, "receptor.pdb", "dna.pdb", *OPTIONS, "--reference", "complex.pdb", "-o", "run.h5")
    check("20 nucleotides in 2 strands" in text, text)
    check("D -> D 10 residues (100 % identical, by number), D -> D 10 residues" in text, text)
    check("weights for nucleic acids" in text, text)
    with h5py.File(folder / "run.h5") as file:
        check(file["docking/ligand/atoms/nucleic"][:].all(), "the flags of nucleotides")
        check("nucleic" not in file["docking/receptor/atoms"], "flags without nucleotides")
        check(len(file["docking/consensus/evaluation/fnat"]) > 10, "the evaluation")
        check(file["docking/consensus/contact_weights"].shape == (2, 27, 27), "kinds of nucleotide atoms")
    old = dock(program, folder, "receptor.pdb", "dna_old.pdb", *OPTIONS, "--reference", "complex.pdb", "-o", "old.h5")
    check("20 nucleotides in 2 strands" in old, old)
    check(same_poses(folder, "run", "old"), "names of older files change poses")


def same_poses(folder, *names):
    """Whether the poses are the same, whatever the files are called."""
    of_file = ("sha256", "/atoms")
    one, other = ({key: value for key, value in answer(folder / f"{name}.h5").items()
                   if not any(part in key for part in of_file)} for name in names)
    return one == other


def check_other_commands(program, folder):
    done(run(program, "info", "run.h5", cwd=folder))
    rows = done(run(program, "table", "run.h5", "--rows", "3", cwd=folder)).splitlines()
    check(len(rows) == 4 and "fnat" in rows[0], f"{rows}")
    done(run(program, "report", "run.h5", "-o", "run.html", cwd=folder))
    done(run(program, "rescore", "run.h5", "--rescoring", "general", "-o", "general.h5", cwd=folder))
    with h5py.File(folder / "run.h5") as one, h5py.File(folder / "general.h5") as other:
        check(one["docking/consensus/score"][0] != other["docking/consensus/score"][0], "the weights change nothing")
    check("nucleotides" in done(run(program, "plan", "dock", "receptor.pdb", "dna.pdb", *OPTIONS, cwd=folder)), "plan")
    done(run(program, "export", "run.h5", "--poses", "1", "--format", "cif", "cifs", "--set", "balanced", cwd=folder))
    cif = (folder / "cifs/balanced_0001.cif").read_text().split("_entity_poly.type\n")[1].splitlines()
    kinds = [line.split()[1].strip("'") for line in cif[:3]]
    check(kinds == ["polypeptide(L)"] + ["polydeoxyribonucleotide"] * 2, f"{kinds}")
    done(run(program, "export", "run.h5", "--poses", "1", "pdbs", "--set", "balanced", cwd=folder))
    pdb = (folder / "pdbs/balanced_0001.pdb").read_text().splitlines()
    residues = dict.fromkeys((line[22:26], line[17:20].strip()) for line in pdb
                             if line.startswith("ATOM") and line[21] == "D")
    check([name for _, name in residues] == [f"D{base}" for base in SEQUENCE * 2], f"{residues}")
    (folder / "pairs.csv").write_text("name,receptor,ligand\none,receptor.pdb,dna.pdb\n")
    done(run(program, "dock", "--pairs", "pairs.csv", *OPTIONS, "-o", "all", cwd=folder))
    dock(program, folder, "receptor.pdb", "dna.pdb", *OPTIONS, "-o", "alone.h5")
    check(answer(folder / "all/one.h5") == answer(folder / "alone.h5"), "a row of a table differs")
    if tessera_runs.has_ranks(program):
        dock(program, folder, "receptor.pdb", "dna.pdb", *OPTIONS, "-o", "two.h5", ranks=2)
        check(answer(folder / "two.h5") == answer(folder / "alone.h5"), "two ranks differ from one")


def check_beside_protein(program, folder):
    """complex.pdb as a partner: without its DNA as before, with it on request."""
    ligand = ("ligand.pdb", *OPTIONS)
    dock(program, folder, "receptor.pdb", *ligand, "-o", "protein.h5")
    text = dock(program, folder, "complex.pdb", *ligand, "-o", "left_out.h5")
    check("nucleic-acid atoms of 'complex.pdb' are left out (--keep auto,nucleic" in text, text)
    check(same_poses(folder, "protein", "left_out"), "left-out DNA changes poses")
    for name, words in (("kept", ("--keep", "auto,nucleic")), ("chains", ("--receptor-chains", "A,D"))):
        text = dock(program, folder, "complex.pdb", *ligand, *words, "-o", f"{name}.h5")
        check("20 nucleotides in 2 strands" in text and "left out" not in text, text)
    check(same_poses(folder, "kept", "chains"), "naming the chain differs from --keep nucleic")
    text = dock(program, folder, "complex.pdb", "complex.pdb", "--receptor-chains", "A", "--ligand-chains", "D", *OPTIONS,
                "--reference", "complex.pdb", "-o", "apart.h5")
    check("ligand D -> D 10 residues" in text, text)
    with h5py.File(folder / "kept.h5") as file:
        check(json.loads(file["run"].attrs["input"])["keep"] == "auto,nucleic", "the input")


def check_refused(program, folder):
    cases = {("complex.pdb", "complex.pdb", "--receptor-chains", "X"): "chains of proteins and nucleic acids A, D",
             ("receptor.pdb", "dna.pdb", "--keep", "none,nucleic"): "'none' stands beside other words"}
    for words, part in cases.items():
        result = run(program, "dock", *words, *OPTIONS, "--quiet", "-o", "refused.h5", cwd=folder)
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and part in lines[0], f"{words}: {lines}")
        check(not (folder / "refused.h5").is_file(), f"{words}: a file is left")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_files(folder)
        for part in (check_docking, check_other_commands, check_beside_protein, check_refused):
            part(sys.argv[1], folder)
    print("DNA is docked, judged, stored and exported")


if __name__ == "__main__":
    main()
