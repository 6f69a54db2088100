// What a result says about a fit that chose the numbers of streams (docs/reference/hdf5.md).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::likelihood {

/// The fit of one wedge with a number of streams.
struct NumberRow {
    std::int64_t wedge = 1;  ///< counted from 1
    std::int64_t streams = 0, parameters = 0;
    double likelihood = 0;  ///< mean of log10 over the stars of the wedge
    double bic = 0;
    bool chosen = false;
    /// Mean of log10 over the stars, each in models of the folds without it. NaN: not asked for.
    double held_out = std::numeric_limits<double>::quiet_NaN();
};

/// Whether the numbers were chosen by held-out stars.
bool by_held_out(const std::vector<NumberRow>& rows);

/// Bayesian information criterion of Schwarz (1978). `likelihood` is the mean of log10 over the
/// stars.
double information_criterion(double likelihood, std::size_t stars, std::size_t parameters);

/// Adds the group /fit/stream_numbers if there are rows.
void write_numbers(io::h5::Group& fit, const std::vector<NumberRow>& rows);
/// None if the numbers were given.
std::vector<NumberRow> read_numbers(const io::h5::Group& fit, std::int64_t wedges);

/// A table for the report, or an empty text.
std::string numbers_text(const std::vector<NumberRow>& rows);

}  // namespace tessera::likelihood
