// The stream model of one wedge, as given by a parameter file. Formulas: docs/method/likelihood.md.
#pragma once

#include <string>
#include <vector>

namespace tessera::io {

/// The model of Desell et al. (2009) (classic), or that of version 1.46 of the application
/// (model2018) with a thick disk, a background fraction and a Hernquist radius of 12 kpc.
enum class Model { classic, model2018 };

/// Distribution of the absolute magnitudes of turnoff stars: one Gaussian, or the two-sided one of
/// Newby et al. (2011).
enum class Turnoff { gaussian, newby2011 };

/// Density of the background. The first two are those of the application. stream_profiles.hpp lists
/// the numbers of the others.
enum class Profile { hernquist, broken_power_law, nfw, einasto, continuous_broken_power_law };

struct Background {
    Profile profile = Profile::hernquist;
    double epsilon = 0;           ///< classic: log weight; 2018: share of the halo, 0 to 1
    double q = 1;                 ///< flattening, c/a of the halo's axes
    double r0 = 12;               ///< kpc; the 2018 model fixes that of a Hernquist profile
    double alpha = 1, delta = 1;  ///< exponents: inner and outer ones, or of Einasto's profile
    double a = 0, b = 0, c = 0;   ///< quadratic function of the magnitude, added to the density
    bool triaxial = false;        ///< whether the numbers of the next line count
    double p = 1, yaw = 0, pitch = 0, roll = 0;  ///< b/a, and how the axes are turned, degrees
    bool has_auxiliary() const { return a != 0 || b != 0 || c != 0; }
};

/// An infinite cylinder with a Gaussian cross-section.
struct Stream {
    double epsilon = 0;         ///< log weight
    double mu = 0;              ///< degrees along the stripe, at nu = 0
    double r = 0;               ///< kpc from the Sun
    double theta = 0, phi = 0;  ///< direction of the axis, radians
    double sigma = 1;           ///< kpc
};

/// `steps` equal cells of [min, max].
struct Cells {
    double min = 0, max = 0;
    int steps = 0;
    double step() const { return (max - min) / steps; }
};

/// A part of the stripe: r in magnitudes, mu and nu in degrees.
struct Area {
    Cells r, mu, nu;
};

struct StreamModel {
    int wedge = 0;  ///< stripe number
    int convolve = 120;
    Model model = Model::classic;
    Turnoff turnoff = Turnoff::gaussian;
    Background background;
    std::vector<Stream> streams;
    std::vector<Area> areas;                 ///< the wedge, then its cuts
    std::vector<std::string> warnings = {};  ///< for the user; no result depends on them
};

/// A star of a wedge, as in the star files.
struct Star {
    double l = 0, b = 0;  ///< galactic longitude and latitude, degrees
    double r = 0;         ///< heliocentric distance from g0 with M = 4.2, kpc
};

}  // namespace tessera::io
