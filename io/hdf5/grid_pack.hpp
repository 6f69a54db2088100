// Compressed chunks of grids on their way to the result file, as HDF5 would have stored them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/grid_file.hpp"

namespace tessera::io {

/// Appends the chunks of a block to `packed`, each shuffled and deflated at the spec's level. `values`:
/// [grid, z, y, x] without gaps.
void pack_block(const GridSpec& spec, const GridBlock& block, const std::byte* values,
                std::vector<std::byte>& packed);

/// Writes packed chunks into the datasets made by create_grid() and returns how many there were. Throws
/// Error for what is no chunk of theirs.
std::int64_t write_packed(h5::Group root, const std::vector<GridSpec>& specs,
                          std::span<const std::byte> packed);

}  // namespace tessera::io
