// The stream model of one wedge, as given by a parameter file. Formulas: docs/method/likelihood.md.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/streams/selection.hpp"

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

/// A further number that is measured of stars, such as a proper motion. Columns are those of the
/// star file, and the values have its units.
struct Observable {
    std::string name;        ///< in the names of parameters: stream1.NAME.mean
    std::string value;       ///< column
    std::string error = {};  ///< column; empty: the values have no errors
    /// [observable before this one] column of the correlation of their errors; empty: 0.
    std::vector<std::string> correlations = {};
    /// Of simulated stars: the error at magnitude 18, its factor a magnitude, and the share of the
    /// stars with a value.
    double simulated_error = 0, simulated_growth = 1, simulated_share = 1;
};

/// How an observable is distributed among the stars of a component: a normal distribution around
/// mean + slope x + curvature x^2, where x is mu less that of the middle of the wedge, degrees.
struct Spread {
    double mean = 0, slope = 0, curvature = 0;
    double dispersion = 1;  ///< without the errors of the stars
};

/// A part of the background's stars with distributions of its own.
struct Population {
    double epsilon = 0;  ///< log weight; 0 of the first one
    std::vector<Spread> observables = {};
};

struct Background {
    Profile profile = Profile::hernquist;
    double epsilon = 0;           ///< classic: log weight; 2018: share of the halo, 0 to 1
    double q = 1;                 ///< flattening, c/a of the halo's axes
    double r0 = 12;               ///< kpc; the 2018 model fixes that of a Hernquist profile
    double alpha = 1, delta = 1;  ///< exponents: inner and outer ones, or of Einasto's profile
    double a = 0, b = 0, c = 0;   ///< quadratic function of the magnitude, added to the density
    bool triaxial = false;        ///< whether the numbers of the next line count
    double p = 1, yaw = 0, pitch = 0, roll = 0;  ///< b/a, and how the axes are turned, degrees
    /// Which exponential disks there are. Each has its density over that of the halo at the Sun,
    /// its scale length and its scale height, kpc.
    bool thin_disk = false, thick_disk = false;
    double thin = 0, thin_length = 1, thin_height = 1;
    double thick = 0, thick_length = 1, thick_height = 1;
    std::vector<Population> populations = {};  ///< none without observables
    bool has_auxiliary() const { return a != 0 || b != 0 || c != 0; }
    bool has_disks() const { return thin_disk || thick_disk; }
};

/// A Gaussian cross-section around an axis. Without knots, the axis is an infinite straight line.
struct Stream {
    double epsilon = 0;         ///< log weight
    double mu = 0;              ///< degrees along the stripe, at nu = 0
    double r = 0;               ///< kpc from the Sun
    double theta = 0, phi = 0;  ///< direction of the axis, radians
    double sigma = 1;           ///< kpc
    std::vector<Spread> observables = {};
    /// A track: the knots of a cubic spline, galactocentric, kpc. It replaces mu, r, theta and phi.
    std::vector<Vec3> knots = {};
    std::string track_file = {};  ///< that load_files() reads the knots from; empty: none
    /// How far the first and the last knot are moved across the sky and away from the Sun, kpc. The
    /// knots between them are moved in proportion.
    double first_across = 0, first_away = 0, last_across = 0, last_away = 0;
    bool has_track() const { return !knots.empty() || !track_file.empty(); }
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
    std::vector<Area> areas;  ///< the wedge, then its cuts
    std::vector<Observable> observables = {};
    std::vector<std::string> warnings = {};  ///< for the user; no result depends on them
    SelectionSource selection_source = {};   ///< without a file: the survey has all stars
    /// What the file says, by load_files(); null before, and if there is none.
    std::shared_ptr<const Selection> selection = nullptr;
};

/// Length of Star::observed.
constexpr std::size_t observed_numbers(std::size_t observables) {
    return 2 * observables + observables * (observables - 1) / 2;
}
/// Place in Star::observed of the correlation of two observables, `before` < `place`.
constexpr std::size_t correlation_place(std::size_t observables, std::size_t place,
                                        std::size_t before) {
    return 2 * observables + place * (place - 1) / 2 + before;
}

/// A star of a wedge, as in the star files.
struct Star {
    double l = 0, b = 0;  ///< galactic longitude and latitude, degrees
    double r = 0;         ///< heliocentric distance from g0 with M = 4.2, kpc
    /// The value of each observable or NaN, then the error of each, then the correlations of the
    /// errors of (1, 0), (2, 0), (2, 1), (3, 0) ... Empty if the model has no observables.
    std::vector<double> observed = {};
};

}  // namespace tessera::io
