// Contributions for tests of sums over ranks, and their sum by the definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/device_operations.hpp"
#include "core/merge_tree.hpp"

namespace tessera {

/// Contribution `key`: values over many magnitudes, so that another order would show in the bits.
inline std::vector<SumPair> contribution_of(std::int64_t key, std::size_t count) {
    std::mt19937_64 random(static_cast<std::uint64_t>(key) * 7919 + count);
    std::vector<SumPair> pairs(count);
    for (SumPair& pair : pairs) {
        pair.value = std::ldexp(static_cast<double>(random()) - 0x1p63, int(random() % 60) - 90);
        pair.compensation = std::ldexp(pair.value, -58);
    }
    return pairs;
}

/// By recursion over the tree.
inline std::vector<SumPair> sum_of_node(MergeNode node, std::int64_t keys, std::size_t count) {
    if (node.level == 0) return contribution_of(node.index, count);
    auto sum = sum_of_node({2 * node.index, node.level - 1}, keys, count);
    const MergeNode right{2 * node.index + 1, node.level - 1};
    if (right.first_key() >= keys) return sum;
    const auto other = sum_of_node(right, keys, count);
    for (std::size_t i = 0; i < count; ++i) sum[i].add(other[i]);
    return sum;
}

inline std::vector<SumPair> expected_sum(std::int64_t keys, std::size_t count) {
    return sum_of_node({0, root_level(keys)}, keys, count);
}

/// Who holds which key.
enum class Dealing { round_robin, blocks, one_rank, shuffled };

inline int holder_of(std::int64_t key, std::int64_t keys, int ranks, Dealing dealing) {
    switch (dealing) {
        case Dealing::round_robin: return static_cast<int>(key % ranks);
        case Dealing::blocks: return static_cast<int>(key * ranks / keys);
        case Dealing::one_rank: return ranks - 1;
        default:
            return static_cast<int>(std::mt19937(static_cast<unsigned>(key) + 3)() %
                                    static_cast<unsigned>(ranks));
    }
}

}  // namespace tessera
