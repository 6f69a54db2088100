#!/usr/bin/env python3
"""Folds for cross-validation: kindred proteins are never trained on and judged by apart.

usage: potentials/folds.py COMPLEXES -o potentials/folds.csv [--folds 5] [--score 0.5] [--seed 7] [--keep OLD]
           [--ligands-of OLD FOLD]

COMPLEXES holds a folder a complex with receptor.pdb and ligand.pdb. Two complexes belong together
where any partner of one aligns with any partner of the other: a global alignment with BLOSUM62 and
affine gaps (10, 1) scores more than --score for each residue of the shorter chain. (Chance scores
are far below zero; trypsin and elastase have 2, antibodies among each other 1 to 4.) Groups are
joined while they touch and dealt out, largest first, each to the fold with fewest complexes; --seed
shuffles groups of the same size.

With --keep, the complexes of the table OLD keep their fold, and the others join it. A new complex goes
to the fold that holds most of its kin. New complexes without kin in OLD follow the new ones that have
some; groups without any are dealt out as above. A complex may have kin in two folds, an antibody and
its antigen for example. Such complexes are listed at the head of the output, with their kin in other
folds.

With --ligands-of, only the complexes of one fold of OLD are dealt out, and only their ligands are
compared. So antibodies are kindred where their antigens are.
"""

import argparse
import collections
import csv
import itertools
import multiprocessing
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


def blosum62():
    scoring = gemmi.AlignmentScoring("b")
    scoring.gapo, scoring.good_gapo, scoring.bad_gapo, scoring.gape = -10, -10, -10, -1
    return scoring


def are_kindred(a, b, scoring, least):
    score = gemmi.align_string_sequences(a, b, [], scoring).score
    return score > least * min(len(a), len(b))


def kin_of_chain(task):
    """Which of `others` are kindred with `chain`. Runs in a process of its own."""
    chain, others, least = task
    scoring = blosum62()
    return [are_kindred(chain, other, scoring, least) for other in others]


def kin_of(complexes, least, kept=(), partners=("receptor", "ligand")):
    """{name: names of kindred complexes}. Two complexes of `kept` are not compared."""
    owners = collections.defaultdict(set)
    for path in complexes:
        for partner in partners:
            for chain in chains_of(path / f"{partner}.pdb"):
                owners[tuple(chain)].add(path.name)
    kept, sequences, others = set(kept), list(owners), {}
    for i, one in enumerate(sequences):
        others[one] = [other for other in sequences[:i] if not owners[one] | owners[other] <= kept]
    tasks = [(list(one), [list(other) for other in others[one]], least) for one in sequences]
    kin = {path.name: set() for path in complexes}
    with multiprocessing.Pool() as pool:
        for one, found in zip(sequences, pool.imap(kin_of_chain, tasks)):
            for other in [one, *itertools.compress(others[one], found)]:
                for a, b in itertools.product(owners[one], owners[other]):
                    kin[a].add(b)
                    kin[b].add(a)
    return {name: names - {name} for name, names in kin.items()}


def groups_of(kin):
    """Lists of complex names, each a connected set of kindred ones."""
    group = {name: {name} for name in kin}
    for name, names in kin.items():
        for other in names:
            if group[name] is not group[other]:
                joined = group[name] | group[other]
                group.update({member: joined for member in joined})
    return [sorted(g) for g in {id(g): g for g in group.values()}.values()]


def deal(groups, count, seed, sizes=None):
    """{complex: fold}; sizes: complexes that the folds hold beforehand."""
    groups = sorted(groups)
    random.Random(seed).shuffle(groups)
    groups.sort(key=len, reverse=True)
    fold, sizes = {}, list(sizes or [0] * count)
    for group in groups:
        smallest = sizes.index(min(sizes))
        sizes[smallest] += len(group)
        fold.update({name: smallest for name in group})
    return fold


def most_common(homes):
    """The fold that is named most often; of equal ones the first."""
    count = collections.Counter(homes)
    return min(count, key=lambda home: (-count[home], home))


