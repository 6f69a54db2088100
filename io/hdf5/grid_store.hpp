// The result file of an unfinished orbital run. Its grids exist long before the rest of the file,
// and they survive if the run ends at any moment.
//
// HDF5 files do not reopen reliably after their writer was killed. HDF5 writes this file only
// twice: at the start, with space for all grids, and at the end. In between, ranks write plain
// bytes into the chunks. The bytes between the chunks, a few kilobytes, are also kept in another
// file. If the end of a run is interrupted, the file is restored to its initial state from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/grid_file.hpp"
#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// Creates `file` with the uncompressed datasets of `specs`, and `between`, a journal of the run
/// `key` with the bytes between their chunks. Both are on the disk on return.
void begin_grid_store(const std::string& file, const std::string& between, JournalKey key,
                      const std::vector<GridSpec>& specs);

/// Restores the initial state of a store and keeps the chunks. Throws Error if `file` or a part of
/// `between` is missing.
void restore_grid_store(const std::string& file, const std::string& between, JournalKey key);

/// The addresses of every spec, as chunk_addresses() returns them.
std::vector<std::vector<std::uint64_t>> grid_store_addresses(const std::string& file,
                                                             const std::vector<GridSpec>& specs);

/// The bytes that a file occupies on the disk so far, or 0 if there is no file.
std::uint64_t bytes_on_disk(const std::string& file);

}  // namespace tessera::io
