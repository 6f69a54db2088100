#!/usr/bin/env python3
"""Pictures of isosurfaces (tessera export --render, tessera orbital --render): a lobe has the area, the place and the colour that its formula says,
the nearer one hides the other, transparent pictures are those on white, and bytes do not depend on threads.
Usage: rendered_pictures.py PATH/OF/tessera"""

import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import check, run  # noqa: E402

import numpy  # noqa: E402
from png import chunks, read_png  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
EXPONENT, LEVEL = 0.5, 0.1  # bohr^-2, bohr^-3/2
APART = 7.0  # bohr
# A Gaussian at the first of two helium atoms, s or p along x. The second atom has no function in the orbital.
HELIUM = f"""[Molden Format]
[Atoms] AU
He 1 2 0 0 0
He 2 2 {APART} 0 0
[GTO]
1 0
SHELL 1 1.0
 {EXPONENT} 1.0

2 0
s 1 1.0
 {EXPONENT} 1.0

[MO]
Ene= -1.0
Spin= Alpha
Occup= 2.0
NUMBERS
"""


def orbital(program, name, *options):
    made = run(program, "orbital", *options, "-o", name, "--quiet", "--device", "openmp")
    check(made.returncode == 0, made.stderr)
    return name


def picture(program, result, name, *options, size="300x200"):
    """The pixels of the one picture that the command writes."""
    path = result.parent / name
    made = run(program, "export", result, "--render", path, "--render-size", size, "--force", *options)
    check(made.returncode == 0, made.stderr)
    check(f"written: {path}" in made.stdout, made.stdout)
    pixels = read_png(path)
    check("x".join(map(str, (pixels.shape[1], pixels.shape[0]))) == size, f"{name}: {pixels.shape}")
    return pixels


def blue(pixels):
    return pixels[:, :, 2] - pixels[:, :, 0] > 60


def red(pixels):
    return pixels[:, :, 0] - pixels[:, :, 2] > 60


def inked(pixels):
    return pixels[:, :, :3].min(axis=2) < 245


def middle(mask):
    return numpy.argwhere(mask).mean(axis=0)


def helium(program, folder, shell, numbers):
    text = HELIUM.replace("SHELL", shell).replace("NUMBERS", numbers)
    (folder / f"{shell}.molden").write_text(text)
    return orbital(program, folder / f"{shell}.h5", folder / f"{shell}.molden", "--orbitals", "1", "--isosurface",
                   str(LEVEL), "--spacing", "0.1")


def check_sphere(program, folder):
    """psi = N exp(-a r^2) = V is a sphere. Its silhouette is a disc, measured in the distance of the two atoms."""
    result = helium(program, folder, "s", " 1 1.0\n 2 0.0")
    pixels = picture(program, result, "s.png", "--render-view", "0,0,1", "--render-opacity", "1")
    disc, all_ink = blue(pixels), inked(pixels)
    other = all_ink.copy()
    other[:, :int(numpy.argwhere(disc)[:, 1].max()) + 2] = False  # the rest is the second atom
    apart = math.dist(middle(disc), middle(other))
    radius = math.sqrt(math.log((2 * EXPONENT / math.pi)**0.75 / LEVEL) / EXPONENT)
    wanted = math.pi * (radius / APART)**2
    found = disc.sum() / apart**2
    check(abs(found / wanted - 1) < 0.02, f"area of the sphere: {found}, not {wanted}")
    check(abs(middle(disc)[0] - middle(other)[0]) < 0.5, "the axis is not level")
    check(not red(pixels).any(), "a negative lobe of a positive orbital")


def check_lobes(program, folder):
    """p along x: positive on the right. Seen along x, the nearer lobe hides the other."""
    result = helium(program, folder, "p", " 1 1.0\n 2 0.0\n 3 0.0\n 4 0.0")
    pixels = picture(program, result, "p.png", "--render-view", "0,0,1", "--render-opacity", "1")
    check(middle(blue(pixels))[1] > middle(red(pixels))[1] + 10, "the lobes are exchanged")
    check(abs(blue(pixels).sum() / red(pixels).sum() - 1) < 0.03, "the lobes differ in size")
    from_right = picture(program, result, "p.png", "--render-view", "1,0,0", "--render-opacity", "1")
    from_left = picture(program, result, "p.png", "--render-view", "-1,0,0", "--render-opacity", "1")
    check(blue(from_right).sum() > 1000 and not red(from_right).any(), "the nearer lobe is the positive one")
    check(red(from_left).sum() > 1000 and not blue(from_left).any(), "the nearer lobe is the negative one")


