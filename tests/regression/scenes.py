#!/usr/bin/env python3
"""Scenes in binary glTF: the structure is what glTF 2.0 demands, lobes are the surfaces of the result, and one frame
follows the other. gltfpack validates the files and trimesh reads the same, where they are installed.
Usage: scenes.py PATH/OF/tessera"""

import json
import os
import pathlib
import shutil
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
GLTFPACK = shutil.which("gltfpack")  # reads a file only if cgltf finds it valid

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


def check_valid(path):
    """What cgltf finds in a file: bounds of buffers and accessors, indices, references and the tree of nodes."""
    if GLTFPACK:
        made = subprocess.run([GLTFPACK, "-i", path, "-o", path.with_suffix(".packed.glb")], capture_output=True, text=True)
        check(made.returncode == 0, f"gltfpack: {path.name}: {made.stdout}{made.stderr}")
        path.with_suffix(".packed.glb").unlink()


def check_validation(path):
    """gltfpack would tell an index beyond the vertices."""
    scene, arrays = read(path)
    view = scene["bufferViews"][scene["accessors"][scene["meshes"][0]["primitives"][0]["indices"]]["bufferView"]]
    data = bytearray(path.read_bytes())
    begin = len(data) - scene["buffers"][0]["byteLength"]
    struct.pack_into("<I", data, begin + view["byteOffset"], max(len(array) for array in arrays))
    broken = path.with_name("broken.glb")
    broken.write_bytes(data)
    made = subprocess.run([GLTFPACK, "-i", broken, "-o", path.with_name("packed.glb")], capture_output=True)
    check(made.returncode != 0, "gltfpack accepts a wrong index")
    broken.unlink()


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
            check_valid(folder / "glb" / f"{label}.glb")
            check_meshes(scene, arrays)
            check_nodes(scene)
            check_frames(scene, arrays)
            check_contents(scene, arrays, file, label)
    if GLTFPACK:
        check_validation(folder / "glb/HOMO.glb")
    if trimesh:
        loaded = trimesh.load(folder / "glb/HOMO.glb")
        check(len(loaded.graph.nodes_geometry) == FRAMES * (2 + 3 + 4), "trimesh: other nodes")


def check_colors(program, folder):
    """Values of the vertices are in the file, and their colours go from red over white to blue in linear light."""
    result = folder / "esp.h5"
    orbital(program, result, WATER, "--esp-surface", "--spacing", "0.3")
    for name, options, end in (("esp", (), None), ("wide", ("--glb-color", "esp", "--glb-range", "0.5"), 0.5)):
        made = run(program, "export", result, "--glb", folder / name, *options)
        check(made.returncode == 0 and "colours of density: esp from" in made.stdout, made.stdout + made.stderr)
        end = end or float(made.stdout.split(" to ")[1].split()[0])
        scene, arrays = read(folder / name / "density.glb")
        check_valid(folder / name / "density.glb")
        check_meshes(scene, arrays)
        attributes = scene["meshes"][0]["primitives"][0]["attributes"]
        with h5py.File(result) as file:
            esp = file["isosurfaces/1/density/fields/esp"][...]
        check(numpy.array_equal(arrays[attributes["_VALUE"]][:, 0], esp.astype("f4")), "values of vertices")
        check(esp.min() < 0 < esp.max() and end >= abs(esp).max(), f"range {end}")
        share = numpy.minimum(abs(esp) / end, 1)[:, None]
        ends = numpy.where(esp[:, None] < 0, (220, 60, 50), (50, 90, 220)) / 255
        screen = 1 - share + share * ends
        light = numpy.where(screen <= 0.04045, screen / 12.92, ((screen + 0.055) / 1.055)**2.4)
        check(numpy.allclose(arrays[attributes["COLOR_0"]], light, atol=1e-5), "colours")
    made = run(program, "export", result, "--glb", folder / "lobes", "--glb-color", "lobes")
    check("COLOR_0" not in read(folder / "lobes/density.glb")[0]["meshes"][0]["primitives"][0]["attributes"], "lobes")
    refused = run(program, "export", result, "--glb", folder / "none", "--glb-color", "HOMO")
    check(refused.returncode == 2 and "it has: esp" in refused.stderr, refused.stderr)


