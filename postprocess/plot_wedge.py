#!/usr/bin/env python3
"""Draws a wedge of the sky: its stars and the streams of its model.

    postprocess/plot_wedge.py run.h5 [-o wedge.png] [--members] [--wedge N] [--range KPC]

A wedge seen from above its stripe: mu around, the distance from the Sun outwards. Grey: stars per area. Each
stream: its centre with a circle of one sigma, and the projection of its axis as far as it stays within two
sigma of the stripe's plane. With --members each star is a point instead: grey if it belongs to the background, in
the colour of its stream otherwise, mixed by its probabilities. For the output of tessera likelihood (streams as given) or tessera fit (as fitted).
Needs numpy, h5py and matplotlib; opens no window."""

import argparse
import json

import tracks
from drawing import PAPER_DPI, fail, open_result, save

import numpy
from matplotlib import colors, pyplot, ticker

STREAMS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # Okabe & Ito 2008
BACKGROUND = "#b9bdc4"
SUN = 8.5  # kpc from the Galactic centre
# Equatorial to galactic, J2000.
TO_GALACTIC = numpy.array([[-0.054875539726, -0.873437108010, -0.483834985808],
                           [0.494109453312, -0.444829589425, 0.746982251810],
                           [-0.867666135858, -0.198076386122, 0.455983795705]])


def stripe_axes(wedge):
    """Galactic unit vectors at (mu, nu) = (0, 0), (90, 0) and (0, 90): the rows of the result."""
    eta = 2.5 * wedge - 57.5 - (180 if wedge > 46 else 0)
    inclination, node = numpy.radians(eta + 32.5), numpy.radians(95)

    def galactic(mu, nu):
        m, nu = numpy.radians(mu) - node, numpy.radians(nu)
        x, y, z = numpy.cos(m) * numpy.cos(nu), numpy.sin(m) * numpy.cos(nu), numpy.sin(nu)
        y, z = y * numpy.cos(inclination) - z * numpy.sin(inclination), \
            y * numpy.sin(inclination) + z * numpy.cos(inclination)
        turned = (x * numpy.cos(node) - y * numpy.sin(node), x * numpy.sin(node) + y * numpy.cos(node), z)
        return TO_GALACTIC @ numpy.array(turned)

    return numpy.array([galactic(0, 0), galactic(90, 0), galactic(0, 90)])


def fitted_numbers(fit, wedge):
    """Object ("background", "stream1"), field and best value of each parameter that was fitted in a wedge."""
    places = {}
    if "shared" in fit:
        shared = fit["shared"]
        for place, of_wedge, name in zip(shared["parameter"], shared["wedge"], shared["names"].asstr()):
            places.setdefault(place, {})[of_wedge] = name
    for i, (name, value) in enumerate(zip(fit["names"].asstr(), fit["best"])):
        own = places[i].get(wedge) if i in places else name.removeprefix(f"wedge{wedge}.")
        if own and not own.startswith("wedge"):
            yield *own.split("."), value


