#!/usr/bin/env python3
"""Draws how a fit went and what it found.

    postprocess/plot_fit.py fit.h5 [-o fit.png] [--title TITLE]
    postprocess/plot_fit.py fit.h5 --corner [-o fit.corner.png] [--parameters stream1.mu,stream1.r]
    postprocess/plot_fit.py fit.h5 --profile [-o fit.profile.png] [--parameters stream1.mu]

Above: how far below the best log likelihood each search and climb still was, against evaluations. Below:
every free parameter within its bounds, with its standard error; hollow where the data do not determine it.
With --corner: pairs of parameters, with ellipses of one and two standard errors and the ends of climbs.
With --profile, of a run with --profile: the profile likelihood of each parameter beside the parabola of its
standard error, and the intervals of 68.27 and 95.45 %.
Needs numpy, h5py and matplotlib; opens no window."""

import argparse

from drawing import PAPER_DPI, fail, open_result, save, text_of

import numpy
from matplotlib import pyplot

# Colours that stay apart for colour-blind readers (Okabe & Ito 2008).
SEARCH, CLIMB, BEST, START = "#56b4e9", "#b8bcc4", "#d55e00", "#8a909c"
REACH = 3.2  # standard errors to each side of the best point
SMALLEST = 1e-6  # of the log likelihood: what is nearer to the best is drawn there


def texts(dataset):
    return [text_of(value) for value in dataset[:]]


class Fit:
    """The group /fit as arrays."""

    def __init__(self, file):
        fit = file["fit"]
        self.names, self.verdicts = texts(fit["names"]), texts(fit["verdicts"])
        self.best, self.start = fit["best"][:], fit["start"][:]
        self.errors = fit["standard_errors"][:]
        self.lower, self.upper = fit["lower_bounds"][:], fit["upper_bounds"][:]
        self.converged = bool(fit.attrs["converged"])
        self.method = text_of(fit.attrs["method"])
        self.likelihood = fit.attrs["likelihood"]
        self.stars = int(file["likelihood"].attrs["number_of_stars"])
        self.units, self.covariance = texts(fit["units"]), fit["covariance"][:]
        self.climbs = fit["climbs/parameters"][:]
        history = fit["history"]
        self.evaluation, self.search = history["evaluation"][:], history["search"][:]
        self.values = history["likelihood"][:]
        self.profiles = {}  # values, drops of ln likelihood, and the ends of both intervals
        for q, row in enumerate(fit["profile/parameter"][:] if "profile" in fit else ()):
            points, profile = fit["profile/points"], fit["profile"]
            chosen = points["parameter"][:] == row
            self.profiles[self.names[row]] = (points["value"][chosen], points["drop"][chosen],
                                              numpy.stack((profile["lower"][q], profile["upper"][q]), axis=1))
        self.levels = fit["profile"].attrs["log_likelihood_drops"] if self.profiles else ()

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


def chosen_parameters(fit, path, wanted):
    """Indices of the parameters to pair: those named, or all that are determined."""
    for name in wanted:
        if name not in fit.names:
            fail(f"no parameter '{name}' in {path}", f"it holds {', '.join(fit.names)}", "choose some of them")
        if not numpy.isfinite(fit.errors[fit.names.index(name)]):
            fail(f"'{name}' has no standard error", "the data do not determine it", "leave it out")
    chosen = [i for i, name in enumerate(fit.names) if numpy.isfinite(fit.errors[i]) and (name in wanted or not wanted)]
    if len(chosen) < 2:
        fail("there are no pairs to draw", f"{len(chosen)} parameters are determined and chosen", "choose more")
    return chosen


def draw_pair(axes, fit, across, up):
    turn = numpy.linspace(0, 2 * numpy.pi, 121)
    correlation = fit.covariance[up, across] / (fit.errors[up] * fit.errors[across])
    x, y = numpy.cos(turn), correlation * numpy.cos(turn) + numpy.sqrt(max(0, 1 - correlation**2)) * numpy.sin(turn)
    for width in (1, 2):
        axes.fill(fit.best[across] + width * fit.errors[across] * x, fit.best[up] + width * fit.errors[up] * y,
                  color=SEARCH, alpha=0.3, linewidth=0)
    axes.plot(fit.climbs[:, across], fit.climbs[:, up], ".", color=START, markersize=3)
    axes.plot(fit.best[across], fit.best[up], "+", color=BEST, markersize=6)
    axes.set_ylim(fit.best[up] + REACH * fit.errors[up] * numpy.array([-1, 1]))


def draw_single(axes, fit, i):
    steps = numpy.linspace(-REACH, REACH, 101)
    axes.plot(fit.best[i] + steps * fit.errors[i], numpy.exp(-steps**2 / 2), color=SEARCH, linewidth=1.2)
    axes.axvline(fit.best[i], color=BEST, linewidth=0.8)
    axes.set_yticks([])
    axes.set_ylim(0, 1.1)
    axes.set_title(f"{fit.best[i]:.4g} \u00b1 {fit.errors[i]:.2g}", fontsize=6.5)


