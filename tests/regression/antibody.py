#!/usr/bin/env python3
"""tessera dock --antibody: what the log and the result say, the mask's effect, the share of the contacts that CDRs make,
one clear line where nothing is found, and the same on tables of pairs and on two ranks.
Usage: antibody.py PATH/OF/tessera"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import docked_poses  # noqa: E402
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
    check(FOUND in done(dock(program, folder, *pair, "-o", "auto.h5")), "the log")
    done(dock(program, folder, *pair, "--antibody", "off", "-o", "off.h5"))
    done(dock(program, folder, *pair, "--antibody", "nanobody", "-o", "nanobody.h5"))
    with h5py.File(folder / "auto.h5") as file, h5py.File(folder / "off.h5") as off:
        domain = {name: values.asstr()[:].tolist() for name, values in file["docking/antibody"].items()}
        check(domain == {"partner": ["receptor"], "chain": ["A"], "kind": ["heavy"], "cdr1": ["26-33"],
                         "cdr2": ["51-58"], "cdr3": ["97-109"]}, f"the group: {domain}")
        check("antibody" not in off["docking"], "a group although it is off")
    auto = answer(folder / "auto.h5")
    check(auto["docking/poses/balanced/terms"] != answer(folder / "off.h5")["docking/poses/balanced/terms"],
          "the mask does nothing")
    check(auto == answer(folder / "nanobody.h5"), "auto and nanobody differ")


def check_not_found(program, folder):
    text = done(dock(program, folder, "receptor.pdb", "ligand.pdb", "-o", "none.h5"))
    check("antibody" not in text, text)
    done(dock(program, folder, "receptor.pdb", "ligand.pdb", "--antibody", "off", "-o", "plain.h5"))
    check(answer(folder / "none.h5") == answer(folder / "plain.h5"), "a mask without an antibody")
    for words in (("receptor.pdb", "ligand.pdb", "--antibody", "nanobody"),
                  ("antibody.pdb", "ligand.pdb", "--antibody", "heavy-light"),
                  ("antibody.pdb", "ligand.pdb", "--antibody", "camel")):
        result = dock(program, folder, *words, "-o", "refused.h5")
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and "(" in lines[0], f"{words}: {lines}")
        check(not (folder / "refused.h5").exists(), f"{words}: a file is left")


def shares(folder, consensus, center):
    """The share of each pose's pairs of atoms below 6 A whose receptor atom is in a CDR."""
    antibody = docked_poses.atom_lines(folder / "antibody.pdb")
    receptor, residues = docked_poses.places(antibody), np.array([int(line[22:26]) for line in antibody])
    ligand = docked_poses.places(docked_poses.atom_lines(folder / "ligand.pdb"))
    in_cdr = np.any([(residues >= first) & (residues <= last) for first, last in ((26, 33), (51, 58), (97, 109))], 0)
    found = []
    for rotation, translation in zip(docked_poses.matrices_of(consensus["rotation"][:]), consensus["translation"][:]):
        placed = (ligand - center) @ rotation.T + translation
        near = np.linalg.norm(receptor[:, None] - placed[None], axis=2) < 6
        found.append(near[in_cdr].sum() / max(1, near.sum()))
    return np.array(found)


def check_shares(program, folder):
    """The dataset, its part in the score, and a table without its weight."""
    words = ("antibody.pdb", "ligand.pdb", "--refine", "40", "--duplicate-radius", "0")
    done(dock(program, folder, *words, "-o", "shares.h5"))
    done(run(program, "rescore", "shares.h5", "--rescoring", "antibody", "-o", "again.h5", cwd=folder))
    table = pathlib.Path(__file__).resolve().parents[2] / "data/potentials/rescoring_antibody.csv"
    rows = [row for row in table.read_text().splitlines(True) if not row.startswith("antibody,cdr_share")]
    (folder / "without.csv").write_text("".join(rows))
    done(run(program, "rescore", "shares.h5", "--rescoring", "without.csv", "-o", "without.h5", cwd=folder))
    with h5py.File(folder / "shares.h5") as file, h5py.File(folder / "without.h5") as without:
        consensus, other = file["docking/consensus"], without["docking/consensus"]
        share, weight = consensus["cdr_share"][:], consensus.attrs["cdr_share_weight"]
        check(len(share) > 20 and share.std() > 0.05 and weight < 0, f"{len(share)} poses, {weight}: {share}")
        known = shares(folder, consensus, file["docking/ligand_center"][:].ravel())
        check(np.abs(share - known).max() < 1e-9, "the shares are not those of all pairs")
        check("cdr_share" not in other and "cdr_share_weight" not in other.attrs, "a share without a weight")
        order = {tuple(row): i for i, row in enumerate(other["translation"][:])}
        same = [order[tuple(row)] for row in consensus["translation"][:]]
        change = consensus["pose_score"][:] - other["pose_score"][:][same]
        check(np.abs(change - weight * share).max() < 1e-9, "its part of the score")
    check(answer(folder / "again.h5") == answer(folder / "shares.h5"), "the same weights give another result")


def check_pairs(program, folder):
    (folder / "pairs.csv").write_text("name,receptor,ligand,antibody\nauto,antibody.pdb,ligand.pdb,auto\n"
                                      "off,antibody.pdb,ligand.pdb,off\nplain,receptor.pdb,ligand.pdb,\n")
    done(dock(program, folder, "--pairs", "pairs.csv", "-o", "all"))
    for name in ("auto", "off", "plain"):
        check(answer(folder / f"all/{name}.h5") == answer(folder / f"{name}.h5"), f"{name} of the table differs")


def check_all(program, folder):
    write_inputs(folder)
    check_found(program, folder)
    check_shares(program, folder)
    check_not_found(program, folder)
    check_pairs(program, folder)
    if tessera_runs.has_ranks(program):
        done(dock(program, folder, "antibody.pdb", "ligand.pdb", "-o", "two.h5", ranks=2))
        check(answer(folder / "two.h5") == answer(folder / "auto.h5"), "two ranks differ from one")


def main():
    with tempfile.TemporaryDirectory() as name:
        check_all(sys.argv[1], pathlib.Path(name))


if __name__ == "__main__":
    main()
