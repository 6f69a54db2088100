"""Wedges made up for tests: parameter files in both formats, and stars all over them."""

import math
import random

AXES = ("r", "mu", "nu")
TO_GALACTIC = ((-0.054875539726, -0.873437108010, -0.483834985808), (0.494109453312, -0.444829589425, 0.746982251810),
               (-0.867666135858, -0.198076386122, 0.455983795705))
# A parameter file with one stream that a fit finds in seconds. Tables such as [fit] may follow.
SMALL_WEDGE = """wedge = 82
convolve = 16
model = "2018"
background = { profile = "hernquist", epsilon = 0.99, q = 0.6 }
[[stream]]
epsilon = -0.8
mu = 32.0
r = 27.0
theta = 1.9
phi = 0.55
sigma = 3.0
[[area]]
r = { min = 16.0, max = 22.5, steps = 16 }
mu = { min = 0, max = 50, steps = 12 }
nu = { min = -1.25, max = 1.25, steps = 2 }
"""


def model(wedge=82, streams=2, cut=False, later=False):
    """A small model as a dictionary, of the classic or of the 2018 kind."""
    areas = [{"r": (16.0, 22.5, 14), "mu": (150.0, 200.0, 12), "nu": (-1.25, 1.25, 6)}]
    if cut:
        areas.append({"r": (16.0, 22.5, 12), "mu": (171.0, 174.0, 4), "nu": (-1.25, 0.5, 2)})
    return {
        "wedge": wedge, "convolve": 30, "model": "2018" if later else "classic",
        "turnoff": "newby2011" if later else "gaussian",
        "background": {"epsilon": 0.95 if later else 0.0, "q": 0.55, "r0": 12.0, "alpha": 1.0,
                       "delta": 1.0},
        "streams": [{"epsilon": -1.5 + s, "mu": 160.0 + 18 * s, "r": 22.0 + 4 * s, "theta": 1.2 - 0.3 * s,
                     "phi": -0.7 + s, "sigma": 2.5 + 3 * s} for s in range(streams)],
        "areas": areas,
    }


def toml(m):
    lines = [f"wedge = {m['wedge']}", f"convolve = {m['convolve']}", f"model = \"{m['model']}\"",
             f"turnoff = \"{m['turnoff']}\"",
             "background = { " + ", ".join(f"{k} = {v!r}" for k, v in m["background"].items()) + " }"]
    for stream in m["streams"]:
        lines += ["", "[[stream]]"] + [f"{key} = {value!r}" if key != "track" else f"track = {{ xyz = {value!r} }}"
                                       for key, value in stream.items()]
    for area in m["areas"]:
        lines += ["", "[[area]]"] + [
            "%s = { min = %r, max = %r, steps = %d }" % (axis, *area[axis]) for axis in AXES]
    return "\n".join(lines) + "\n"


def text(m):
    """MilkyWay@Home's layout of the model's year."""
    b = m["background"]
    lines = ["number_parameters: 4", f"background_weight: {b['epsilon']!r}"]
    if m["model"] == "2018":
        lines += ["background_weight_step: 0.1", "background_weight_min: 0", "background_weight_max: 1",
                  "optimize_background_weight: 1"]
    lines += [f"background_parameters[4]: {b['alpha']!r}, {b['q']!r}, {b['r0']!r}, {b['delta']!r}",
              "background_step[4]: 1, 1, 1, 1", "background_min[4]: 0, 0, 0, 0",
              "background_max[4]: 3, 1, 30, 3", "optimize_parameter[4]: 0, 1, 1, 0",
              f"number_streams: {len(m['streams'])}, 5"]
    for s in m["streams"]:
        lines += [f"stream_weight: {s['epsilon']!r}", "stream_weight_step: 1", "stream_weight_min: -20",
                  "stream_weight_max: 20", "optimize_weight: 1",
                  "stream_parameters[5]: " + ", ".join(
                      repr(s[key]) for key in ("mu", "r", "theta", "phi", "sigma")),
                  "stream_step[5]: 1, 1, 1, 1, 1", "stream_min[5]: 0, 0, 0, 0, 0",
                  "stream_max[5]: 9, 9, 9, 9, 9", "optimize_parameter[5]: 1, 1, 1, 1, 1"]
    lines += [f"convolve: {m['convolve']}", "sgr_coordinates: 0", f"wedge: {m['wedge']}"]
    lines += ["%s[min,max,steps]: %r, %r, %d" % (axis, *m["areas"][0][axis]) for axis in AXES]
    lines.append(f"number_cuts: {len(m['areas']) - 1}")
    for number, area in enumerate(m["areas"][1:], 1):
        lines += ["%s_cut[min,max,steps][%d]: %r, %r, %d" % (axis, number, *area[axis]) for axis in AXES]
    return "\n".join(lines) + "\n"


def galactic(wedge, mu, nu):
    """l and b of a place in a stripe, degrees (docs/method/likelihood.md)."""
    eta = 2.5 * wedge - 57.5 - (180 if wedge > 46 else 0)
    tilt, m, n = (math.radians(angle) for angle in (eta + 32.5, mu - 95, nu))
    x, y, z = math.cos(m) * math.cos(n), math.sin(m) * math.cos(n), math.sin(n)
    y, z = y * math.cos(tilt) - z * math.sin(tilt), y * math.sin(tilt) + z * math.cos(tilt)
    ra = math.atan2(y, x) + math.radians(95)
    across = math.hypot(x, y)
    v = [sum(a * b for a, b in zip(row, (across * math.cos(ra), across * math.sin(ra), z)))
         for row in TO_GALACTIC]
    return math.degrees(math.atan2(v[1], v[0])) % 360, math.degrees(math.asin(v[2]))


def stars(count, seed=1, wedge=82):
    """A star file's text: anywhere in the first area of model(wedge)."""
    generator = random.Random(seed)
    lines = ["%.6f %.6f %.6f" % (*galactic(wedge, generator.uniform(150, 200), generator.uniform(-1.25, 1.25)),
                                 generator.uniform(3, 45)) for _ in range(count)]
    return f"{count}\n" + "\n".join(lines) + "\n"