class WedgeRun:
    """Stars (mu in degrees, distance in kpc) and streams of one wedge of a result file."""

    def __init__(self, file, number):
        wedges = json.loads(file["run"].attrs["input"])["wedges"]
        if not 1 <= number <= len(wedges):
            fail(f"there is no wedge {number}", f"the file holds {len(wedges)}", "choose another --wedge")
        self.model = wedges[number - 1]["model"]
        group = file["likelihood"] if len(wedges) == 1 else file[f"likelihood/{number}"]
        stars = group["stars"][:]
        l, b, self.distance = numpy.radians(stars["l"]), numpy.radians(stars["b"]), stars["r"]
        self.members = group["memberships"][:] if "memberships" in group else None
        self.axes = stripe_axes(self.model["wedge"])
        x, y, _ = self.axes @ numpy.array([numpy.cos(b) * numpy.cos(l), numpy.cos(b) * numpy.sin(l), numpy.sin(b)])
        first = self.model["area"][0]["mu"]["min"]
        self.mu = (numpy.degrees(numpy.arctan2(y, x)) - first) % 360 + first
        self.fitted = "fit" in file
        if self.fitted:
            for part, field, value in fitted_numbers(file["fit"], number):
                target = self.model["background"] if part == "background" else \
                    self.model["stream"][int(part.removeprefix("stream")) - 1]
                target[field] = value

    def track_path(self, stream, farthest):
        """The same of a stream with a track."""
        spline = tracks.of_stream(stream)
        x, y, z = self.axes @ spline(numpy.linspace(-farthest, spline.at[-1] + farthest, 2001)).T
        nu = self.model["area"][0]["nu"]
        widest = numpy.radians(max(abs(nu["min"]), abs(nu["max"])))
        near = abs(z) <= 2 * abs(stream["sigma"]) + farthest * numpy.sin(widest)
        return numpy.where(near, x, numpy.nan), numpy.where(near, y, numpy.nan)

    def stream_path(self, stream, farthest):
        """Places in the stripe's plane along a stream's axis, near the plane, kpc."""
        if "track" in stream:
            return self.track_path(stream, farthest)
        direction = numpy.array([numpy.sin(stream["theta"]) * numpy.cos(stream["phi"]),
                                 numpy.sin(stream["theta"]) * numpy.sin(stream["phi"]), numpy.cos(stream["theta"])])
        mu = numpy.radians(stream["mu"])
        along = self.axes @ direction
        centre = stream["r"] * numpy.array([numpy.cos(mu), numpy.sin(mu), 0])
        reach = min(farthest, 2 * abs(stream["sigma"]) / max(abs(along[2]), 1e-3))
        points = centre[:, None] + along[:, None] * numpy.linspace(-reach, reach, 201)
        return points[0], points[1]


def read_run(path, number):
    with open_result(path, "likelihood", "likelihood", "tessera likelihood or fit") as file:
        return WedgeRun(file, number)


def draw_stars(axes, bar, run, farthest):
    """Stars per area of the drawing, in cells of (mu, distance). The scale goes to the axes `bar`."""
    area = run.model["area"][0]["mu"]
    mu = numpy.linspace(area["min"], area["max"], 61)
    radius = numpy.linspace(0, farthest, 61)
    counts, _, _ = numpy.histogram2d(run.mu, run.distance, bins=(mu, radius))
    cells = numpy.outer(numpy.radians(numpy.diff(mu)), numpy.diff(radius**2) / 2)
    density = numpy.ma.masked_equal(counts / cells, 0)
    angle, distance = numpy.meshgrid(numpy.radians(mu), radius, indexing="ij")
    axes.grid(False)  # Matplotlib 3.6 asks for it; the caller turns it on
    picture = axes.pcolormesh(angle, distance, density, cmap="Greys", rasterized=True,
                              norm=colors.PowerNorm(0.5, 0, numpy.percentile(density.compressed(), 99.5)))
    pyplot.colorbar(picture, cax=bar, label="stars per kpc\u00b2 of the drawing")


def color_of(stream):
    """Of a stream, counted from 1."""
    return STREAMS[(stream - 1) % len(STREAMS)]


def draw_members(axes, run, farthest):
    """A point for each star. Its color mixes those of the components by their probabilities; the surest members of
    streams are drawn last."""
    streams = range(1, run.members.shape[1])
    mixed = run.members @ numpy.array([colors.to_rgb(color) for color in (BACKGROUND, *map(color_of, streams))])
    order = numpy.argsort(run.members[:, 1:].max(axis=1, initial=0), kind="stable")
    order = order[run.distance[order] <= farthest]
    axes.scatter(numpy.radians(run.mu[order]), run.distance[order], c=numpy.clip(mixed[order], 0, 1), linewidths=0,
                 s=max(0.3, min(8, 2e4 / len(run.mu))), rasterized=True)
    return [f"{number:,.0f} {'background' if k == 0 else f'stream {k}'}"
            for k, number in enumerate(run.members.sum(axis=0))]


