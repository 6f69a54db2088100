// The atoms of both partners in the output file (docs/reference/hdf5.md, "/docking/PARTNER/atoms").
// With them an export needs no other file.
#pragma once

#include <optional>

#include "io/hdf5/h5.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The structures that were docked.
struct Partners {
    io::Structure receptor, ligand;
};

/// Writes the groups `receptor` and `ligand` under `docking`. Writes nothing if a name or an
/// insertion code is not plain text of at most 64 characters, as in damaged structure files.
void write_partners(io::h5::Group& docking, const Partners& partners);

/// Throws Error if write_partners() would write nothing.
void require_plain_names(const Partners& partners);

/// Reads the atoms back, without file names, hashes and counts. Returns nothing if the file has
/// none, as those of earlier versions. Throws Error if parts of the groups do not fit together.
std::optional<Partners> read_partners(const io::h5::Group& docking);

}  // namespace tessera::docking
