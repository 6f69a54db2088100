#!/usr/bin/env python3
"""Draws the posterior of a sampling: pairs of parameters, or the traces of the chains.

    postprocess/plot_sample.py posterior.h5 [-o posterior.png] [--parameters stream1.mu,stream1.r] [--title TITLE]
    postprocess/plot_sample.py posterior.h5 --traces [-o posterior.traces.png]

Pairs: the draws of all chains, with contours around 39.3 and 86.5 % of them (one and two sigma of a normal
distribution of two parameters). On the diagonal: histograms, the median and the quantiles of 16 and 84 %.
Needs numpy, h5py and matplotlib; opens no window."""

import argparse

from drawing import PAPER_DPI, fail, open_result, save, text_of

import numpy
from matplotlib import pyplot

# Colours that stay apart for colour-blind readers (Okabe & Ito 2008).
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
WITHIN = (0.865, 0.393)  # 1 - exp(-k^2 / 2)
BINS = 30
MOST_POINTS = 3000


class Sample:
    """The draws of the parameters [chain, draw], with names, units and R-hat."""

    def __init__(self, file):
        group = file["sample"]
        self.names, self.units = (list(group[name].asstr()) for name in ("names", "units"))
        self.draws = [file[f"posterior/{name}"][:] for name in self.names]
        self.r_hat = group["r_hat"][:]
        self.converged = bool(group.attrs["converged"])
        self.method = text_of(group.attrs["method"])

    def label(self, i):
        return self.names[i] + (f"\n({self.units[i]})" if self.units[i] else "")

    def title(self):
        chains, draws = self.draws[0].shape
        return f"{self.method}, {chains} chains of {draws:,} draws: {'converged' if self.converged else 'not converged'}"


def read_sample(path):
    with open_result(path, "sample", "draws", "tessera sample") as file:
        return Sample(file)


def chosen_parameters(sample, path, wanted):
    for name in wanted:
        if name not in sample.names:
            fail(f"no parameter '{name}' in {path}", f"it holds {', '.join(sample.names)}", "choose some of them")
    return [i for i, name in enumerate(sample.names) if name in wanted or not wanted]


def smoothed(counts):
    """Counts spread over neighbouring cells, so that contours do not follow single draws."""
    kernel = numpy.array([1, 4, 6, 4, 1]) / 16
    for axis in (0, 1):
        counts = numpy.apply_along_axis(numpy.convolve, axis, counts, kernel, "same")
    return counts


def levels_around(counts):
    """The counts per cell above which lie the shares WITHIN of all draws."""
    ordered = numpy.sort(counts.ravel())[::-1]
    below = numpy.cumsum(ordered) / ordered.sum()
    levels = [ordered[numpy.searchsorted(below, share)] for share in WITHIN]
    return [level for i, level in enumerate(levels) if i == 0 or level > levels[i - 1]]


def draw_pair(axes, x, y):
    every = max(1, len(x) // MOST_POINTS)
    axes.plot(x[::every], y[::every], ".", color="0.6", markersize=1, rasterized=True)
    counts, at_x, at_y = numpy.histogram2d(x, y, BINS)
    counts = smoothed(counts)
    middles = [(ends[1:] + ends[:-1]) / 2 for ends in (at_x, at_y)]
    axes.contour(*middles, counts.T, levels=levels_around(counts), colors=COLORS[0], linewidths=0.9)


def draw_single(axes, values):
    axes.hist(values, BINS, color=COLORS[5], histtype="stepfilled", alpha=0.6)
    low, median, high = numpy.quantile(values, (0.16, 0.5, 0.84))
    for at, style in ((low, (0, (3, 2))), (median, "-"), (high, (0, (3, 2)))):
        axes.axvline(at, color=COLORS[1], linewidth=0.8, linestyle=style)
    axes.set_yticks([])
    digits = max(0, 1 - int(numpy.floor(numpy.log10(max(high - low, 1e-12) / 2))))
    axes.set_title(f"${median:.{digits}f}_{{-{median - low:.{digits}f}}}^{{+{high - median:.{digits}f}}}$", fontsize=7)


def draw_corner(sample, chosen, title):
    count = len(chosen)
    size = max(4.5, 1.25 * count + 0.8)
    figure, rows = pyplot.subplots(count, count, figsize=(size, size), layout="constrained", squeeze=False)
    values = {i: sample.draws[i].ravel() for i in chosen}
    for row, up in enumerate(chosen):
        for column, across in enumerate(chosen):
            axes = rows[row][column]
            if column > row:
                axes.set_axis_off()
                continue
            draw_single(axes, values[up]) if row == column else draw_pair(axes, values[across], values[up])
            axes.set_xlim(*numpy.quantile(values[across], (0.001, 0.999)))
            axes.tick_params(labelsize=5.5, labelbottom=row == count - 1, labelleft=column == 0 and row > 0)
            axes.tick_params(axis="x", rotation=45)
            if row > column:
                axes.set_ylim(*numpy.quantile(values[up], (0.001, 0.999)))
            if row == count - 1:
                axes.set_xlabel(sample.label(across), fontsize=7)
            if column == 0 < row:
                axes.set_ylabel(sample.label(up), fontsize=7)
    figure.suptitle(title or sample.title(), fontsize=10)
    return figure


def draw_traces(sample, chosen, title):
    figure, rows = pyplot.subplots(len(chosen), 1, figsize=(7, 1.15 * len(chosen) + 0.8), layout="constrained",
                                   squeeze=False, sharex=True)
    for axes, i in zip(rows[:, 0], chosen):
        for chain, values in enumerate(sample.draws[i]):
            axes.plot(values, color=COLORS[chain % len(COLORS)], linewidth=0.4, rasterized=True)
        axes.set_ylabel(sample.label(i), fontsize=7)
        axes.set_title(f"$\\hat{{R}}$ = {sample.r_hat[i]:.4f}", fontsize=7, loc="right", pad=2)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    rows[-1, 0].set_xlabel("draw (each colour is a chain)", fontsize=8)
    figure.suptitle(title or sample.title(), fontsize=10)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera sample")
    parser.add_argument("-o", "--output", help="picture to write; default: RUN.png (.pdf and .svg work too)")
    parser.add_argument("--traces", action="store_true", help="draw the chains instead")
    parser.add_argument("--parameters", default="", help="these, comma-separated; default: all")
    parser.add_argument("--title", help="default: method, chains and draws")
    parser.add_argument("--dpi", type=int, default=PAPER_DPI)
    options = parser.parse_args()
    sample = read_sample(options.run)
    chosen = chosen_parameters(sample, options.run, [name for name in options.parameters.split(",") if name])
    figure = (draw_traces if options.traces else draw_corner)(sample, chosen, options.title)
    save(figure, options.output, options.run, options.dpi, ".traces.png" if options.traces else ".png")


if __name__ == "__main__":
    main()
