// What a fit says about the errors of its parameters beyond the covariance, and its place in the
// output file (docs/reference/hdf5.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// The intervals of one parameter at 68.27 and 95.45 %, in its units.
struct ProfileIntervals {
    std::size_t parameter = 0;  ///< among the free parameters
    std::array<double, profile_levels.size()> lower{}, upper{};
    /// "found", "at bound" or "not found"
    std::array<std::string, profile_levels.size()> lower_ends, upper_ends;
    struct Row {
        double value = 0;  ///< of the parameter
        double drop = 0;   ///< natural logarithm of the likelihood below the best; may be infinite
        std::vector<double> parameters;  ///< where the likelihood is highest for this value
    };
    std::vector<Row> points;  ///< by value
};

/// The fits of simulated sets, one after another.
struct BootstrapErrors {
    std::vector<double> likelihood;  ///< mean log10; -inf: the set has no fit
    std::vector<double> gain;        ///< natural logarithm, above the model of the simulation
    std::vector<std::uint8_t> converged;
    std::vector<double> parameters;           ///< [set][free parameter]; NaN without a fit
    std::vector<BootstrapSummary> summaries;  ///< of each free parameter

    std::int64_t sets() const { return std::ssize(likelihood); }
};

struct FitErrors {
    std::vector<Drops> drops;  ///< of each free parameter; empty in files of early versions
    int left_maxima = 0;       ///< FitCourse::left_maxima
    std::vector<ProfileIntervals> profiles;
    std::optional<BootstrapErrors> bootstrap;

    /// Whether the standard error of a parameter is that of a parabola. True if nothing is known.
    bool trusted(std::size_t parameter) const {
        return drops.empty() || is_quadratic(drops.at(parameter));
    }
    const ProfileIntervals* profile_of(std::size_t parameter) const;
};

/// `unit` is log_likelihood_unit of the plan.
FitErrors make_fit_errors(const FitCourse& course, const StreamSpace& space, double unit);

/// Writes into the group /fit, and reads from it. `parameters` is the number of free parameters.
void write_fit_errors(io::h5::Group& fit, const FitErrors& errors);
FitErrors read_fit_errors(const io::h5::Group& fit, std::uint64_t parameters);

/// The width of a column of the names of parameters.
std::size_t name_width(const std::vector<FreeParameter>& free);

/// Lines for the report of a fit: which errors are not to be trusted, intervals, and the bootstrap.
/// Empty if there is nothing to say. `determined`: whether each parameter has a standard error.
std::string errors_text(const FitErrors& errors, const std::vector<FreeParameter>& free,
                        const std::vector<bool>& determined);

}  // namespace tessera::likelihood
