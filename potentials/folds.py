#!/usr/bin/env python3
"""Folds for cross-validation: kindred proteins are never trained on and judged by apart.

usage: potentials/folds.py COMPLEXES -o potentials/folds.csv [--folds 5] [--score 0.5] [--seed 7]

COMPLEXES holds a folder a complex with receptor.pdb and ligand.pdb. Two complexes belong together
where any partner of one aligns with any partner of the other: a global alignment with BLOSUM62 and
affine gaps (10, 1) scores more than --score for each residue of the shorter chain. (Chance scores
are far below zero; trypsin and elastase have 2, antibodies among each other 1 to 4.) Groups are
joined while they touch and dealt out, largest first, each to the fold with fewest complexes; --seed
shuffles groups of the same size.
"""

import argparse
import pathlib
import random

from failure import module_missing

try:
    import gemmi
except ImportError as missing:
    module_missing(missing)


def chains_of(path):
    """Residue names of each chain of a file, amino acids only."""
    chains = []
    for chain in gemmi.read_structure(str(path))[0]:
        names = [r.name for r in chain if gemmi.find_tabulated_residue(r.name).is_amino_acid()]
        if names:
            chains.append(names)
    return chains


def are_kindred(a, b, scoring, least):
    score = gemmi.align_string_sequences(a, b, [], scoring).score
    return score > least * min(len(a), len(b))


def groups_of(complexes, least):
    """Lists of complex names, each a connected set of kindred ones."""
    scoring = gemmi.AlignmentScoring("b")
    scoring.gapo, scoring.good_gapo, scoring.bad_gapo, scoring.gape = -10, -10, -10, -1
    chains = [(path.name, chain) for path in complexes
              for partner in ("receptor.pdb", "ligand.pdb") for chain in chains_of(path / partner)]
    group = {path.name: {path.name} for path in complexes}
    for i, (name, chain) in enumerate(chains):
        for other_name, other in chains[:i]:
            if group[name] is group[other_name] or not are_kindred(chain, other, scoring, least):
                continue
            joined = group[name] | group[other_name]
            for member in joined:
                group[member] = joined
    return [sorted(g) for g in {id(g): g for g in group.values()}.values()]


def deal(groups, count, seed):
    """{complex: fold}"""
    groups = sorted(groups)
    random.Random(seed).shuffle(groups)
    groups.sort(key=len, reverse=True)
    fold, sizes = {}, [0] * count
    for group in groups:
        smallest = sizes.index(min(sizes))
        sizes[smallest] += len(group)
        fold.update({name: smallest for name in group})
    return fold


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("complexes", type=pathlib.Path)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--score", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    complexes = sorted(p for p in options.complexes.iterdir() if (p / "receptor.pdb").exists())
    if not complexes:
        raise SystemExit(f"no complexes in '{options.complexes}': folders with receptor.pdb expected")
    groups = groups_of(complexes, options.score)
    fold = deal(groups, options.folds, options.seed)
    number = {name: i for i, group in enumerate(sorted(groups)) for name in group}
    with open(options.output, "w", encoding="utf-8") as out:
        out.write(f"# Written by potentials/folds.py --folds {options.folds} --score {options.score}"
                  f" --seed {options.seed}.\n# Complexes of one group hold kindred proteins.\n")
        out.write("complex,fold,group\n")
        for name in sorted(fold):
            out.write(f"{name},{fold[name]},{number[name]}\n")
    print("groups of several:", *(" ".join(g) for g in groups if len(g) > 1), sep="\n  ")
    print("fold sizes:", [list(fold.values()).count(f) for f in range(options.folds)])


if __name__ == "__main__":
    main()
