// Repeats the second stage of a docking run with other options, for the poses that the run has
// refined.
#pragma once

#include <string>

#include "docking/result/dock_result.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// What is made again. New scores and new duplicates need all refined poses, but new clusters do
/// not.
struct RescoreRequest {
    bool weights = false;     ///< scores with other weights
    bool duplicates = false;  ///< duplicates with another radius
    bool repack = false;      ///< side chains of another number of poses are repacked
};

/// Whether side chains are repacked, which needs the host's kernels.
bool repacks(const DockInput& input, const RescoreRequest& request);

/// Throws Error if the result in `file`, docked with `input`, lacks what the request needs.
void require_rescorable(const std::string& file, const DockInput& input, const DockResult& result,
                        const RescoreRequest& request);

/// The result that the run would have made with the options of `input`. `prepared` comes from
/// prepare_rescoring(). Lists, rotations and refined poses stay the same.
DockResult rescored(const DockInput& input, const PreparedDocking& prepared, DockResult result,
                    const RescoreRequest& request);

}  // namespace tessera::docking