def join_kin(kin, kept):
    """The folds of `kept` and of all that are linked to them. The complexes that have kin in `kept` come first, then
    those that have kin among these, and so on. At last each goes where most of its kin are by then."""
    fold = dict(kept)
    while True:
        joining = {name: [fold[other] for other in kin[name] if other in fold] for name in kin.keys() - fold.keys()}
        joining = {name: most_common(homes) for name, homes in joining.items() if homes}
        if not joining:
            break
        fold.update(joining)
    return {name: home if name in kept else most_common([fold[other] for other in kin[name]])
            for name, home in fold.items()}


def extend(kin, kept, count, seed):
    """{complex: fold}, with the folds of `kept` as they are."""
    fold = join_kin(kin, kept)
    rest = {name: names for name, names in kin.items() if name not in fold}
    sizes = [list(fold.values()).count(number) for number in range(count)]
    return {**fold, **deal(groups_of(rest), count, seed, sizes)}


def read_table(path):
    """({complex: fold}, {complex: group})"""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return tuple({row["complex"]: int(row[column]) for row in rows} for column in ("fold", "group"))


def number_groups(kin, fold, numbers):
    """{complex: number of its group}: kindred complexes of one fold. Groups that hold a complex of `numbers` take its
    number, the first of several."""
    groups = groups_of({name: {other for other in names if fold[other] == fold[name]}
                        for name, names in kin.items()})
    following = itertools.count(max(numbers.values(), default=-1) + 1)
    result = dict(numbers)
    for group in sorted(groups):
        known = sorted(numbers[name] for name in group if name in numbers)
        number = known[0] if known else next(following)
        result.update({name: number for name in group if name not in numbers})
    return result


def kin_elsewhere(kin, fold, kept):
    """Lines about new complexes that have kin in other folds."""
    lines = []
    for name in sorted(kin.keys() - kept.keys()):
        away = sorted((fold[other], other) for other in kin[name] if fold[other] != fold[name])
        if away:
            lines.append(f"{name} (fold {fold[name]}): "
                         + ", ".join(f"{other} (fold {home})" for home, other in away))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("complexes", type=pathlib.Path)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--score", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep")
    parser.add_argument("--ligands-of", nargs=2, metavar=("OLD", "FOLD"))
    options = parser.parse_args()
    if options.keep and options.ligands_of:
        parser.error("--keep and --ligands-of exclude each other")
    complexes = sorted(p for p in options.complexes.iterdir() if (p / "receptor.pdb").exists())
    if not complexes:
        raise SystemExit(f"no complexes in '{options.complexes}': folders with receptor.pdb expected")
    partners, made_with = ["receptor", "ligand"], " --keep" if options.keep else ""
    if options.ligands_of:
        of_fold = read_table(options.ligands_of[0])[0]
        complexes = [path for path in complexes if of_fold.get(path.name) == int(options.ligands_of[1])]
        partners, made_with = ["ligand"], f" --ligands-of {options.ligands_of[1]}"
    kept, numbers = read_table(options.keep) if options.keep else ({}, {})
    absent = kept.keys() - {path.name for path in complexes}
    if absent:
        raise SystemExit(f"no complex {min(absent)} in '{options.complexes}': '{options.keep}' names it")
    kin = kin_of(complexes, options.score, kept, partners)
    fold = extend(kin, kept, options.folds, options.seed)
    number = number_groups(kin, fold, numbers)
    elsewhere = kin_elsewhere(kin, fold, kept)
    with open(options.output, "w", encoding="utf-8") as out:
        out.write(f"# Written by potentials/folds.py --folds {options.folds} --score {options.score}"
                  f" --seed {options.seed}{made_with}.\n"
                  "# Complexes of one group hold kindred proteins.\n")
        if elsewhere:
            out.write("# New complexes with kin in another fold as well:\n"
                      + "".join(f"#   {line}\n" for line in elsewhere))
        out.write("complex,fold,group\n")
        for name in sorted(fold):
            out.write(f"{name},{fold[name]},{number[name]}\n")
    groups = collections.defaultdict(list)
    for name in sorted(fold):
        groups[number[name]].append(name)
    print("groups of several:", *(" ".join(g) for g in groups.values() if len(g) > 1), sep="\n  ")
    print("fold sizes:", [list(fold.values()).count(f) for f in range(options.folds)])


if __name__ == "__main__":
    main()
