"""Observables of stars in NumPy, by the published formulas (docs/method/likelihood.md), and their parts of files."""

import likelihood_files
import numpy
from stream_formulas import TO_GALACTIC


def spread(values):
    return "{ " + ", ".join(f"{key} = {value!r}" for key, value in values.items()) + " }"


def toml(observables, populations, streams):
    """The text of [[observable]] and [[population]], and a list of that of each [[stream]]. `observables` are
    dictionaries with the keys of the file; `populations` and `streams` map their names to mean, slope ..."""
    lines = []
    for one in observables:
        lines += ["", "[[observable]]"]
        for key, value in one.items():
            lines.append(f"{key} = " + ("{ " + ", ".join(f'{k} = "{v}"' if key == "correlation" else f"{k} = {v!r}"
                                                         for k, v in value.items()) + " }"
                                        if isinstance(value, dict) else f'"{value}"'))
    for one in populations:
        lines += ["", "[[population]]"] + [f"{key} = {spread(value) if isinstance(value, dict) else repr(value)}"
                                           for key, value in one.items()]
    of_streams = ["".join(f"{key} = {spread(value)}\n" for key, value in one.items()) for one in streams]
    return "\n".join(lines) + "\n", of_streams


def whole_toml(model, observables, populations, streams):
    """A parameter file of a model of likelihood_files with observables."""
    text, of_streams = toml(observables, populations, streams)
    head, *parts = likelihood_files.toml(model).split("[[stream]]\n")
    for k, part in enumerate(parts):
        head += "[[stream]]\n" + of_streams[k] + part
    return head + text


def along(model, l, b):
    """mu less that of the middle of the wedge, degrees."""
    eta = 2.5 * model["wedge"] - 57.5 - (180 if model["wedge"] > 46 else 0)
    tilt, l, b = numpy.radians(eta + 32.5), numpy.radians(l), numpy.radians(b)
    v = TO_GALACTIC.T @ [numpy.cos(b) * numpy.cos(l), numpy.cos(b) * numpy.sin(l), numpy.sin(b)]
    node = numpy.radians(95)
    x, y, z = v[0] * numpy.cos(node) + v[1] * numpy.sin(node), v[1] * numpy.cos(node) - v[0] * numpy.sin(node), v[2]
    mu = 95 + numpy.degrees(numpy.arctan2(y * numpy.cos(tilt) + z * numpy.sin(tilt), x))
    low, high, _ = model["areas"][0]["mu"]
    return (mu - (low + high) / 2 + 180) % 360 - 180


def density(component, x, values, errors, correlations):
    """Of the values that are not NaN, for each star. `component` is a list of mean, slope, curvature, dispersion;
    `values` and `errors` [observable, star]; `correlations` {(i, j): [star]}."""
    found = numpy.ones(len(x))
    for s in range(len(x)):
        which = numpy.flatnonzero(~numpy.isnan(values[:, s]))
        if len(which) == 0:
            continue
        covariance = numpy.array([[errors[i, s] * errors[j, s] * (1 if i == j else correlations.get(
            (max(i, j), min(i, j)), numpy.zeros(len(x)))[s]) for j in which] for i in which])
        covariance += numpy.diag([component[i][3]**2 for i in which])
        away = numpy.array([values[i, s] - numpy.polyval(component[i][2::-1], x[s]) for i in which])
        found[s] = numpy.exp(-away @ numpy.linalg.solve(covariance, away) / 2) / numpy.sqrt(
            numpy.linalg.det(2 * numpy.pi * covariance))
    return found