def label_of(number, stream):
    return f"stream {number}: $\\sigma$ = {abs(stream['sigma']):.2g} kpc"


def draw_streams(axes, run, farthest):
    turn = numpy.linspace(0, 2 * numpy.pi, 121)
    for number, stream in enumerate(run.model["stream"], 1):
        color = color_of(number)

        def draw(px, py, **style):
            distance = numpy.hypot(px, py)
            distance[distance > farthest] = numpy.nan
            axes.plot(numpy.arctan2(py, px), distance, color=color, **style)

        if "track" in stream:
            draw(*run.stream_path(stream, farthest), linewidth=1.4, linestyle=(0, (5, 2)), label=label_of(number, stream))
            continue
        mu = numpy.radians(stream["mu"])
        x, y = stream["r"] * numpy.cos(mu), stream["r"] * numpy.sin(mu)
        draw(x + abs(stream["sigma"]) * numpy.cos(turn), y + abs(stream["sigma"]) * numpy.sin(turn), linewidth=1.1)
        draw(*run.stream_path(stream, farthest), linewidth=1.4, linestyle=(0, (5, 2)), label=label_of(number, stream))
        axes.plot([mu], [stream["r"]], "o", color=color, markersize=4)


def angles_between(low, high):
    """Round angles for the labels, in degrees."""
    angles = ticker.MaxNLocator(6, steps=(1, 2, 5, 10)).tick_values(low, high)
    return angles[(angles >= low) & (angles <= high)]


def draw(run, farthest, title, members=False):
    # Places by hand: automatic layouts of a part of a circle cut the scale off.
    figure = pyplot.figure(figsize=(8, 6))
    axes = figure.add_axes((0.07, 0.14, 0.72, 0.76), projection="polar")
    area = run.model["area"][0]["mu"]
    farthest = farthest or float(run.distance.max())
    if members:
        expected = draw_members(axes, run, farthest)
        figure.text(0.98, 0.5, "expected stars\n" + "\n".join(expected), fontsize=8, ha="right", va="center")
    else:
        draw_stars(axes, figure.add_axes((0.87, 0.24, 0.02, 0.54)), run, farthest)
    draw_streams(axes, run, farthest)
    axes.set_thetamin(area["min"])
    axes.set_thetamax(area["max"])
    axes.set_thetagrids(angles_between(area["min"], area["max"]))
    axes.set_rlim(0, farthest)
    axes.tick_params(labelsize=8)
    axes.grid(linewidth=0.4, alpha=0.6)
    axes.set_xlabel("distance from the Sun, kpc", fontsize=9)
    if run.model["stream"]:
        figure.legend(loc="lower center", ncols=min(4, len(run.model["stream"])), fontsize=9, frameon=False)
    figure.suptitle(title or f"stripe {run.model['wedge']}, {len(run.mu):,} stars, streams "
                    f"{'as fitted' if run.fitted else 'as given'}", fontsize=11)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera likelihood or tessera fit")
    parser.add_argument("-o", "--output", help="picture to write; default: RUN.wedge.png (.pdf and .svg work too)")
    parser.add_argument("--members", action="store_true", help="color the stars by the components they belong to")
    parser.add_argument("--wedge", type=int, default=1, help="which one, of several in the file")
    parser.add_argument("--range", type=float, default=0, help="farthest distance to draw, kpc; default: all stars")
    parser.add_argument("--title", help="default: stripe and number of stars")
    parser.add_argument("--dpi", type=int, default=PAPER_DPI)
    options = parser.parse_args()
    run = read_run(options.run, options.wedge)
    if options.members and run.members is None:
        fail(f"{options.run} holds no memberships", "its run had no --memberships", "run it again with this option")
    figure = draw(run, options.range, options.title, options.members)
    save(figure, options.output, options.run, options.dpi, ".members.png" if options.members else ".wedge.png")


if __name__ == "__main__":
    main()
