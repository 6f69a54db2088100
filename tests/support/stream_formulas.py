"""The model of stellar streams in NumPy, by the published formulas (docs/method/likelihood.md)."""

import likelihood_files
import numpy
from track_formulas import Track

TO_GALACTIC = numpy.array(likelihood_files.TO_GALACTIC)


def galactic(wedge, mu, nu):
    """l and b (radians) of stripe coordinates in degrees."""
    eta = 2.5 * wedge - 57.5 - (180 if wedge > 46 else 0)
    tilt, m, n = numpy.radians(eta + 32.5), numpy.radians(mu - 95), numpy.radians(nu)
    x, y, z = numpy.cos(m) * numpy.cos(n), numpy.sin(m) * numpy.cos(n), numpy.sin(n)
    y, z = y * numpy.cos(tilt) - z * numpy.sin(tilt), y * numpy.sin(tilt) + z * numpy.cos(tilt)
    ra, dec = numpy.arctan2(y, x) + numpy.radians(95), numpy.arcsin(z)
    v = TO_GALACTIC @ numpy.array([numpy.cos(ra) * numpy.cos(dec), numpy.sin(ra) * numpy.cos(dec), z])
    return numpy.arctan2(v[1], v[0]), numpy.arctan2(v[2], numpy.hypot(v[0], v[1]))


def place(l, b, r):
    return numpy.array([r * numpy.cos(b) * numpy.cos(l) - 8.5, r * numpy.cos(b) * numpy.sin(l), r * numpy.sin(b)])


def rotation(axis, degrees):
    """Turns vectors about an axis, right-handed."""
    c, s = numpy.cos(numpy.radians(degrees)), numpy.sin(numpy.radians(degrees))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = numpy.eye(3)
    matrix[[first, second], [first, second]] = c
    matrix[second, first], matrix[first, second] = s, -s
    return matrix


# Zhao 1996 with slope 3 outside, Navarro et al. 2004 (equation 4), Deason et al. 2011. x = rg / r0.
PROFILES = {
    "nfw": lambda b, x: b["r0"]**-3 * x**-b["alpha"] * (1 + x)**(b["alpha"] - 3),
    "einasto": lambda b, x: numpy.exp(-2 / b["alpha"] * (x**b["alpha"] - 1)),
    "continuous-broken-power-law": lambda b, x: numpy.where(x < 1, x**-b["alpha"], x**-b["delta"]),
}


def disk_shares(b, at):
    """Juric et al. 2008, with the halo at the Sun as the unit."""
    return sum(b[d] * numpy.exp(-(numpy.hypot(at[0], at[1]) - 8.5) / b[f"{d}_length"] - abs(at[2]) / b[f"{d}_height"])
               for d in ("thin", "thick") if d in b)


class Formulas:
    """The likelihood of a model of likelihood_files with the Gaussian turnoff, point by point."""

    def __init__(self, model):
        self.model = model
        self.x, self.w = numpy.polynomial.legendre.leggauss(model["convolve"])
        weights = [numpy.exp(model["background"].get("epsilon", 0)) if model["model"] == "classic" else 1.0]
        self.weights = numpy.array(weights + [numpy.exp(stream["epsilon"]) for stream in model["streams"]])

    def density(self, k, at, disks=True):
        b = self.model["background"]
        if k == 0:
            # The axes of the halo are X, Y and Z, turned by yaw, pitch and roll (z-y'-x'').
            turned = numpy.tensordot(rotation(2, b.get("yaw", 0)) @ rotation(1, b.get("pitch", 0))
                                     @ rotation(0, b.get("roll", 0)), at, axes=([0], [0]))
            rg = numpy.sqrt(turned[0]**2 + (turned[1] / b.get("p", 1))**2 + (turned[2] / b["q"])**2)
            if b.get("profile", "hernquist") != "hernquist":
                halo = PROFILES[b["profile"]](b, rg / b["r0"])
            else:
                core = b["r0"] if self.model["model"] == "classic" else 12
                halo = 1 / (rg * (rg + core)**3)
            if disks and ("thin" in b or "thick" in b):
                sun = self.density(0, numpy.array([-8.5, 0.0, 0.0]), disks=False)
                return halo + sun * disk_shares(b, at)
            if self.model["model"] == "classic" or b.get("profile", "hernquist") != "hernquist" or not disks:
                return halo
            disk = numpy.exp(-0.285714286 * numpy.hypot(at[0], at[1]) - 1.428571429 * abs(at[2]))
            return b["epsilon"] * halo + (1 - b["epsilon"]) * disk
        s = self.model["streams"][k - 1]
        if "track" in s:
            shifts = {key: s[key] for key in s if key.startswith(("first_", "last_"))}
            return numpy.exp(-Track(s["track"], **shifts).squared_distance(at) / (2 * s["sigma"]**2))
        axis = numpy.array([numpy.sin(s["theta"]) * numpy.cos(s["phi"]), numpy.sin(s["theta"]) * numpy.sin(s["phi"]),
                            numpy.cos(s["theta"])])
        centre = place(*galactic(self.model["wedge"], s["mu"], 0.0), s["r"])
        away = at - centre.reshape(3, *[1] * (at.ndim - 1))
        along = numpy.tensordot(axis, away, 1)
        return numpy.exp(-((away**2).sum(axis=0) - along**2) / (2 * s["sigma"]**2))

    def observed(self, l, b, r):
        """p_k at places of the sky and distances: [component, ...]. The factor 1.8 of the classic model cancels."""
        g = 5 * (numpy.log10(1000 * r) - 1) + 4.2
        efficiency = 0.9402 / (numpy.exp(1.6171 * (g - 23.5877)) + 1)
        offset = 1.8 * self.x
        nodes = 10**((g[..., None] + offset - 14.2) / 5)
        q = self.w * nodes**3 * numpy.exp(-offset**2 / (2 * 0.6**2)) / (0.6 * numpy.sqrt(2 * numpy.pi))
        at = place(l[..., None], b[..., None], nodes)
        return numpy.array([efficiency / r**3 * (q * self.density(k, at)).sum(axis=-1)
                            for k in range(len(self.weights))])

    def integral(self, area):
        def edges(name):
            low, high, steps = area[name]
            return low + (high - low) / steps * numpy.arange(steps + 1)

        kpc, mu, nu = 10**((edges("r") - 14.2) / 5), edges("mu"), edges("nu")
        volume = numpy.diff(kpc**3)[:, None, None] / 3 * numpy.radians(numpy.diff(mu))[:, None] * \
            numpy.diff(numpy.sin(numpy.radians(nu)))
        r, m, n = numpy.meshgrid((kpc[1:] + kpc[:-1]) / 2, (mu[1:] + mu[:-1]) / 2, (nu[1:] + nu[:-1]) / 2, indexing="ij")
        return (volume * self.observed(*galactic(self.model["wedge"], m.ravel(), n.ravel()), r.ravel())
                .reshape(-1, *r.shape)).sum(axis=(1, 2, 3))

    def terms(self, stars):
        """The weight of each component times its density at each star: [star, component]"""
        first, *cuts = self.model["areas"]
        integrals = self.integral(first) - sum(self.integral(cut) for cut in cuts)
        l, b, r = stars.T
        return (self.observed(numpy.radians(l), numpy.radians(b), r).T / integrals) * self.weights

    def memberships(self, stars):
        """[star, component]"""
        terms = self.terms(stars)
        return terms / terms.sum(axis=1, keepdims=True)

    def log_likelihood(self, stars):
        """Of all stars, natural."""
        return numpy.log(self.terms(stars).sum(axis=1) / self.weights.sum()).sum()
