"""Poses of a complex, judged by the DockQ package (PyPI, Mirabello & Wallner 2024).

The package judges two chains. The chains of a partner are therefore joined to one, in the model and in the native
structure. Residues that correspond get the same number."""

import dataclasses

import DockQ.DockQ as package
import gemmi
import numpy as np
from Bio import Align
from scipy.spatial import cKDTree

PARTS = ("receptor", "ligand")
CONTACT = 5.0  # A


def forget():
    """Empties the caches of the package, which know a chain by the name of its file only."""
    for function in vars(package).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def read_chains(path):
    """{chain name: its amino acids}, the ATOM records of the first model."""
    structure = gemmi.read_structure(str(path))
    structure.remove_alternative_conformations()
    structure.remove_hydrogens()
    chains = {}
    for chain in structure[0]:
        residues = [r for r in chain if r.het_flag == "A"]
        if residues:
            chains.setdefault(chain.name, []).extend(residues)
    return chains


def matched_chains(place):
    """Of "receptor A -> B, C -> D; ligand E -> F": {"receptor": [("A", "B"), ("C", "D")], "ligand": [("E", "F")]}."""
    matched = {}
    for part, text in zip(PARTS, place.split("; ")):
        pairs = text.removeprefix(part).split(",")
        matched[part] = [tuple(name.strip() for name in pair.split("->")) for pair in pairs]
    return matched


def aligner():
    """BLAST's costs (Altschul et al. 1997), and free gaps at the ends."""
    made = Align.PairwiseAligner(mode="global", open_gap_score=-11, extend_gap_score=-1, end_gap_score=0)
    made.substitution_matrix = Align.substitution_matrices.load("BLOSUM62")
    return made


def letters(residues):
    return "".join(gemmi.find_tabulated_residue(residue.name).one_letter_code.upper() for residue in residues)


def by_alignment(own, native):
    """[(index in own, index in native)] of aligned residues, identical or not."""
    alignment = aligner().align(letters(own), letters(native))[0]
    return [(i, j) for (first, last), (start, _) in zip(*alignment.aligned)
            for i, j in zip(range(first, last), range(start, start + last - first))]


def by_number(own, native):
    """[(index in own, index in native)] of the residues with the same number and insertion code."""
    places = {str(residue.seqid): j for j, residue in enumerate(native)}
    return [(i, places[str(residue.seqid)]) for i, residue in enumerate(own) if str(residue.seqid) in places]


def paired(own, native):
    """By number, or by alignment if that pairs more identical residues."""
    def identical(pairs):
        return sum(own[i].name == native[j].name for i, j in pairs)
    return max(by_number(own, native), by_alignment(own, native), key=identical)


def joined(name, chains):
    """One chain of several lists of (number, residue)."""
    chain = gemmi.Chain(name)
    for number, residue in (item for residues in chains for item in residues):
        copy = residue.clone()
        copy.seqid = gemmi.SeqId(number, " ")
        chain.add_residue(copy)
    return chain


def numbered(pairs):
    """Numbers for the residues of matched chains [(own, native)], the same for paired residues: both as lists of
    (number, residue) for each chain."""
    ours, theirs, count = [], [], 0
    for own, native in pairs:
        partner = dict(paired(own, native))
        ours.append([(count + 1 + i, residue) for i, residue in enumerate(own)])
        number = {j: count + 1 + i for i, j in partner.items()}
        count += len(own)
        theirs.append([(number[j] if j in number else count + 1 + j, residue) for j, residue in enumerate(native)])
        count += len(native)
    return ours, theirs


def write_pdb(chains, path):
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model("1"))
    for chain in chains:
        structure[0].add_chain(chain)
    structure.write_pdb(str(path))


@dataclasses.dataclass
class Verdict:
    fnat: float
    interface_rmsd: float
    ligand_rmsd: float
    dockq: float


class Place:
    """A complex and one way to match its chains. `partners` and `reference` map chain names to residues. `common` maps
    the chains of the reference to their residues that the partners have, too."""

    def __init__(self, place, partners, reference, folder):
        model, native, self.common = [], [], {}
        for name, part in zip("AB", PARTS):
            own, other = numbered([(partners[part][chain], reference[its])
                                   for chain, its in matched_chains(place)[part]])
            for (_, its), ours, theirs in zip(matched_chains(place)[part], own, other):
                there = {number for number, _ in ours}
                self.common[its] = [residue for number, residue in theirs if number in there]
            model.append(joined(name, own))
            native.append(joined(name, other))
        self.sizes = [len(chain) for chain in native]
        self.model, self.native = (self.load(chains, folder / f"{name}.pdb")
                                   for name, chains in (("model", model), ("native", native)))
        self.unlike = max(self.unlike_share(*names) for names in ("AB", "BA"))
        self.atoms = list(self.model["B"].get_atoms())
        self.start = self.positions(self.atoms)

    @staticmethod
    def load(chains, path):
        write_pdb(chains, path)
        return package.load_PDB(str(path))

    @staticmethod
    def positions(atoms):
        """[n,3], as in the PDB file and not as single precision has them."""
        return np.round(np.array([atom.coord for atom in atoms], dtype=float), 3)

    def unlike_share(self, name, other):
        """Of the native residues with a heavy atom within 5 A of the other partner, the share that the model lacks or
        has with another name."""
        near = cKDTree([atom.coord for atom in self.native[other].get_atoms()])
        own = {residue.id[1]: residue.resname for residue in self.model[name]}
        interface = [residue for residue in self.native[name]
                     if near.query([atom.coord for atom in residue])[0].min() <= CONTACT]
        return sum(own.get(residue.id[1]) != residue.resname for residue in interface) / len(interface)

    def common_alphas(self, name):
        """Positions of the C-alphas in the model and in the native structure, [n,3] each."""
        native = {residue.id[1]: residue for residue in self.native[name]}
        pairs = [(residue["CA"], native[residue.id[1]]["CA"]) for residue in self.model[name]
                 if residue.id[1] in native and "CA" in residue and "CA" in native[residue.id[1]]]
        return (self.positions(atoms) for atoms in zip(*pairs))

    def judge(self, rotation, shift, align=False, decimals=None):
        """The Verdict where x of the ligand is at rotation x + shift. The package pairs residues by number (as with
        --no_align) or aligns them. `decimals` rounds the positions as a file would."""
        moved = self.start @ rotation.T + shift
        for atom, position in zip(self.atoms, moved if decimals is None else np.round(moved, decimals)):
            atom.coord = position.astype(np.float32)
        forget()
        # Of two equally long chains the package takes the second one as the receptor.
        found = package.run_on_all_native_interfaces(self.model, self.native, {"B": "B", "A": "A"},
                                                     no_align=not align)[0]["BA"]
        return Verdict(found["fnat"], found["iRMSD"], found["LRMSD"], found["DockQ"])
