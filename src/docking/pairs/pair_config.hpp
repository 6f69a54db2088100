// The options of a single `tessera dock` that makes the result of a pair.
#pragma once

#include <string>

#include "docking/pairs/pair_list.hpp"

namespace tessera::docking {

/// The options of a run over many pairs (TOML) with the files and chains of one pair instead of the
/// table. Empty if `config` is.
std::string config_of_pair(const std::string& config, const DockPair& pair);

}  // namespace tessera::docking
