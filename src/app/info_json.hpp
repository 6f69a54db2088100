// What tessera info prints with --json (docs/reference/formats.md).
#pragma once

#include <string>

#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// A whole result and the record of its run. Throws Error if the file is damaged.
std::string result_json(const io::h5::Group& root);

/// The progress of an unfinished run. Throws Error if the folder does not belong to a run.
std::string progress_json(const std::string& folder);

}  // namespace tessera::app
