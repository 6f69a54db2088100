"""The chi angles of the amino acids: which atoms they turn about, and how they are measured."""

import numpy as np

# The main chain of each side chain from N on. Chi k is the dihedral angle of four atoms from place k - 1 on.
CHAINS = {
    "ARG": "N CA CB CG CD NE CZ", "ASN": "N CA CB CG OD1", "ASP": "N CA CB CG OD1", "CYS": "N CA CB SG",
    "GLN": "N CA CB CG CD OE1", "GLU": "N CA CB CG CD OE1", "HIS": "N CA CB CG ND1", "ILE": "N CA CB CG1 CD1",
    "LEU": "N CA CB CG CD1", "LYS": "N CA CB CG CD CE NZ", "MET": "N CA CB CG SD CE", "PHE": "N CA CB CG CD1",
    "SER": "N CA CB OG", "THR": "N CA CB OG1", "TRP": "N CA CB CG CD1", "TYR": "N CA CB CG CD1",
    "VAL": "N CA CB CG1"}
# Residues whose last chi means the same half a turn on.
SYMMETRIC = {"ASP", "GLU", "PHE", "TYR"}
# Residues whose last chi is about a bond to a flat group. It has no three preferred values.
FLAT = {"ARG": False, "ASN": True, "ASP": True, "GLN": True, "GLU": True, "HIS": True, "PHE": True, "TRP": True,
        "TYR": True}


def chains():
    return {residue: names.split() for residue, names in CHAINS.items()}


def period(residue, chi, count):
    """Degrees after which chi number `chi` (from 0) of `count` means the same."""
    return 180 if residue in SYMMETRIC and chi == count - 1 else 360


def bin_width(residue, chi, count):
    """Degrees. Chi angles about bonds between tetrahedral atoms have one bin for each staggered conformation."""
    return 60 if FLAT.get(residue, False) and chi == count - 1 else 120


def dihedral(a, b, c, d):
    """Degrees in (-180, 180] of points [n,3]; IUPAC's sign."""
    u, v, w = b - a, c - b, d - c
    first, second = np.cross(u, v), np.cross(v, w)
    length = np.linalg.norm(v, axis=-1)
    return np.degrees(np.arctan2(length * (u * second).sum(-1), (first * second).sum(-1)))
