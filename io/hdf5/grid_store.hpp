// The result file of an unfinished orbital run: its grids are there long before anything else, and
// outlive the end of the run at any moment.
//
// HDF5 files do not reopen reliably after their writer was killed. This one is written by HDF5 only
// twice: when it is begun, with room for all grids, and when it is finished. In between ranks write
// plain bytes into the chunks. Everything that lies between the chunks, a few kilobytes, is also kept
// apart, so that a file whose finishing was cut short can be put back to where it was begun.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/grid_file.hpp"
#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// Makes `file` with the datasets of `specs`, uncompressed ones, and `between`, a journal of the run
/// `key`, with what lies between their chunks. Both are on the disk when it returns.
void begin_grid_store(const std::string& file, const std::string& between, JournalKey key,
                      const std::vector<GridSpec>& specs);

/// Puts a store back to where it was begun, the chunks as they are. Throws Error where it or a part of
/// `between` is gone.
void restore_grid_store(const std::string& file, const std::string& between, JournalKey key);

/// Of every spec, as chunk_addresses() gives them.
std::vector<std::vector<std::uint64_t>> grid_store_addresses(const std::string& file,
                                                             const std::vector<GridSpec>& specs);

/// Bytes of the disk that a file takes by now; 0 where there is none.
std::uint64_t bytes_on_disk(const std::string& file);

}  // namespace tessera::io
