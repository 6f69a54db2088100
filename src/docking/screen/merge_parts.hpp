// Joins the parts of a screening.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::docking {

struct MergedScreening {
    std::size_t pairs = 0, failed = 0, shards = 0;
};

/// Makes `folder` as one run over all pairs would leave it, apart from the table of the ranks. The
/// pairs are compared over all parts. The folder gets its name when it is complete. Throws Error if
/// the folders are not the parts 1 to N of one screening, each once and finished, or if `folder` is
/// there. `version` is that of the program.
MergedScreening merge_parts(const std::vector<std::string>& parts, const std::string& folder,
                            const std::string& version);

}  // namespace tessera::docking
