#!/usr/bin/env python3
"""Scenes in binary glTF: the structure is what glTF 2.0 demands, lobes are the surfaces of the result, and one frame
follows the other. trimesh reads the same where it is installed. Usage: scenes.py PATH/OF/tessera"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)
try:
    import trimesh
except ImportError:
    trimesh = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
BOHR = 0.529177210903  # Angstrom
FRAMES = 4


def read(path):
    """The JSON part, and the arrays of all accessors."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    check((magic, version, length) == (b"glTF", 2, len(data)), f"{path.name}: {magic} {version} {length}")
    text_bytes, kind = struct.unpack_from("<I4s", data, 12)
    check(kind == b"JSON" and text_bytes % 4 == 0, f"{path.name}: first chunk")
    scene = json.loads(data[20:20 + text_bytes])
    binary_bytes, kind = struct.unpack_from("<I4s", data, 20 + text_bytes)
    body = data[28 + text_bytes:]
    check(kind == b"BIN\0" and binary_bytes == len(body) and binary_bytes % 4 == 0, f"{path.name}: second chunk")
    check(scene["asset"]["version"] == "2.0" and scene["buffers"] == [{"byteLength": len(body)}], "asset and buffers")
    arrays = []
    for accessor in scene["accessors"]:
        view = scene["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
        kind = numpy.dtype({5126: "<f4", 5125: "<u4"}[accessor["componentType"]])
        check(accessor["count"] > 0 and view["byteLength"] == accessor["count"] * width * kind.itemsize, "count")
        check(view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(body), "a view's place")
        values = numpy.frombuffer(body, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
        if "min" in accessor:
            check(accessor["min"] == values.min(axis=0).tolist() and accessor["max"] == values.max(axis=0).tolist(),
                  "bounds of an accessor")
        arrays.append(values)
    return scene, arrays


def check_meshes(scene, arrays):
    for mesh in scene["meshes"]:
        for part in mesh["primitives"]:
            places, normals = (arrays[part["attributes"][name]] for name in ("POSITION", "NORMAL"))
            check("min" in scene["accessors"][part["attributes"]["POSITION"]], "places without bounds")
            check(len(places) == len(normals) and abs(numpy.linalg.norm(normals, axis=1) - 1).max() < 1e-5, "normals")
            corners = arrays[part["indices"]].reshape(-1, 3)
            check(corners.max() < len(places) and part["material"] < len(scene["materials"]), "an index")
            a, b, c = (places[corners[:, k]].astype(float) for k in range(3))
            flat = numpy.cross(b - a, c - a)  # points to the side from which the corners are counter-clockwise
            turned = (flat * normals[corners].mean(axis=1)).sum(axis=1)
            check((turned >= -1e-9).mean() > 0.999, f"{mesh['name']}: triangles face inward")


def check_nodes(scene):
    parents = [child for node in scene["nodes"] for child in node.get("children", ())] + scene["scenes"][0]["nodes"]
    check(sorted(parents) == list(range(len(scene["nodes"]))), "every node has one parent")
    for node in scene["nodes"]:
        check(node.get("mesh", 0) < len(scene["meshes"]), "a mesh that is not there")
        check(abs(numpy.linalg.norm(node.get("rotation", (0, 0, 0, 1))) - 1) < 1e-5, "a rotation")


def check_frames(scene, arrays):
    channels = scene["animations"][0]["channels"]
    frames = scene["scenes"][0]["nodes"]
    check([channel["target"] for channel in channels] == [{"node": node, "path": "scale"} for node in frames],
          "not every frame is animated")
    for moment in range(FRAMES):
        shown = []
        for channel in channels:
            sampler = scene["animations"][0]["samplers"][channel["sampler"]]
            times, scales = arrays[sampler["input"]][:, 0], arrays[sampler["output"]]
            check((numpy.diff(times) > 0).all() and len(times) == len(scales), "keys of an animation")
            shown.append(scales[numpy.searchsorted(times, 0.1 * moment + 0.05) - 1].tolist())
        check(shown == [[float(frame == moment)] * 3 for frame in range(FRAMES)], f"shown at {moment}: {shown}")
    check(["scale" in scene["nodes"][node] for node in frames] == [False] + [True] * (FRAMES - 1), "hidden frames")


def check_contents(scene, arrays, result, label):
    """Of each frame: the lobes are the stored surface, atoms are in their places, bonds in between."""
    for number, node in enumerate(scene["scenes"][0]["nodes"], 1):
        parts = [scene["nodes"][child] for child in scene["nodes"][node]["children"]]
        atoms = result[f"frames/{number}/positions"][...] * BOHR
        surface = result[f"isosurfaces/{number}/{label}"]
        lobes = scene["meshes"][parts[0]["mesh"]]["primitives"]
        places = arrays[lobes[0]["attributes"]["POSITION"]]
        check(numpy.allclose(places, surface["vertices"][...] * BOHR, rtol=1e-6, atol=1e-6), "vertices")
        corners = numpy.concatenate([arrays[lobe["indices"]] for lobe in lobes]).reshape(-1, 3)
        check(numpy.array_equal(corners, surface["triangles"]), "triangles")
        check(len(lobes) == (2 if label == "HOMO" else 1), f"{len(lobes)} lobes")
        balls, rods = parts[1:1 + len(atoms)], parts[1 + len(atoms):]
        check(numpy.allclose([ball["translation"] for ball in balls], atoms, atol=1e-6), "atoms")
        names = sorted(rod["name"] for rod in rods)
        check(names == ["H-O", "H-O", "O-H", "O-H"], f"bonds: {names}")
        for rod in rods:
            x, y, z, w = rod["rotation"]
            along = numpy.array((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
            middle = numpy.array(rod["translation"]) + rod["scale"][2] * along
            check(abs(numpy.linalg.norm(atoms - middle, axis=1) - rod["scale"][2]).min() < 1e-5, "a bond's middle")


def orbital(program, name, *options):
    made = run(program, "orbital", *options, "-o", name, "--quiet", "--device", "openmp")
    check(made.returncode == 0, made.stderr)


def check_trajectory(program, folder):
    subprocess.run([sys.executable, ROOT / "bench/make_wavefunctions.py", "--frames", str(FRAMES), WATER,
                    "--occupied", "-o", folder], check=True, stdout=subprocess.DEVNULL)
    result = folder / "frames.h5"
    orbital(program, result, folder / "water_frames.molden", "--orbitals", "HOMO", "--density", "--isosurface", "0.05",
            "--density-isosurface", "0.02", "--spacing", "0.25")
    made = run(program, "export", result, "--glb", folder / "glb")
    check(made.returncode == 0, made.stderr)
    files = sorted(path.name for path in (folder / "glb").iterdir())
    check(files == ["HOMO.glb", "density.glb"], f"files: {files}")
    with h5py.File(result) as file:
        for label in ("HOMO", "density"):
            scene, arrays = read(folder / "glb" / f"{label}.glb")
            check_meshes(scene, arrays)
            check_nodes(scene)
            check_frames(scene, arrays)
            check_contents(scene, arrays, file, label)
    if trimesh:
        loaded = trimesh.load(folder / "glb/HOMO.glb")
        check(len(loaded.graph.nodes_geometry) == FRAMES * (2 + 3 + 4), "trimesh: other nodes")


def check_refused(program, folder):
    orbital(program, folder / "grid.h5", WATER, "--orbitals", "HOMO", "--spacing", "0.8")
    refused = run(program, "export", folder / "grid.h5", "--glb", folder / "none")
    check(refused.returncode == 2 and "holds no surfaces" in refused.stderr, refused.stderr)
    check(not (folder / "none").exists(), "a folder is left")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-scenes-") as name:
        check_trajectory(program, pathlib.Path(name))
        check_refused(program, pathlib.Path(name))
    print("scenes are sound", "and trimesh reads them" if trimesh else "(trimesh is not installed)")


main()
