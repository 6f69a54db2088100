"""The native site of a complex on its unbound partners: which residues are there, how far they move, and how many
equivalent copies an oligomeric partner has."""

import dataclasses

import gemmi
import numpy as np
from scipy.spatial import cKDTree

WIDE, NEAR = 10.0, 5.0  # A: of interface residues (CAPRI), and of residue contacts
SAME = 0.8              # identity from which two chains are copies
CLASH = 3.0             # A between C-alphas
JUMP = 100              # of residue numbers, between merged chains


@dataclasses.dataclass
class Chain:
    """Residue names, C-alphas [n,3] (nan where there is none), heavy atoms [a,3] and the residue of each, and the
    number of each residue in the file."""

    name: str
    residues: list
    alphas: np.ndarray
    atoms: np.ndarray
    owner: np.ndarray
    numbers: list


def pieces_of(residues):
    """Benchmarks merge the chains of a partner into one; residue numbers that jump tell where the next begins."""
    start = 0
    for i in range(1, len(residues) + 1):
        if i == len(residues) or not 0 <= residues[i].seqid.num - residues[i - 1].seqid.num < JUMP:
            yield residues[start:i]
            start = i


def make_chain(name, residues):
    alphas = np.full((len(residues), 3), np.nan)
    for i, residue in enumerate(residues):
        for atom in residue:
            if atom.name == "CA":
                alphas[i] = atom.pos.tolist()
    atoms = np.array([a.pos.tolist() for r in residues for a in r])
    return Chain(name, [r.name for r in residues], alphas, atoms,
                 np.repeat(np.arange(len(residues)), [len(r) for r in residues]), [str(r.seqid) for r in residues])


def read_chains(path, names=None):
    """Chains with amino acids of the first model, all or those of `names`, a merged one in its pieces."""
    structure = gemmi.read_structure(str(path))
    structure.remove_alternative_conformations()
    structure.remove_hydrogens()
    return [make_chain(chain.name, piece) for chain in structure[0] if names is None or chain.name in names
            for piece in pieces_of([r for r in chain if gemmi.find_tabulated_residue(r.name).is_amino_acid()])
            if len(piece) > 3]


def aligned(first, second):
    """[k,2] indices of aligned residues, and the share of identical ones among them."""
    scoring = gemmi.AlignmentScoring("b")
    result = gemmi.align_string_sequences(first.residues, second.residues, [], scoring)
    i = j = 0
    pairs = []
    for kind, count in [(item[-1], int(item[:-1])) for item in split_cigar(result.cigar_str())]:
        if kind == "M":
            pairs += [(i + n, j + n) for n in range(count)]
        i += count if kind in "MI" else 0
        j += count if kind in "MD" else 0
    pairs = np.array(pairs, int).reshape(-1, 2)
    same = [first.residues[a] == second.residues[b] for a, b in pairs]
    return pairs, float(np.mean(same)) if same else 0.0


def split_cigar(text):
    start = 0
    for end, letter in enumerate(text):
        if letter.isalpha():
            yield text[start:end + 1]
            start = end + 1


def superposition(moving, fixed):
    """(rotation, shift) that puts `moving` [n,3] on `fixed` (Kabsch 1976)."""
    a, b = moving.mean(0), fixed.mean(0)
    u, _, vt = np.linalg.svd((moving - a).T @ (fixed - b))
    flip = np.diag([1, 1, np.sign(np.linalg.det(u @ vt))])
    rotation = (u @ flip @ vt).T
    return rotation, b - rotation @ a


def moved(points, motion):
    return points @ motion[0].T + motion[1]


def rmsd(a, b):
    return float(np.sqrt(((a - b) ** 2).sum(1).mean()))


def near(a, b, cutoff):
    """[n] whether a point of `a` has one of `b` within the cut-off."""
    return np.isfinite(cKDTree(b).query(a, distance_upper_bound=cutoff)[0])


def interface(chains, partner, cutoff):
    """Residues [(chain, residue)] of `chains` with a heavy atom within the cut-off of the partner's."""
    others = np.concatenate([c.atoms for c in partner])
    return [(k, int(i)) for k, c in enumerate(chains)
            for i in np.unique(c.owner[near(c.atoms, others, cutoff)])]


@dataclasses.dataclass
class Site:
    """One place of a bound partner on the unbound one. `residue` maps (bound chain, residue) to (unbound chain,
    residue); `spread` is the RMSD of the interface's C-alphas that `motion` (bound to unbound) superposes."""

    residue: dict
    motion: tuple
    spread: float


def site_from(bound, unbound, anchor, target, alignments, wide):
    """The Site whose chain `anchor` lies on the chain `target`; other chains go to the nearest copy."""
    pairs, _ = alignments[anchor, target]
    fit = superposition(bound[anchor].alphas[pairs[:, 0]], unbound[target].alphas[pairs[:, 1]])
    taken, residue = {anchor: target}, {}
    for k, chain in enumerate(bound):
        if k in taken:
            continue
        free = [t for t in range(len(unbound)) if t not in taken.values() and alignments[k, t][1] >= SAME]
        if free:
            def distance(t, k=k, chain=chain):
                its = alignments[k, t][0]
                return rmsd(moved(chain.alphas[its[:, 0]], fit), unbound[t].alphas[its[:, 1]])
            best = min(free, key=distance)
            if distance(best) < 15:
                taken[k] = best
    for k, t in taken.items():
        residue.update({(k, int(a)): (t, int(b)) for a, b in alignments[k, t][0]})
    there = [r for r in wide if r in residue]
    if len(there) < 4:
        return None
    a = np.array([bound[k].alphas[i] for k, i in there])
    b = np.array([unbound[t].alphas[i] for t, i in (residue[r] for r in there)])
    motion = superposition(a, b)
    return Site(residue, motion, rmsd(moved(a, motion), b))


def without_gaps(chain, pairs, other):
    """Aligned pairs whose C-alphas are both there."""
    known = ~np.isnan(chain.alphas[pairs[:, 0]]).any(1) & ~np.isnan(other.alphas[pairs[:, 1]]).any(1)
    return pairs[known]


def sites_of(bound, unbound, partner):
    """Sites of the bound partner on the unbound one, the best first. Further ones are its equivalent copies: an
    interface as complete, within 1.5 A of the first's spread, and where no other chain is in the partner's way."""
    alignments = {}
    for k, chain in enumerate(bound):
        for t, other in enumerate(unbound):
            pairs, identity = aligned(chain, other)
            alignments[k, t] = without_gaps(chain, pairs, other), identity
    wide = interface(bound, partner, WIDE)
    main = max(range(len(bound)), key=lambda k: sum(r[0] == k for r in wide))
    most = max(alignments[main, t][1] for t in range(len(unbound)))
    found = []
    everywhere, alphas = (np.concatenate([c.alphas[~np.isnan(c.alphas).any(1)] for c in chains])
                          for chains in (unbound, partner))
    for target in range(len(unbound)):
        if alignments[main, target][1] < min(SAME, most) or len(alignments[main, target][0]) < 4:
            continue
        site = site_from(bound, unbound, main, target, alignments, wide)
        if site:
            covered = sum(r in site.residue for r in wide)
            clashes = near(moved(alphas, site.motion), everywhere, CLASH).sum()
            found.append((site, covered, int(clashes)))
    complete = max((covered for _, covered, _ in found), default=0)
    least = min((clashes for _, _, clashes in found), default=0)
    sites = sorted((site for site, covered, clashes in found if covered >= 0.8 * complete and clashes <= least + 5),
                   key=lambda site: site.spread)
    return [site for site in sites if site.spread <= sites[0].spread + 1.5]
