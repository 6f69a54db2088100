// What a report shows of a docking.
#pragma once

#include <nlohmann/json.hpp>

#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// Scores and clusters of all lists, and for the best list the atoms of both partners, the places
/// of the cluster centres and how often each residue is in contact. Throws Error if the file is
/// damaged.
nlohmann::ordered_json docking_report(const io::h5::Group& root);

}  // namespace tessera::app