def check_from_grids(program, folder):
    """Without stored surfaces they are made of the grids: the same vertices as those of the run."""
    options = (WATER, "--orbitals", "HOMO", "--density", "--spacing", "0.3")
    grid, surface = folder / "grid.h5", folder / "surface.h5"
    orbital(program, grid, *options)
    orbital(program, surface, *options, "--isosurface", "0.05", "--density-isosurface", "0.002", "--grids")
    made = run(program, "export", grid, "--glb", folder / "made")
    check(made.returncode == 0 and "surface of HOMO at 0.05, made of its grid" in made.stdout, made.stdout + made.stderr)
    run(program, "export", surface, "--glb", folder / "stored")
    for label in ("HOMO", "density"):
        places, normals = [], []
        for kind in ("made", "stored"):
            scene, arrays = read(folder / kind / f"{label}.glb")
            check_meshes(scene, arrays)
            lobe = scene["meshes"][0]["primitives"][0]["attributes"]
            order = numpy.lexsort(arrays[lobe["POSITION"]].T)
            places.append(arrays[lobe["POSITION"]][order])
            normals.append(arrays[lobe["NORMAL"]][order])
        check(numpy.allclose(*places, atol=1e-5), f"{label}: other vertices")
        check((normals[0] * normals[1]).sum(axis=1).mean() > 0.97, f"{label}: other normals")
    for out in ("--mesh", "--glb"):
        made = run(program, "export", surface, out, folder / "other", "--isovalue", "0.1")
        check(made.returncode == 0 and "HOMO at 0.1," in made.stdout and "density at 0.002," in made.stdout, made.stderr)
    high = run(program, "export", grid, "--glb", folder / "high", "--isovalue", "9")
    check(high.returncode == 2 and "has no surface at 9 (its values reach" in high.stderr, high.stderr)
    plane = folder / "plane.h5"
    orbital(program, plane, WATER, "--orbitals", "HOMO", "--origin=-2,-2,0.2", "--grid", "11,11,1", "--spacing", "0.4",
            "--isosurface", "0.02", "--grids")
    told = run(program, "info", plane).stdout
    check("empty, because the grid is flat" in told, told)
    flat = run(program, "export", plane, "--glb", folder / "high", "--isovalue", "0.02")
    check(flat.returncode == 2 and "its grid of 11 x 11 x 1 points is flat" in flat.stderr, flat.stderr)
    useless = run(program, "export", grid, "--cube", folder / "cubes", "--isovalue", "1")
    check(useless.returncode == 2 and "no surface to write" in useless.stderr, useless.stderr)
    orbital(program, folder / "norms.h5", WATER, "--orbitals", "HOMO", "--spacing", "0.8", "--norms-only")
    refused = run(program, "export", folder / "norms.h5", "--glb", folder / "empty")
    check(refused.returncode == 2 and "holds no surfaces" in refused.stderr, refused.stderr)
    check(not (folder / "empty").exists(), "a folder is left")


def check_without_device(program, folder):
    """Surfaces are made of grids where no device can start. Kokkos refuses a number of threads that is not one."""
    broken = {"KOKKOS_NUM_THREADS": "none"}
    grid = folder / "no_device.h5"
    orbital(program, grid, WATER, "--orbitals", "HOMO", "--density", "--spacing", "0.4")
    started = run(program, "orbital", WATER, "--orbitals", "HOMO", "--norms-only", "-o", folder / "none.h5",
                  environment=broken)
    check(started.returncode != 0, "Kokkos starts, so this test shows nothing")
    for kind, environment in (("plain", {}), ("broken", broken)):
        made = run(program, "export", grid, "--mesh", folder / kind, environment=environment)
        check(made.returncode == 0, made.stderr)
    for name in ("HOMO.ply", "density.ply"):
        check((folder / "plain" / name).read_bytes() == (folder / "broken" / name).read_bytes(), f"{name}: other bytes")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-scenes-") as name:
        check_trajectory(program, pathlib.Path(name))
        check_colors(program, pathlib.Path(name))
        check_from_grids(program, pathlib.Path(name))
        check_without_device(program, pathlib.Path(name))
    readers = {"gltfpack": GLTFPACK, "trimesh": trimesh}
    missing = [name for name, found in readers.items() if not found]
    print("scenes are sound", f"(not asked, because not installed: {', '.join(missing)})" if missing else "")


main()
