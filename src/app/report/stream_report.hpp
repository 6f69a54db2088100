// What a report shows of likelihoods, fits and samplings of stellar streams.
#pragma once

#include <nlohmann/json.hpp>

#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// For each wedge: the number of stars in cells of mu and distance, the expected number of members
/// of each component there if the file has memberships, how often each density occurs, the axes of
/// its stripe in Galactic coordinates, and its streams (of a fit: as fitted). Throws Error if the
/// file is damaged.
nlohmann::ordered_json wedges_report(const io::h5::Group& root);

/// The course of a fit, its parameters with their covariances, and the ends of its climbs. Throws
/// Error if the file is damaged.
nlohmann::ordered_json fit_report(const io::h5::Group& root);

/// A sampling: its parameters with their diagnostics, the traces of at most eight chains
/// [parameter][chain][draw], and draws of all chains for pairs of parameters [parameter][draw].
/// Both are thinned. Throws Error if the file is damaged.
nlohmann::ordered_json sample_report(const io::h5::Group& root);

}  // namespace tessera::app
