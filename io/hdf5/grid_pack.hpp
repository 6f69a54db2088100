// Compressed chunks of grids in the form that HDF5 stores, before they are written to the result
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/grid_file.hpp"

namespace tessera::io {

/// The threads of a parallel loop that the calling thread would start.
int pack_threads();

/// Appends the chunks of blocks to `packed`, each as its spec says: rounded if errors are allowed,
/// shuffled and deflated, or packed by zfp. `values` are [grid, z, y, x] of the blocks, one block
/// after the other, without gaps. The bytes do not depend on the number of threads.
void pack_blocks(const std::vector<GridSpec>& specs, const std::vector<GridBlock>& blocks,
                 const std::byte* values, int threads, std::vector<std::byte>& packed);

/// Writes packed chunks into the datasets made by create_grid() and returns their number. Throws
/// Error if a chunk does not belong to these datasets.
std::int64_t write_packed(const h5::Group& root, const std::vector<GridSpec>& specs,
                          std::span<const std::byte> packed);

/// How many times more bytes the values of a dataset have in memory than in its file.
double compression_ratio(const h5::Dataset& dataset);

/// Notes beside a dataset that is complete how far its values were rounded, and its
/// compression_ratio().
void note_rounding(const h5::Group& root, const std::string& name, double largest_error);

}  // namespace tessera::io
