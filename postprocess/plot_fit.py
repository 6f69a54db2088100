#!/usr/bin/env python3
"""Draws how a fit went and what it found.

    postprocess/plot_fit.py fit.h5 [-o fit.png] [--title TITLE]

Above: how far below the best log likelihood each search and climb still was, against evaluations. Below:
every free parameter within its bounds, with its standard error; hollow where the data do not determine it.
Needs numpy, h5py and matplotlib; opens no window."""

import argparse

from drawing import fail, open_result, save

import numpy
from matplotlib import pyplot

# Colours that stay apart for colour-blind readers (Okabe & Ito 2008).
SEARCH, CLIMB, BEST, START = "#56b4e9", "#b8bcc4", "#d55e00", "#8a909c"
SMALLEST = 1e-6  # of the log likelihood: what is nearer to the best is drawn there


def texts(dataset):
    return [value.decode() if isinstance(value, bytes) else value for value in dataset[:]]


class Fit:
    """The group /fit as arrays."""

    def __init__(self, file):
        fit = file["fit"]
        self.names, self.verdicts = texts(fit["names"]), texts(fit["verdicts"])
        self.best, self.start = fit["best"][:], fit["start"][:]
        self.errors = fit["standard_errors"][:]
        self.lower, self.upper = fit["lower_bounds"][:], fit["upper_bounds"][:]
        self.converged = bool(fit.attrs["converged"])
        self.method = fit.attrs["method"]
        self.method = self.method.decode() if isinstance(self.method, bytes) else self.method
        self.likelihood = fit.attrs["likelihood"]
        self.stars = int(file["likelihood"].attrs["number_of_stars"])
        history = fit["history"]
        self.evaluation, self.search = history["evaluation"][:], history["search"][:]
        self.values = history["likelihood"][:]

    def below_best(self):
        """In natural logarithms of the whole likelihood."""
        return numpy.maximum(self.stars * numpy.log(10) * (self.likelihood - self.values), SMALLEST)


def read_fit(path):
    with open_result(path, "fit", "fit", "tessera fit") as file:
        return Fit(file)


def draw_course(axes, fit):
    below = fit.below_best()
    # A population has a row a generation, the first of them at the first evaluations.
    populations = set(fit.search[fit.evaluation == fit.evaluation[0]])
    winner = fit.search[numpy.argmax(fit.values)]
    for search in sorted(set(fit.search)):
        chosen = (fit.search == search) & numpy.isfinite(below)
        is_population = search in populations
        color = BEST if search == winner else SEARCH if is_population else CLIMB
        label = "the best" if search == winner else "population" if is_population else "climb"
        axes.plot(fit.evaluation[chosen], below[chosen], color=color, linewidth=1.4 if search == winner else 0.9,
                  marker="o" if chosen.sum() == 1 else None, markersize=3, zorder=3 if search == winner else 2,
                  label=label)
    axes.set_yscale("log")
    axes.set_xlabel("evaluations", fontsize=9)
    axes.set_ylabel("ln likelihood below the best", fontsize=9)
    handles = {label: handle for handle, label in zip(*axes.get_legend_handles_labels())}
    axes.legend(handles.values(), handles.keys(), fontsize=8, frameon=False)


def draw_parameters(axes, fit):
    width = fit.upper - fit.lower
    rows = numpy.arange(len(fit.names))[::-1]
    axes.barh(rows, 1, height=0.5, color="#eef0f3")
    axes.plot((fit.start - fit.lower) / width, rows, "|", color=START, markersize=9, label="best of the first points")
    known = numpy.isfinite(fit.errors)
    at = (fit.best - fit.lower) / width
    axes.errorbar(at[known], rows[known], xerr=(fit.errors / width)[known], fmt="o", color=BEST, markersize=3.5,
                  capsize=2, linewidth=1, label="fitted, standard error")
    axes.plot(at[~known], rows[~known], "o", color=BEST, fillstyle="none", markersize=4.5, label="not determined")
    for row, name, best, error, verdict in zip(rows, fit.names, fit.best, fit.errors, fit.verdicts):
        note = f"{best:.5g}" + (f" \u00b1 {error:.2g}" if numpy.isfinite(error) else f"  {verdict}")
        axes.text(1.03, row, note, va="center", fontsize=7)
    axes.set_yticks(rows, fit.names, fontsize=7)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks([0, 1], ["lower bound", "upper bound"], fontsize=8)
    axes.legend(fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.06 - 0.4 / len(rows)), ncols=3)


def draw(fit, title):
    height = 2.8 + 0.22 * len(fit.names) + 0.5
    figure, (course, parameters) = pyplot.subplots(
        2, 1, figsize=(7, height), layout="constrained",
        gridspec_kw={"height_ratios": (2.8, 0.22 * len(fit.names) + 0.5)})
    draw_course(course, fit)
    draw_parameters(parameters, fit)
    for axes in (course, parameters):
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title or f"{fit.method}, {fit.stars:,} stars: "
                    f"{'converged' if fit.converged else 'not converged'} at {fit.likelihood:.9g}", fontsize=11)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", help="output of tessera fit")
    parser.add_argument("-o", "--output", help="picture to write; default: FIT.png (.pdf and .svg work too)")
    parser.add_argument("--title", help="default: method, stars and likelihood")
    parser.add_argument("--dpi", type=int, default=110)
    options = parser.parse_args()
    figure = draw(read_fit(options.fit), options.title)
    save(figure, options.output, options.fit, options.dpi)


if __name__ == "__main__":
    main()
