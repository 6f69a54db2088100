// The result of a fit, and its place in the output file (docs/reference/hdf5.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "io/streams/fit_settings.hpp"
#include "io/text/value_table.hpp"
#include "likelihood/fit/asynchronous_record.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/fit_errors.hpp"
#include "likelihood/fit/number_record.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// Values are in the units of the parameters, in the order of the free parameters.
struct FitResult {
    std::vector<FreeParameter> free;
    std::vector<FixedParameter> fixed;                 ///< empty in files of early versions
    std::vector<double> best, start, standard_errors;  ///< NaN: not determined
    std::vector<double> covariance;                    ///< row by row
    /// determined, at lower bound, at upper bound, or unconstrained
    std::vector<std::string> verdicts;
    double likelihood = 0, start_likelihood = 0;   ///< means over the stars of all wedges
    std::int64_t wedges = 1, number_of_stars = 0;  ///< a file of one wedge does not have them
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
    std::vector<End> climbs;  ///< ends of all climbs, best first
    FitErrors errors;
    std::vector<NumberRow> numbers;  ///< how the numbers of streams were chosen, if they were
    std::optional<AsynchronousRecord> asynchronous;  ///< of an asynchronous search
};

/// The unit of a parameter such as "stream1.mu" or "wedge2.stream1.mu", or an empty text.
std::string unit_of(const std::string& parameter);

/// `unit` is log_likelihood_unit of the plan.
FitResult make_fit_result(const FitCourse& course, const StreamSpace& space,
                          const io::FitSettings& settings, double unit);

/// Writes the group /fit.
void write_fit_result(io::h5::Group root, const FitResult& result);
/// Reads the group /fit without history and climbs.
FitResult read_fit_result(const io::h5::Group& root);

/// Of all stars of a fit of several wedges.
double log10_likelihood(const FitResult& result);

/// One line for each parameter: best value, standard error or the reason why there is none, and
/// bounds.
std::string report_text(const FitResult& result);

/// A row for each fitted parameter, at most `most`.
io::ValueTable parameter_table(FitResult result, std::int64_t most);

/// The same numbers as JSON, with start values and covariances.
std::string to_json(const FitResult& result);

/// Settings as JSON text.
std::string to_json(const io::FitSettings& settings);

}  // namespace tessera::likelihood
