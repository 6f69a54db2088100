// The summary: a table with a row for each pair.
#pragma once

#include <string>
#include <vector>

#include "docking/model/pose.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// How every summary begins, by which it is recognised.
inline constexpr const char* summary_beginning = "name,status,reason,grid,";

/// The first of the warnings about the input, and how many more there are.
std::string warnings_text(const std::vector<std::string>& warnings);

/// The columns of the summary are name, status (done, failed, unfinished), reason, grid,
/// search_seconds (over all devices), and SET_best_score for each set. With references there are
/// also SET_first_acceptable and SET_first_near_native (places in the list from 1, blank if there
/// is none) and SET_best_dockq. The last column has the warnings about the input.
struct SummaryFormat {
    std::vector<CoefficientSet> sets;
    bool references = false;

    std::string header() const;
    /// The row of a pair without a result. `reason` is one line.
    std::string row(const std::string& name, const std::string& status,
                    const std::string& reason) const;
    /// The row of a pair with a result, whose file is finished or nearly so.
    std::string row(const std::string& name, const io::h5::Group& root) const;
};

}  // namespace tessera::docking
