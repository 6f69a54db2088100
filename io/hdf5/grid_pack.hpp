// Compressed chunks of grids in the form that HDF5 stores, before they are written to the result
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/grid_file.hpp"

namespace tessera::io {

/// Appends the chunks of a block to `packed`, each as its spec says: rounded if errors are allowed,
/// shuffled and deflated, or packed by zfp. `values` are [grid, z, y, x] without gaps.
void pack_block(const GridSpec& spec, const GridBlock& block, const std::byte* values,
                std::vector<std::byte>& packed);

/// Writes packed chunks into the datasets made by create_grid() and returns their number. Throws
/// Error if a chunk does not belong to these datasets.
std::int64_t write_packed(h5::Group root, const std::vector<GridSpec>& specs,
                          std::span<const std::byte> packed);

/// How many times more bytes the values of a dataset have in memory than in its file.
double compression_ratio(const h5::Dataset& dataset);

/// Notes beside a dataset that is complete how far its values were rounded, and its
/// compression_ratio().
void note_rounding(const h5::Group& root, const std::string& name, double largest_error);

}  // namespace tessera::io
