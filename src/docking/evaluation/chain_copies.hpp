// Groups of chains that superpose on other chains of the same structure.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "docking/evaluation/chains.hpp"

namespace tessera::docking {

/// Chains are copies if this share of the shorter one is identical and the longer one
/// is at most twice as long.
inline constexpr double copy_identity = 0.9;
/// Copies of a group of chains are equivalent if their C-alphas superpose within this RMSD,
/// Angstrom.
inline constexpr double copy_rmsd = 3;

/// Chains of a structure, as indices.
using ChainGroup = std::vector<std::size_t>;

/// Whether the chain of `group[slot]` may be replaced by this chain.
using MayReplace = std::function<bool(std::size_t slot, std::size_t chain)>;

/// All groups of copies of the chains of `group` on which `group` superposes with an RMSD of at
/// most `copy_rmsd` Angstrom between C-alphas. `group` itself comes first, if it may stay.
std::vector<ChainGroup> copies_of(const ChainGroup& group, const std::vector<Chain>& chains,
                                  const MayReplace& may_replace);

}  // namespace tessera::docking
