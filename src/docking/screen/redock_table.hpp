// The best pairs of a screening, to be docked again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/pairs/pair_rows.hpp"
#include "docking/screen/screen_pairs.hpp"

namespace tessera::docking {

/// The table of the `best` pairs of each receptor by their interaction, as `tessera dock --pairs`
/// takes it. Pairs without a result are left out. `folder`: where the table will be; its paths are
/// relative to it, as far as those of the lists are relative.
std::string redock_table(const ScreenPairs& pairs, const std::vector<PairRow>& rows,
                         std::int64_t best, const std::string& folder);

}  // namespace tessera::docking
