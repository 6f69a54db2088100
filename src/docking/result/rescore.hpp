// The second stage of a docking run once more, with other options, on the poses that it refined.
#pragma once

#include <string>

#include "docking/result/dock_result.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// What is made anew. Scores and near-duplicates need all refined poses, clusters do not.
struct RescoreRequest {
    bool weights = false;     ///< pose scores with other weights
    bool duplicates = false;  ///< near-duplicates with another radius
};

/// Throws Error where the result in `file`, docked with `input`, lacks what the request needs.
void require_rescorable(const std::string& file, const DockInput& input, const DockResult& result,
                        const RescoreRequest& request);

/// The result as the run would have made it with the options of `input`, from prepare_rescoring(); lists,
/// rotations and refined poses stay.
DockResult rescored(const DockInput& input, const PreparedDocking& prepared, DockResult result,
                    const RescoreRequest& request);

}  // namespace tessera::docking
