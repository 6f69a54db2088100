// A fit's answer, and its place in the output file (docs/reference/hdf5.md).
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// In the parameters' own units, in the order of the free parameters.
struct FitResult {
    std::vector<FreeParameter> free;
    std::vector<double> best, start, standard_errors;  ///< NaN: not determined
    std::vector<double> covariance;                    ///< row by row
    std::vector<std::string>
        verdicts;  ///< determined, at lower bound, at upper bound, unconstrained
    double likelihood = 0, start_likelihood = 0;
    std::string method;
    bool converged = false;
    std::int64_t evaluations = 0, gradient_evaluations = 0;
    struct Row {
        std::int64_t evaluation = 0;
        std::int32_t search = 0;  ///< populations first, then climbs
        double likelihood = 0;
        std::vector<double> parameters;
    };
    std::vector<Row> history;
    struct End {
        double likelihood = 0;
        std::vector<double> parameters;
    };
    std::vector<End> climbs;  ///< where all climbs ended, best first
};

FitResult make_fit_result(const Maximum& maximum, const StreamSpace& space,
                          const io::FitSettings& settings);

/// The group /fit.
void write_fit_result(io::h5::Group root, const FitResult& result);
/// Without history and climbs.
FitResult read_fit_result(const io::h5::Group& root);

/// A line a parameter: best value, standard error or why there is none, bounds.
std::string report_text(const FitResult& result);

/// Settings as JSON text.
std::string to_json(const io::FitSettings& settings);

}  // namespace tessera::likelihood
