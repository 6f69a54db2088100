#!/usr/bin/env python3
"""Whatever is wrong with the options of tessera dock, the user reads one line "tessera: problem (why): what to do" that
names the culprit, the exit code is not 0, and no file is left behind.
Usage: bad_options.py PATH/OF/tessera"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from bad_dockings import DOCK, bad_files, refuse_all  # noqa: E402


def option_cases():
    for option, value, words in (
            ("--rotations", "0", "24"), ("--rotations", "-5", "--rotations"),
            ("--rotations", "1e9", "--rotations"), ("--rotations", "99999999999", "--rotations"),
            ("--rotations", "many", "many"), ("--spacing", "0", "--spacing"),
            ("--spacing", "-1", "--spacing"), ("--spacing", "nan", "--spacing"),
            ("--spacing", "inf", "--spacing"), ("--spacing", "1e-3", "--spacing"),
            ("--grid", "32", r"use \d+ or more"), ("--grid", "-64", "--grid"),
            ("--grid", "81", "odd"), ("--grid", "100000", "--grid"), ("--grid", "1e3x", "--grid"),
            ("--terms", "0", "--terms"), ("--terms", "19", "--terms"), ("--terms", "-1", "--terms"),
            ("--poses-per-rotation", "0", "--poses-per-rotation"),
            ("--poses-per-rotation", "65", "--poses-per-rotation"),
            ("--exclusion", "-1", "--exclusion"), ("--exclusion", "nan", "--exclusion"),
            ("--poses", "0", "--poses"), ("--poses", "-3", "--poses"),
            ("--clusters", "0", "--clusters"), ("--clusters", "-1", "--clusters"),
            ("--cluster-radius", "nan", "--cluster-radius"),
            ("--clustered-poses", "-1", "--clustered-poses"),
            ("--pair-scale", "nan", "--pair-scale"), ("--pair-scale", "inf", "--pair-scale"),
            ("--repulsion", "-1", "--repulsion"), ("--born-radius", "0", "--born-radius"),
            ("--pair-cutoff", "nan", "--pair-cutoff"),
            ("--electrostatics-cutoff", "1e9", "--electrostatics-cutoff"),
            ("--seed", "-1", "--seed"), ("--memory", "-1", "--memory"),
            ("--memory", "nan", "--memory"), ("--report", "-1", "--report"),
            ("--memory", "1e-6", "GiB|memory"),
            ("--device", "abacus", "abacus"), ("--precision", "half", "half"),
            ("--coefficients", "balanced,sour", r"'sour' .it is neither"),
            ("--coefficients", "vdw,balancd", "'balancd' .did you mean balanced"), ("--coefficients", "balanced,balanced", "twice"),
            ("--coefficients", ",", "coefficient set"), ("--coefficients", "a folder", "a folder"),
            ("--coefficients", "nine.sets", "9 coefficient sets"),
            ("--coefficients", "text.sets", "text.sets:1"),
            ("--coefficients", "short.sets", "short.sets:1"),
            ("--coefficients", "long.sets", "long.sets:1"),
            ("--coefficients", "nan.sets", "nan.sets:1"), ("--coefficients", "huge.sets", "huge.sets:1"),
            ("--coefficients", "large.sets", "large.sets:1"),
            ("--coefficients", "twice.sets", "twice"), ("--coefficients", "slash.sets", "slash.sets:1"),
            ("--coefficients", "dot.sets", "dot.sets:1"), ("--coefficients", "binary.sets", "binary.sets"),
            ("--coefficients", "empty.sets", "empty.sets"),
            ("--coefficients", "zero.sets", "zero.sets:2.*all weights of 'nothing' are 0"),
            ("--rotation-file", "length.rot", "length.rot:2"),
            ("--rotation-file", "reflection.rot", "reflection"),
            ("--rotation-file", "skewed.rot", "orthonormal"),
            ("--rotation-file", "columns.rot", "3 columns"), ("--rotation-file", "empty.rot", "is empty"),
            ("--rotation-file", "text.rot", "text.rot:1"), ("--rotation-file", "binary.rot", "binary.rot"),
            ("--rotation-file", "a folder", "a folder"), ("--rotation-file", "none.rot", "none.rot"),
            ("--block", "empty.res", "empty.res"), ("--block", "word.res", "word.res:1"),
            ("--block", "partner.res", "partner.res:1"), ("--attract", "backwards.res", "backwards.res:1"),
            ("--attract", "absent.res", "no such residue"), ("--block", "chain.res", "no such residue"),
            ("--block", "huge.res", "huge.res:1"), ("--block", "binary.res", "binary.res"),
            ("--block", "a folder", "a folder"), ("--block", "none.res", "none.res"),
            ("--pair-potential", "rows.table", "rows.table"),
            ("--pair-potential", "lopsided.table", "symmetric"),
            ("--pair-potential", "nan.table", "nan.table"), ("--pair-potential", "few.table", "type"),
            ("--pair-potential", "a folder", "directory"), ("--pair-potential", "binary.pdb", "binary"),
            ("--pair-potential", "tesera", "did you mean tessera[^,]*use tessera, ace, or a file"),
            ("--pair-potential", "none.table", "'none.table' .it is neither a built-in name nor a file"),
            ("--rescoring=generl", "--refine=5", "did you mean general"),
            ("--rescoring", "--refine", "--rescoring has no value .the next word is '--refine'"),
            ("-o", "--quiet", "-o has no value"), ("--config", "--", "--config has no value"),
            ("--atom-types", "types.csv", "types.csv"), ("--atom-types", "none.csv", "none.csv"),
            ("--receptor-chains", "Q", "chain 'Q'"), ("--ligand-chains", "A,B", "chain 'A'"),
            ("--reference", "other.pdb", "reference"), ("--reference", "receptor.pdb", "ligand"),
            ("--reference-ligand-chains", "B", "--reference"),
            ("--colour", "red", "--colour"), ("--spacing", None, "--spacing")):
        yield (f"{option} {value}", DOCK.split() + [option] + ([value] if value is not None else []), words)


def main():
    with bad_files() as folder:
        refuse_all(os.path.abspath(sys.argv[1]), folder, [*option_cases()], ("--grid 32", "--memory 1e-6"))


main()
