#!/usr/bin/env python3
"""Validates result files of tessera, for BOINC's script_validator:

    script_validator --app tessera --init_script validate.py --compare_script validate.py
    script_validator --app tessera --init_script validate.py --compare_script "validate.py --bound 1e-9"

With one file, it must be a complete result. With two, they must have the same answer: every dataset and attribute
outside of /run, bit by bit. With --bound B, floating-point numbers may differ by B times the largest number of their
dataset. Exit code 0 if the files are valid; otherwise 1, and a line says why."""

import argparse
import sys

import h5py
import numpy

OF_THE_RUN = {"created", "version"}  # attributes that two equal answers may differ in


class Invalid(Exception):
    pass


def numbers_of(values):
    """The columns of a compound dataset, or the array itself."""
    values = numpy.asarray(values)
    return [values[name] for name in values.dtype.names] if values.dtype.names else [values]


def answer_of(path):
    """Name -> values of everything that the result says. Throws Invalid if it is not a complete result."""
    found = {}

    def visit(name, item):
        if name == "run" or name.startswith("run/"):
            return
        for key, value in item.attrs.items():
            if key not in OF_THE_RUN:
                found[f"{name}@{key}"] = [numpy.asarray(value)]
        if isinstance(item, h5py.Dataset):
            found[name] = numbers_of(item[()])

    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("program") != "tessera" or file.attrs.get("complete") != 1:
                raise Invalid(f"{path} is no complete result of tessera")
            visit("", file)
            file.visititems(visit)
    except OSError as problem:
        raise Invalid(f"{path} cannot be read ({problem})") from problem
    return found


def are_equal(one, other, bound):
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind == "O":
        return bool(numpy.array_equal(one, other))
    if one.tobytes() == other.tobytes():
        return True
    if bound <= 0 or one.dtype.kind != "f":
        return False
    finite = one[numpy.isfinite(one)]
    scale = numpy.max(numpy.abs(finite)) if finite.size else 0
    return bool(numpy.allclose(one, other, rtol=0, atol=bound * scale, equal_nan=True))


def compare(one, other, bound):
    """Throws Invalid for the first thing that the answers differ in."""
    if one.keys() != other.keys():
        raise Invalid(f"only one of the results has {sorted(one.keys() ^ other.keys())[0]}")
    for name, columns in one.items():
        if len(columns) != len(other[name]) or \
                not all(are_equal(a, b, bound) for a, b in zip(columns, other[name])):
            raise Invalid(f"the results differ in {name}")


def main():
    parser = argparse.ArgumentParser(description="Validates result files of tessera.")
    parser.add_argument("--bound", type=float, default=0, help="relative difference that is allowed (default: none)")
    parser.add_argument("files", nargs="+", help="a result, or two to compare")
    options = parser.parse_args()
    if len(options.files) > 2:
        parser.error("one or two files, please: a task of tessera has one result")
    try:
        answers = [answer_of(path) for path in options.files]
        if len(answers) == 2:
            compare(*answers, options.bound)
    except Invalid as problem:
        print(f"invalid: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
