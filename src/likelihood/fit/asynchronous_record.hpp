// What a result says about an asynchronous search and about verified points
// (docs/reference/hdf5.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::likelihood {

/// What the ranks did in a search.
struct PointShares {
    double seconds = 0;                ///< from the first point to the last
    std::vector<std::int64_t> points;  ///< evaluations of each rank
    std::vector<double> busy_seconds;  ///< that they took it
};

struct AsynchronousRecord {
    bool asynchronous = true;  ///< false: a search in generations that was verified
    std::int64_t verified = 0, mismatched = 0;  ///< points, of all attempts
    PointShares shares;                         ///< of the last attempt
    std::vector<std::int64_t> wrong;            ///< answers of each rank, of the last attempt
    std::vector<std::string> warnings;          ///< not in the group: /run has them
};

/// Adds the attributes and the group to /fit.
void write_asynchronous(io::h5::Group& fit, const AsynchronousRecord& record);
/// Empty if the search was in generations and nothing was verified.
std::optional<AsynchronousRecord> read_asynchronous(const io::h5::Group& fit);

/// Lines for the report.
std::string asynchronous_text(const AsynchronousRecord& record);

}  // namespace tessera::likelihood