def draw_corner(fit, chosen, title):
    """Pairs of parameters; the errors are those of the curvature at the best point."""
    count = len(chosen)
    size = max(4.5, 1.05 * count + 0.8)
    figure, rows = pyplot.subplots(count, count, figsize=(size, size), layout="constrained", squeeze=False)
    for row, up in enumerate(chosen):
        for column, across in enumerate(chosen):
            axes = rows[row][column]
            if column > row:
                axes.set_axis_off()
                continue
            draw_single(axes, fit, up) if row == column else draw_pair(axes, fit, across, up)
            axes.set_xlim(fit.best[across] + REACH * fit.errors[across] * numpy.array([-1, 1]))
            axes.tick_params(labelsize=5.5, labelbottom=row == count - 1, labelleft=column == 0 and row > 0)
            axes.tick_params(axis="x", rotation=45)
            for is_edge, place, name in ((row == count - 1, axes.set_xlabel, across),
                                         (column == 0 < row, axes.set_ylabel, up)):
                if is_edge:
                    place(fit.names[name] + (f"\n({fit.units[name]})" if fit.units[name] else ""), fontsize=6.5)
    figure.suptitle(title or f"{fit.method}, {fit.stars:,} stars", fontsize=10)
    return figure


def draw_profile(axes, fit, name):
    i, (values, drops, intervals) = fit.names.index(name), fit.profiles[name]
    order = numpy.argsort(values)
    values, drops = values[order], drops[order]
    highest = 1.6 * fit.levels[-1]
    shown = drops <= highest
    low, high = values[shown].min(), values[shown].max()
    for level, (begin, end), grey in zip(fit.levels, intervals, ("0.75", "0.88")):
        axes.axhline(level, color="0.5", linewidth=0.6, linestyle=(0, (4, 3)), zorder=1)
        axes.fill_between((begin, end), 0, level, color=grey, linewidth=0, zorder=0.5 if grey == "0.75" else 0)
    if numpy.isfinite(fit.errors[i]):
        at = numpy.linspace(low, high, 201)
        axes.plot(at, 0.5 * ((at - fit.best[i]) / fit.errors[i])**2, color=BEST, linewidth=1, label="standard error")
    axes.plot(values[shown], drops[shown], "o-", color="#0072b2", markersize=2.5, linewidth=1.1, label="profile")
    margin = 0.03 * (high - low) or 0.5
    axes.set_xlim(low - margin, high + margin)
    axes.set_ylim(0, highest)
    axes.set_xlabel(name + (f" ({fit.units[i]})" if fit.units[i] else ""), fontsize=8)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)


def draw_profiles(fit, path, wanted, title):
    if not fit.profiles:
        fail(f"{path} holds no profiles", "the run had no --profile", "run the fit again with this option")
    for name in wanted:
        if name not in fit.profiles:
            fail(f"no profile of '{name}' in {path}", f"it holds {', '.join(fit.profiles)}", "choose some of them")
    names = [name for name in fit.profiles if not wanted or name in wanted]
    columns = min(3, len(names))
    count = -(-len(names) // columns)
    figure, rows = pyplot.subplots(count, columns, figsize=(max(4.5, 2.7 * columns), 2.1 * count + 0.9),
                                   layout="constrained", squeeze=False)
    for axes, name in zip(rows.flat, names):
        draw_profile(axes, fit, name)
    for axes in rows.flat[len(names):]:
        axes.set_axis_off()
    for axes in rows[:, 0]:
        axes.set_ylabel("drop of ln likelihood", fontsize=8)
    handles = {label: handle for axes in rows.flat for handle, label in zip(*axes.get_legend_handles_labels())}
    below = 0.3 / figure.get_figheight()  # room for the legend
    figure.get_layout_engine().set(rect=(0, below, 1, 1 - below))
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncols=2, fontsize=8, frameon=False)
    figure.suptitle(title or f"profile likelihoods, {fit.stars:,} stars", fontsize=10)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", help="output of tessera fit")
    parser.add_argument("-o", "--output", help="picture to write; default: FIT.png (.pdf and .svg work too)")
    parser.add_argument("--corner", action="store_true", help="draw pairs of parameters instead")
    parser.add_argument("--profile", action="store_true", help="draw profile likelihoods instead")
    parser.add_argument("--parameters", default="", help="with --corner or --profile: these, comma-separated; default: all")
    parser.add_argument("--title", help="default: method, stars and likelihood")
    parser.add_argument("--dpi", type=int, default=PAPER_DPI)
    options = parser.parse_args()
    fit = read_fit(options.fit)
    wanted = [name for name in options.parameters.split(",") if name]
    if options.profile:
        figure, suffix = draw_profiles(fit, options.fit, wanted, options.title), ".profile.png"
    elif options.corner:
        figure, suffix = draw_corner(fit, chosen_parameters(fit, options.fit, wanted), options.title), ".corner.png"
    else:
        figure, suffix = draw(fit, options.title), ".png"
    save(figure, options.output, options.fit, options.dpi, suffix)


if __name__ == "__main__":
    main()
