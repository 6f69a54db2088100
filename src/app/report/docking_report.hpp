// What a report shows of a docking.
#pragma once

#include <nlohmann/json.hpp>

#include "docking/result/dock_result.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// Scores and clusters of all lists, and for the best list the atoms of both partners, the places
/// of the cluster centres and how often each residue is in contact. `result` is that of
/// read_dock_result(); its clusters and qualities are read here. Throws Error if the file is
/// damaged.
nlohmann::ordered_json docking_report(const io::h5::Group& root, docking::DockResult& result);

}  // namespace tessera::app