def check_transparent(program, result):
    options = ("--render-surface", "HOMO", "--render-opacity", "0.5")
    on_white = picture(program, result, "white.png", *options)
    clear = picture(program, result, "clear.png", *options, "--render-background", "transparent")
    check(on_white.shape[2] == 3 and clear.shape[2] == 4, "channels")
    opacity = clear[:, :, 3:]
    check(opacity[0, 0, 0] == 0 and opacity.max() == 255, "opacity of the corner and of atoms")
    composed = (clear[:, :, :3] * opacity + 255 * (255 - opacity)) / 255
    check(abs(composed - on_white).max() <= 1.6, f"on white: {abs(composed - on_white).max()}")
    check(blue(on_white).sum() > 300 and red(on_white).sum() > 300, "two lobes")
    half = ((opacity > 100) & (opacity < 250)).sum()
    check(half > 1000, f"only {half} pixels are half transparent")


def check_threads(program, result):
    """The same bytes for any number of threads, and a title."""
    bytes_of = set()
    for threads in (1, 2, 3):
        path = result.parent / "threads.png"
        made = subprocess.run([program, "export", result, "--render", path, "--force", "--render-size", "200x150",
                               "--render-surface", "HOMO"], env={**os.environ, "OMP_NUM_THREADS": str(threads)},
                              capture_output=True, text=True)
        check(made.returncode == 0, made.stderr)
        bytes_of.add(path.read_bytes())
    check(len(bytes_of) == 1, "the picture depends on the number of threads")
    check((b"tEXt", b"Title\0tessera orbital, HOMO") in chunks(path), "no title")


def check_colors(program, folder):
    """A scale, white in its middle, stands beside a surface that is coloured by its values."""
    result = orbital(program, folder / "esp.h5", WATER, "--density", "--isosurface", "0.01", "--vertex-field", "esp",
                     "--spacing", "0.25")
    path = folder / "esp.png"
    made = run(program, "export", result, "--render", path, "--render-color", "esp", "--render-range", "0.08",
               "--render-view", "front", "--render-opacity", "1", "--render-size", "400x240")
    check(made.returncode == 0 and "colours: esp from -0.08 to 0.08 hartree" in made.stdout, made.stdout + made.stderr)
    pixels = read_png(path)
    bar = pixels[60:180, 345]
    check(blue(bar[None])[0, :30].all() and red(bar[None])[0, -30:].all(), "the scale")
    check(bar[59:61].min() > 245, f"the middle of the scale is {bar[59:61]}")
    molecule = pixels[:, :330]
    positive, negative = numpy.argwhere(blue(molecule)), numpy.argwhere(red(molecule))
    check(len(positive) > 500 and len(negative) > 500, "the surface lacks a colour")
    # Seen from in front the positive hydrogens are left and right of the negative oxygen.
    check(positive[:, 1].std() > 1.5 * negative[:, 1].std(), "the colours are exchanged")


def check_frames(program, folder):
    """Numbered pictures of frames have one scale; one frame can be chosen."""
    (folder / "again.molden").write_bytes(WATER.read_bytes())
    result = orbital(program, folder / "two.h5", WATER, folder / "again.molden", "--orbitals", "HOMO,LUMO",
                     "--isosurface", "0.05", "--spacing", "0.4")
    made = run(program, "export", result, "--render", folder / "two.png", "--render-size", "96x64")
    check(made.returncode == 0, made.stderr)
    names = sorted(path.name for path in folder.glob("two-*.png"))
    check(names == ["two-0001_HOMO.png", "two-0001_LUMO.png", "two-0002_HOMO.png", "two-0002_LUMO.png"], f"{names}")
    check((read_png(folder / names[0]) == read_png(folder / names[2])).all(), "equal frames differ")
    check((read_png(folder / names[0]) != read_png(folder / names[1])).any(), "HOMO and LUMO are equal")
    picture(program, result, "one.png", "--render-frame", "2", "--render-surface", "LUMO", size="96x64")


