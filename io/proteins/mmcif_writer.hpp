// Writes complexes as mmCIF files.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "io/proteins/complex.hpp"

namespace tessera::io {

/// Chain names may have any length. They are not blank and need no quotes, as scripts that select
/// chains expect.
inline constexpr ChainRules mmcif_chain_rules{std::numeric_limits<std::size_t>::max(), false,
                                              false};

/// Writes models of one complex with numbers from 1 (atom_site, and the categories that
/// readers expect beside it). The first remark becomes a comment, and all remarks go into the
/// category tessera_remark. Author chain names (auth_asym_id) are the names of plan_chains(). Each
/// segment has a label_asym_id of its own, so that readers see its ends. The file gets its name
/// only when it is complete. Throws Error if writing fails.
void write_mmcif(const std::string& path, const std::vector<ComplexModel>& models);

}  // namespace tessera::io
