"""Variable domains of antibodies in sequences: IMGT numbers by conserved residues, profiles, and alignment to them.

The numbering is that of Lefranc et al. (2003): Cys 23, Trp 41, Cys 104 and Trp or Phe 118 have the same numbers in all
domains, and the CDRs are 27-38, 56-65 and 105-117. src/docking/antibody does the same alignment in C++.
"""

import math
import re

import numpy as np

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
CDRS = ((27, 38), (56, 65), (105, 117))
# Positions that no domain of a class has, as the germlines of the class show it in any structure.
GAPS = {"H": {10, 73}, "K": {73, 81, 82}, "L": {10, 73, 81, 82}}
ANCHORS = re.compile(r"(?=(C.{9,19}W.{40,72}?D.[AGSTV].[YF].C)(.{2,35}?)([WF]G.G))")
FRAMEWORK = [p for p in range(1, 129) if not any(first <= p <= last for first, last in CDRS)]


def class_of(sequence, start, joining):
    """H, K or L by the joining segment: WGxG, FGxGTK.EI, or FGxGT..TV."""
    if joining[0] == "W":
        return "H"
    tail = sequence[start:start + 11]
    return "L" if re.match(r"FG.GT.[LV]T", tail) else "K" if re.match(r"FG.GT.[LVMF][ED][ILF]", tail) else None


def by_anchors(sequence):
    """(class, {index in the sequence: IMGT position} of the framework) of each domain that the pattern finds, without
    looking at any profile. Domains with unusual lengths between the anchors are left out."""
    found, end = [], 0
    for match in ANCHORS.finditer(sequence):
        if match.start() < end:
            continue
        body, loop, joining = match.groups()
        cys, second = match.start(), match.start() + len(body) - 1
        fourth = second + len(loop) + 1
        kind = class_of(sequence, fourth, joining)
        lengths = {"H": 38, "K": 36, "L": 36}
        if kind is None or cys < 10:
            continue
        places = {}

        def fill(last_index, positions):
            for index, position in zip(range(last_index, -1, -1), reversed(positions)):
                places[index] = position

        present = [p for p in FRAMEWORK if p not in GAPS[kind]]
        first = [p for p in present if p <= 23]
        fill(cys, first[-min(len(first), cys + 1):])
        for offset in (1, 2, 3):
            places[cys + offset] = 23 + offset
        tryptophan = [w for w in range(cys + 10, cys + 21) if sequence[w] == "W"
                      and sequence[w + 1] in "YVFILAHW" and sequence[w + 2] in "RQKL"]
        if not tryptophan:
            continue
        for position in range(39, 56):
            places[tryptophan[0] + position - 41] = position
        third = [p for p in present if 66 <= p <= 104]
        if second - lengths[kind] + 1 <= tryptophan[0] + 15:
            continue
        fill(second, third)
        for position in range(118, 129):
            if fourth + position - 118 < len(sequence):
                places[fourth + position - 118] = position
        found.append((kind, places))
        end = fourth
    return found


def profile_of(domains, background, pseudo_counts):
    """{position: (share of domains that have it, {letter: ln(p / background)})} of [(sequence, places)]."""
    counts = {position: dict.fromkeys(LETTERS, 0) for position in FRAMEWORK}
    within = dict.fromkeys(FRAMEWORK, 0)
    for sequence, places in domains:
        for index, position in places.items():
            if sequence[index] in counts[position]:
                counts[position][sequence[index]] += 1
        for position in range(min(places.values()), max(places.values()) + 1):
            if position in within:
                within[position] += 1
    profile = {}
    for position, count in counts.items():
        total = sum(count.values())
        scores = {a: math.log((count[a] + pseudo_counts * background[a]) / (total + pseudo_counts) / background[a])
                  for a in LETTERS}
        profile[position] = ((total + 0.5) / (within[position] + 1), scores)
    return profile


# Costs in nats of a missing position, and of a letter more than the numbering has places.
FRAMEWORK_GAP, LOOP_GAP, END_GAP = 7.0, 0.05, 0.3
INSERTS = {33: 6.0, 60: 6.0, 111: 0.05, **dict.fromkeys(range(67, 104), 4.0)}
UNKNOWN = -1.0
LEAST_SCORE, SHORTEST = 40.0, 60  # of a domain


def gap_cost(position, profile):
    """What it costs a domain to lack this position, in nats. Ends are often disordered."""
    if position not in profile:
        return LOOP_GAP
    if position <= 20 or position >= 122:
        return END_GAP
    return min(FRAMEWORK_GAP, -math.log(max(1e-9, 1 - profile[position][0])))


def align(sequence, profile):
    """(score in nats, {index: position}) of the best domain. CDR positions score nothing and may be left out. CDRs may
    be longer than the numbering has places, CDR 3 at little cost, and so may framework 3."""
    n = len(sequence)
    index = np.arange(n + 1)
    score, origins = np.zeros(n + 1), []  # score: of the best way to use i letters for the positions so far
    for position in range(1, 129):
        gains = np.zeros(n) if position not in profile else \
            np.array([profile[position][1].get(letter, UNKNOWN) for letter in sequence])
        skipped, taken = score - gap_cost(position, profile), np.full(n + 1, -1e9)
        taken[1:] = score[:-1] + gains
        score, origin = np.where(taken > skipped, taken, skipped), np.where(taken > skipped, index - 1, index)
        if position in INSERTS:
            cost = INSERTS[position] * index
            best = np.maximum.accumulate(score + cost)
            source = np.maximum.accumulate(np.where(score + cost == best, index, 0))
            inserted = best - cost > score
            score = best - cost
            origin = np.where(inserted, origin[source], origin)
        origins.append(origin)
    end = int(np.argmax(score))
    places, i = {}, end
    for position in range(128, 0, -1):
        before = int(origins[position - 1][i])
        for used in range(before, i):
            places[used] = position
        i = before
    return float(score[end]), places