def check_direct(program, folder):
    """tessera orbital --render writes the pictures of tessera export, and refuses what it cannot write before it works."""
    words = (WATER, "--isosurface", "0.05", "--spacing", "0.4", "--orbitals", "HOMO,LUMO,HOMO")
    result = orbital(program, folder / "direct.h5", *words, "--render", folder / "direct.png")
    made = run(program, "export", result, "--render", folder / "exported.png")
    check(made.returncode == 0, made.stderr)
    for label in ("HOMO", "LUMO"):
        direct, exported = (folder / f"{name}-{label}.png" for name in ("direct", "exported"))
        check(direct.read_bytes() == exported.read_bytes(), f"{label}: other pictures")
    again = run(program, "rerun", result, "-o", folder / "again.h5", "--quiet")
    check(again.returncode == 0, again.stderr)  # it has grown no pictures, which would be in the way
    for options, why in ((("--render", folder / "direct.png", *words), "direct-HOMO.png' .it exists already"),
                         (("--render", folder / "a.jpg", *words), "ends with .png"),
                         (("--render", folder / "a.png", WATER), "makes no isosurface")):
        refused = run(program, "orbital", *options, "-o", folder / "new.h5", "--device", "openmp")
        check(refused.returncode == 2 and re.search(why, refused.stderr), f"{why}: {refused.stderr}")
        check(not list(folder.glob("new.h5*")), "it computed first")


def check_refused(program, folder, water):
    grids = orbital(program, folder / "grid.h5", WATER, "--orbitals", "HOMO", "--spacing", "0.8")
    norms = orbital(program, folder / "norms.h5", WATER, "--orbitals", "HOMO", "--spacing", "0.8", "--norms-only")
    png = folder / "refused.png"
    for result, options, words in (
            (norms, (png,), "holds no surfaces"),
            (grids, (png, "--isovalue", "9"), "has no surface at 9"),
            (water, (folder / "a.jpg",), "name that ends with .png"),
            (water, (folder / "none" / "a.png",), "there is no folder"),
            (water, (png, "--render-surface", "HOMO-9"), "there is no surface 'HOMO-9'"),
            (water, (png, "--render-frame", "4"), "no surface of frame 4"),
            (water, (png, "--render-view", "above"), "give a direction as three numbers"),
            (water, (png, "--render-view", "0,0,0"), "give a direction as three numbers"),
            (water, (png, "--render-view", "1,x,1,1"), "give a direction as three numbers"),
            (water, (png, "--render-size", "1600"), "give width and height"),
            (water, (png, "--render-size", "10x10"), "give width and height"),
            (water, (png, "--render-opacity", "0"), "above 0"),
            (water, (png, "--render-background", "black"), "black"),
            (water, (png, "--render-color", "esp"), "has no values 'esp'"),
            (water, (png, "--render-range", "1"), "add --render-color")):
        refused = run(program, "export", result, "--render", *options)
        check(refused.returncode == 2, f"{options}: ends with {refused.returncode}")
        check(words in refused.stderr and refused.stderr.count("\n") == 1, f"{options}: {refused.stderr}")
        check(not list(folder.glob("refused*")) and not list(folder.glob("a.jpg*")), f"{options}: something is left")
    lone = run(program, "export", water, "--render-size", "100x100", "--mesh", folder / "mesh")
    check(lone.returncode == 2 and "--render" in lone.stderr, lone.stderr)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-pictures-") as name:
        folder = pathlib.Path(name)
        check_sphere(program, folder)
        check_lobes(program, folder)
        water = orbital(program, folder / "water.h5", WATER, "--orbitals", "HOMO", "--isosurface", "0.05", "--spacing",
                        "0.25")
        check_transparent(program, water)
        check_threads(program, water)
        check_colors(program, folder)
        check_frames(program, folder)
        check_direct(program, folder)
        check_refused(program, folder, water)
    print("pictures show what the result holds")


main()
