"""A surface around atoms as a picture: opaque layers from the far end to the near one, then the surface made see-through.
So neighbouring triangles leave no seams. Lengths in Angstrom."""

import numpy
from matplotlib import collections
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

PIXELS = 1600  # along the longer side, twice as many as are kept


def view_axes(elevation, azimuth):
    """Unit vectors to the right, upwards and towards the viewer (angles in degrees)."""
    e, a = numpy.radians([elevation, azimuth])
    towards = numpy.array([numpy.cos(e) * numpy.cos(a), numpy.cos(e) * numpy.sin(a), numpy.sin(e)])
    right = numpy.array([-numpy.sin(a), numpy.cos(a), 0.0])
    return right, numpy.cross(towards, right), towards


def lit(colors, normals, view):
    """Light from the viewer's upper left."""
    right, up, towards = view
    light = towards + 0.6 * up - 0.5 * right
    light /= numpy.linalg.norm(light)
    shade = 0.45 + 0.55 * numpy.clip(numpy.abs(normals @ light), 0, 1)
    return numpy.clip(colors[:, :3] * shade[:, None] + 0.25 * (shade[:, None]**8), 0, 1)


def layer(corners, paint, view, box):
    """RGB of the triangles in the box ((left, right), (bottom, top)), the far ones painted first."""
    right, up, towards = view
    (x0, x1), (y0, y1) = box
    scale = PIXELS / max(x1 - x0, y1 - y0)
    figure = Figure(figsize=((x1 - x0) * scale / 100, (y1 - y0) * scale / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(x0, x1), ylim=(y0, y1))
    axes.set_axis_off()
    order = numpy.argsort((corners @ towards).mean(axis=1))
    flat = numpy.stack((corners @ right, corners @ up), axis=2)[order]
    axes.add_collection(collections.PolyCollection(flat, facecolors=paint[order], edgecolors=paint[order],
                                                   linewidths=0.3, antialiased=False))
    canvas.draw()
    pixels = numpy.asarray(canvas.buffer_rgba())[:, :, :3] / 255
    rows, columns = (length // 2 * 2 for length in pixels.shape[:2])
    return pixels[:rows, :columns].reshape(rows // 2, 2, columns // 2, 2, 3).mean(axis=(1, 3))


def picture_of(surface, solid, view, opacity):
    """RGB and box of a surface around solid bodies. Both are corners [n,3,3], normals [n,3] and colours [n,3 or 4]; what
    lies before the surface hides it."""
    corners = numpy.concatenate((surface[0], solid[0]))
    right, up, _ = view
    margin = 0.05
    box = [(places.min() - margin, places.max() + margin) for places in (corners @ right, corners @ up)]
    paint = [lit(colors, normals, view) for _, normals, colors in (surface, solid)]
    inner = layer(solid[0], paint[1], view, box)
    outer = layer(corners, numpy.concatenate(paint), view, box)
    return (1 - opacity) * inner + opacity * outer, box
