// What a folder of a screening, or of a part of one, says about itself: the file screen.json.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "docking/screen/partner_list.hpp"
#include "docking/screen/shard_layout.hpp"

namespace tessera::docking {

struct ScreenDescription {
    std::string version, revision;  ///< of the program
    std::string options;            ///< JSON, the same for all pairs
    std::size_t pairs_per_shard = 0;
    ScreenPart part;
    std::vector<ScreenPartner> receptors, ligands;

    /// Why the other is not of the same screening: "it was docked with other options". Empty if it
    /// is. The parts may differ, and so may the paths of files.
    std::string difference(const ScreenDescription& other) const;
    ShardLayout layout() const {
        return {receptors.size() * ligands.size(), pairs_per_shard, part};
    }
};

/// How the file begins, by which it is recognised.
inline constexpr const char* description_beginning = "{\"program\":\"tessera screen\",";

/// FOLDER/screen.json
std::string description_path(const std::string& folder);

std::string to_json(const ScreenDescription& description);

/// Nothing if the folder has no such file. Throws Error if it cannot be read.
std::optional<ScreenDescription> read_description(const std::string& folder);

}  // namespace tessera::docking
