#include "docking/pairs/pair_source.hpp"

namespace tessera::docking {

bool ListedPairs::same_receptor(std::size_t a, std::size_t b) const {
    const DockInput &one = pairs_[a].input, &other = pairs_[b].input;
    return one.receptor_path == other.receptor_path && one.receptor_chains == other.receptor_chains;
}

std::vector<int> receptor_groups(const PairSource& pairs, int longest) {
    std::vector<int> groups;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const bool same = i > 0 && groups.back() < longest && pairs.same_receptor(i, i - 1);
        if (same)
            ++groups.back();
        else
            groups.push_back(1);
    }
    return groups;
}

}  // namespace tessera::docking
