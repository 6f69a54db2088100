// The track of a stream in a TOML parameter file.
#pragma once

#include <string>

#include "io/streams/checked_table.hpp"
#include "io/streams/stream_model.hpp"

namespace tessera::io {

/// Reads `track` and what moves it. Knots of a file are read by load_files() only; its name is
/// relative to the folder of the parameter file. Throws Error for keys of a straight stream.
void read_track(const CheckedTable& table, const std::string& parameters, Stream& stream);

/// Throws Error for keys that need a track.
void refuse_shifts(const CheckedTable& table);

}  // namespace tessera::io
