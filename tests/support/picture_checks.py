"""Checks of the pictures of postprocess/: 300 dots per inch, no text cut off, something drawn in every panel, and a
likeness to a small copy in support/pictures that somebody has looked at. --renew writes these copies anew."""

import pathlib
import struct
import sys

import numpy
import script_tests
from tessera_runs import check

DOTS = 300
COPIES = pathlib.Path(__file__).resolve().parent / "pictures"
COLUMNS = 128  # of a copy
MOST_UNLIKE = 0.4


def read_png(path):
    """Width, height and dots per inch."""
    data = path.read_bytes()
    check(data.startswith(b"\x89PNG"), f"{path.name} is no PNG")
    size, place = struct.unpack(">II", data[16:24]), data.find(b"pHYs")
    check(place > 0, f"{path.name} does not say its resolution")
    return (*size, round(struct.unpack(">I", data[place + 4:place + 8])[0] * 0.0254))


def check_picture(figure, path, inches, panels):
    """Saves as the scripts do by default, and looks at what is there."""
    from matplotlib import image
    figure.savefig(path, dpi=script_tests.load("postprocess/drawing.py").PAPER_DPI)
    width, height, dots = read_png(path)
    check(dots == DOTS and width >= inches * DOTS, f"{path.name}: {width} x {height}, {dots} dpi")
    figure.canvas.draw()  # texts know their places at the figure's own resolution again
    texts = [text for axes in figure.axes for text in (axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts)]
    for text in (*texts, *figure.texts):
        box, inside = text.get_window_extent(), figure.bbox
        check(not text.get_text() or (box.x0 > -2 and box.y0 > -2 and box.x1 < inside.x1 + 2 and box.y1 < inside.y1 + 2),
              f"{path.name}: '{text.get_text()}' is cut off")
    pixels = image.imread(path)[:, :, :3]
    with_data = [axes for axes in figure.axes if axes.has_data()]
    check(len(with_data) >= panels, f"{path.name}: only {len(with_data)} panels have data")
    for axes in with_data:
        box = axes.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
        x0, x1, y0, y1 = (int(v * DOTS) for v in (box.x0, box.x1, box.y0, box.y1))
        inner = pixels[height - y1 + 4:height - y0 - 4, x0 + 4:x1 - 4]
        inked = (inner.min(axis=2) < 0.97).mean()
        check(inked > 0.0005, f"{path.name}: a panel is blank ({inked})")
    check_likeness(path.name, pixels, [axes.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
                                       for axes in with_data])


def small_copy(pixels):
    """Mean darkness of the cells of a grid with COLUMNS columns; 0 is white."""
    cell = pixels.shape[1] // COLUMNS
    rows = pixels.shape[0] // cell
    cells = 1 - pixels[:rows * cell, :COLUMNS * cell].mean(axis=2).reshape(rows, cell, COLUMNS, cell)
    return cells.mean(axis=(1, 3))


def unlikeness(copy, other):
    """How much ink lies in another place, as a share of all. Ink may move by one cell, since fonts and versions of
    matplotlib differ."""
    def beyond(a, b):
        near = numpy.pad(b, 1)
        most = numpy.max([near[i:i + b.shape[0], j:j + b.shape[1]] for i in range(3) for j in range(3)], axis=0)
        return numpy.maximum(a - most - 1 / 255, 0).sum()

    return (beyond(copy, other) + beyond(other, copy)) / (copy.sum() + other.sum())


def check_likeness(name, pixels, panels):
    """`panels`: their boxes in inches."""
    from matplotlib import image
    copy = small_copy(pixels)
    if "--renew" in sys.argv:
        COPIES.mkdir(exist_ok=True)
        image.imsave(COPIES / name, 1 - copy, cmap="gray", vmin=0, vmax=1)
        return
    kept = 1 - image.imread(COPIES / name)[:, :, 0]
    check(kept.shape == copy.shape, f"{name} has {copy.shape} cells, and its copy {kept.shape}")
    scale = DOTS / (pixels.shape[1] // COLUMNS)
    for number, box in enumerate(panels):
        x0, x1, y0, y1 = (int(v * scale) for v in (box.x0, box.x1, box.y0, box.y1))
        inside = numpy.s_[len(copy) - y1:len(copy) - y0, x0:x1]
        found = unlikeness(kept[inside], copy[inside])
        check(found < MOST_UNLIKE, f"panel {number} of {name} no longer looks like tests/support/pictures/{name} "
                                   f"({found:.2f}): look at both, and if the new one is right, call this test with --renew")


def labels_of(figure):
    return [label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel()) if label]


def check_labels(figure, *wanted):
    found = labels_of(figure)
    for words in wanted:
        check(any(words in label for label in found), f"no axis is labelled '{words}': {found}")
