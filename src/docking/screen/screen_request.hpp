// What a user has asked of a screening.
#pragma once

#include <cstddef>
#include <string>

#include "docking/screen/shard_layout.hpp"

namespace tessera::docking {

struct ScreenRequest {
    std::string receptors, ligands;  ///< paths of the lists; they may be the same
    std::string folder;              ///< for the results
    bool force = false;              ///< start over
    ScreenPart part;                 ///< of the pairs of the lists
    std::size_t pairs_per_shard = 0;
};

}  // namespace tessera::docking
