// The order in which keyed contributions are added: a binary tree that depends on their number
// alone.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace tessera {

/// The sum of the contributions with keys [index << level, (index + 1) << level), as far as these
/// keys exist. A contribution itself is a node of level 0.
struct MergeNode {
    std::int64_t index = 0;  ///< position among the nodes of its level
    std::int32_t level = 0;

    std::int64_t first_key() const { return index << level; }
    auto operator<=>(const MergeNode&) const = default;
};

/// Add slot `from` to slot `into`.
struct MergeStep {
    std::int32_t into = 0;
    std::int32_t from = 0;
    bool operator==(const MergeStep&) const = default;
};

/// A node and the slot (position in the given list) that holds its sum.
struct MergeSlot {
    MergeNode node;
    std::int32_t slot = 0;
};

/// Steps in the order of execution, and the nodes that are left afterwards.
struct MergePlan {
    std::vector<MergeStep> steps;
    std::vector<MergeSlot> left;  ///< in ascending order of keys
};

/// The level of the root of the tree over `keys` contributions.
constexpr std::int32_t root_level(std::int64_t keys) {
    std::int32_t level = 0;
    while ((std::int64_t{1} << level) < keys) ++level;
    return level;
}

/// Whether the plan ends with the sum of all contributions.
inline bool is_whole(const MergePlan& plan, std::int64_t keys) {
    return plan.left.size() == 1 && plan.left[0].node == MergeNode{0, root_level(keys)};
}

namespace detail {

inline Error no_merge(const std::string& why) {
    return Error("contributions to a sum do not fit together", why, "please report this",
                 ExitCode::internal);
}

/// Returns the nodes in the order of their keys; throws if two of them share a key.
inline std::vector<MergeSlot> in_key_order(std::span<const MergeNode> nodes, std::int64_t keys) {
    std::vector<MergeSlot> slots;
    for (const MergeNode& node : nodes)
        slots.push_back({node, static_cast<std::int32_t>(slots.size())});
    std::sort(slots.begin(), slots.end(), [](const MergeSlot& a, const MergeSlot& b) {
        return a.node.first_key() < b.node.first_key();
    });
    std::int64_t end = 0;
    for (const MergeSlot& slot : slots) {
        const std::int64_t first = slot.node.first_key();
        if (first < end) throw no_merge("key " + std::to_string(first) + " occurs twice");
        if (first >= keys)
            throw no_merge("key " + std::to_string(first) + " of " + std::to_string(keys));
        end = first + (std::int64_t{1} << slot.node.level);
    }
    return slots;
}

}  // namespace detail

/// Merges the given nodes, left to right, as far as the tree over `keys` contributions allows. A
/// node is its left half plus its right half, or its left half alone if the right half has no keys.
/// The bits of a node's sum do not depend on what is merged first or by which rank. Throws Error if
/// a key occurs twice or is unknown.
inline MergePlan plan_merges(std::span<const MergeNode> nodes, std::int64_t keys) {
    MergePlan plan;
    plan.left = detail::in_key_order(nodes, keys);
    for (std::int32_t level = 0; level < root_level(keys); ++level) {
        std::vector<MergeSlot> joined;
        for (std::size_t i = 0; i < plan.left.size(); ++i) {
            MergeSlot slot = plan.left[i];
            const std::int64_t index = slot.node.index;
            if (slot.node.level == level && index % 2 == 0) {
                const bool alone = ((index + 1) << level) >= keys;
                const bool has_right = i + 1 < plan.left.size() &&
                                       plan.left[i + 1].node == MergeNode{index + 1, level};
                if (has_right) plan.steps.push_back({slot.slot, plan.left[++i].slot});
                if (alone || has_right) slot.node = {index / 2, level + 1};
            }
            joined.push_back(slot);
        }
        plan.left = std::move(joined);
    }
    return plan;
}

}  // namespace tessera
