// The conformers of the partners in the output file (docs/reference/hdf5.md,
// "/docking/conformers").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/result/dock_result.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// Writes the group `conformers` under `docking`. Writes nothing without an ensemble, and nothing
/// if the file does not hold the atoms of the partners.
void write_ensemble(io::h5::Group& docking, const DockResult& result);

/// Reads the group back. Returns nothing if the file has none. Throws Error if it does not fit the
/// atoms of the partners.
std::optional<Ensemble> read_ensemble(const io::h5::Group& docking, const DockResult& result);

/// Writes the conformers of the poses of a list, as two datasets. `pairs`: of each pose.
void write_pairs(io::h5::Group group, const Ensemble& ensemble,
                 const std::vector<std::int64_t>& pairs);

/// Reads the pairs of `count` poses back.
std::vector<std::int64_t> read_pairs(const io::h5::Group& group, const Ensemble& ensemble,
                                     std::uint64_t count);

}  // namespace tessera::docking
