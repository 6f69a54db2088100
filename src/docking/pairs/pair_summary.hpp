// What the table of results says of each pair.
#pragma once

#include <string>
#include <vector>

#include "docking/model/pose.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// Columns of the summary: name, status (done, failed, unfinished), reason, grid, search_seconds (of all
/// ranks' devices), and for each set SET_best_score; with references also SET_first_acceptable and
/// SET_first_near_native (ranks from 1, blank for none) and SET_best_dockq; last the warnings about the
/// input.
struct SummaryFormat {
    std::vector<CoefficientSet> sets;
    bool references = false;

    std::string header() const;
    /// Of a pair without result; `reason` is one line.
    std::string row(const std::string& name, const std::string& status,
                    const std::string& reason) const;
    /// Of a finished output, or of one about to be finished.
    std::string row(const std::string& name, const io::h5::Group& root) const;
};

}  // namespace tessera::docking
