#!/usr/bin/env python3
"""tessera dock --antibody: what the log and the result say, the mask's effect, one clear line where nothing is found,
and the same on tables of pairs and on two ranks.
Usage: antibody.py PATH/OF/tessera"""

import pathlib
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

# A heavy domain: consensus framework, made-up CDRs.
SEQUENCE = ("QVQLVESGGGLVQPGGSLRLSCAAS" "GFTDRNPA" "MGWVRQAPGKGLEWVSA" "INPDGRST"
            "YYADSVKGRFTISRDNSKNTLYLQMNSLRAEDTAVYYC" "AKDRHPNWESFDY" "WGQGTLVTVSS")
NAMES = {"A": "ALA", "C": "CYS", "D": "ASP", "E": "GLU", "F": "PHE", "G": "GLY", "H": "HIS", "I": "ILE", "K": "LYS",
         "L": "LEU", "M": "MET", "N": "ASN", "P": "PRO", "Q": "GLN", "R": "ARG", "S": "SER", "T": "THR", "V": "VAL",
         "W": "TRP", "Y": "TYR"}
OPTIONS = ("--spacing", "2.5", "--rotations", "24", "--poses", "50", "--coefficients", "balanced")
FOUND = "antibody: receptor A heavy, CDRs 26-33 51-58 97-109"


def write_inputs(folder):
    """The shared pair, and a receptor whose residues spell an antibody along the rows of a lattice."""
    tessera_runs.write_pair(folder)
    lines, serial = [], 0
    for index, letter in enumerate(SEQUENCE):
        center = (4.3 * (index % 5), 4.3 * (index // 5 % 5), 4.3 * (index // 25))
        for atom, offset in tessera_runs.BACKBONE:
            serial += 1
            x, y, z = (c + o for c, o in zip(center, offset))
            lines.append(f"ATOM  {serial:5d}  {atom:<3s} {NAMES[letter]} A{index + 1:4d}    "
                         f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00           {atom[0]}")
    (folder / "antibody.pdb").write_text("\n".join([*lines, "TER", "END", ""]))


def dock(program, folder, *words, ranks=0):
    return run(program, "dock", *words, *OPTIONS, cwd=folder, ranks=ranks)


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout + result.stderr


def check_found(program, folder):
    pair = ("antibody.pdb", "ligand.pdb")
    check(FOUND in done(dock(program, folder, *pair, "--antibody", "auto", "-o", "auto.h5")), "the log")
    done(dock(program, folder, *pair, "-o", "off.h5"))
    done(dock(program, folder, *pair, "--antibody", "nanobody", "-o", "nanobody.h5"))
    with h5py.File(folder / "auto.h5") as file, h5py.File(folder / "off.h5") as off:
        domain = {name: values.asstr()[:].tolist() for name, values in file["docking/antibody"].items()}
        check(domain == {"partner": ["receptor"], "chain": ["A"], "kind": ["heavy"], "cdr1": ["26-33"],
                         "cdr2": ["51-58"], "cdr3": ["97-109"]}, f"the group: {domain}")
        check("antibody" not in off["docking"], "a group without the option")
    auto = answer(folder / "auto.h5")
    check(auto["docking/poses/balanced/terms"] != answer(folder / "off.h5")["docking/poses/balanced/terms"],
          "the mask does nothing")
    check(auto == answer(folder / "nanobody.h5"), "auto and nanobody differ")


def check_not_found(program, folder):
    text = done(dock(program, folder, "receptor.pdb", "ligand.pdb", "--antibody", "auto", "-o", "none.h5"))
    check("antibody: no variable domain found" in text, text)
    done(dock(program, folder, "receptor.pdb", "ligand.pdb", "-o", "plain.h5"))
    check(answer(folder / "none.h5") == answer(folder / "plain.h5"), "a mask without an antibody")
    for words in (("receptor.pdb", "ligand.pdb", "--antibody", "nanobody"),
                  ("antibody.pdb", "ligand.pdb", "--antibody", "heavy-light"),
                  ("antibody.pdb", "ligand.pdb", "--antibody", "camel")):
        result = dock(program, folder, *words, "-o", "refused.h5")
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and "(" in lines[0], f"{words}: {lines}")
        check(not (folder / "refused.h5").exists(), f"{words}: a file is left")


def check_pairs(program, folder):
    (folder / "pairs.csv").write_text("name,receptor,ligand,antibody\nauto,antibody.pdb,ligand.pdb,auto\n"
                                      "off,antibody.pdb,ligand.pdb,\nplain,receptor.pdb,ligand.pdb,auto\n")
    done(dock(program, folder, "--pairs", "pairs.csv", "-o", "all"))
    for name in ("auto", "off", "plain"):
        check(answer(folder / f"all/{name}.h5") == answer(folder / f"{name}.h5"), f"{name} of the table differs")


def check_all(program, folder):
    write_inputs(folder)
    check_found(program, folder)
    check_not_found(program, folder)
    check_pairs(program, folder)
    if tessera_runs.has_ranks(program):
        done(dock(program, folder, "antibody.pdb", "ligand.pdb", "--antibody", "auto", "-o", "two.h5", ranks=2))
        check(answer(folder / "two.h5") == answer(folder / "auto.h5"), "two ranks differ from one")


def main():
    with tempfile.TemporaryDirectory() as name:
        check_all(sys.argv[1], pathlib.Path(name))


if __name__ == "__main__":
    main()
