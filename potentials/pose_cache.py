"""Refined poses of one complex in one compressed file, with the contacts counted once: for scripts that train and
judge many models on the same dockings.

Arrays of NAME.npz: terms [n,14] float32 and term_names; contacts [n, pairs of both shells] uint8 or uint16 and types;
statistical [n,4] float32 and statistical_names; of antibodies also cdr_share [n] float32;
where [n,12] float32 (bench/docking_success/near.py); rotation [n,4] and translation [n,3] float32, which turn the ligand
about center [3] and move that point to translation; capri_class [n] int8; set, rank [n] of the search."""

import json
import pathlib
import sys

import h5py
import numpy as np

import training

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench/docking_success"))

import near  # noqa: E402
import stages  # noqa: E402


def counted(counter, partners, rotation, translation):
    """The arrays contacts, types, statistical, statistical_names and, for antibodies, cdr_share."""
    counts, types, statistical, names, share = training.count_contacts(counter, *partners, rotation, translation)
    upper = np.triu_indices(len(types))
    flat = np.hstack([counts[:, shell, upper[0], upper[1]] for shell in range(counts.shape[1])])
    arrays = {"contacts": flat.astype(np.uint8 if flat.max(initial=0) < 256 else np.uint16), "types": types,
              "statistical": statistical.astype(np.float32), "statistical_names": names}
    return arrays if share is None else {**arrays, "cdr_share": share.astype(np.float32)}


def write(path, poses, partners, ligand_center, counter):
    """poses: the arrays of the file that no computation needs, with rotation and translation."""
    rotation, translation = (np.asarray(poses.pop(key), float) for key in ("rotation", "translation"))
    points = stages.ligand_points(partners[1]) - ligand_center
    np.savez_compressed(path, **counted(counter, partners, rotation, translation),
                        rotation=rotation.astype(np.float32), translation=translation.astype(np.float32),
                        center=ligand_center,
                        where=near.places(points, near.rotation_matrices(rotation), translation).astype(np.float32),
                        **poses)


def write_from_result(result, path, counter, complexes=None):
    """result: an output of tessera dock with --reference and --duplicate-radius 0; the partners are read from where
    they were docked, or from COMPLEXES/NAME."""
    with h5py.File(result) as file:
        docking, given = file["docking"], json.loads(file["run"].attrs["input"])
        consensus, name = docking["consensus"], pathlib.Path(result).stem
        partners = [complexes / name / f"{part}.pdb" if complexes else given[part] for part in ("receptor", "ligand")]
        poses = {key: consensus[key][:] for key in ("rotation", "translation", "set", "rank")}
        poses["capri_class"] = consensus["evaluation/capri_class"][:].astype(np.int8)
        poses["terms"] = np.hstack([consensus[key][:] for key in ("terms", "search_terms")]).astype(np.float32)
        poses["term_names"] = [training.as_text(n) for key in ("terms", "search_terms")
                               for n in consensus[key].attrs["names"]]
        center = docking["ligand_center"][:].ravel()
    write(path, poses, partners, center, counter)
