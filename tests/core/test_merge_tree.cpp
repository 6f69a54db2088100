#include "core/merge_tree.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "core/compensated_sum.hpp"

namespace {

using namespace tessera;
using Pair = CompensatedSum<double>;

std::vector<Pair> wild_terms(std::size_t count) {
    std::mt19937_64 random(11);
    std::vector<Pair> terms(count);
    for (Pair& term : terms) {
        term.value = std::ldexp(static_cast<double>(random()) - 0x1p63, int(random() % 80) - 40);
        term.compensation = std::ldexp(term.value, -60);
    }
    return terms;
}

/// The definition, by recursion.
Pair sum_of(const std::vector<Pair>& terms, MergeNode node) {
    const auto keys = static_cast<std::int64_t>(terms.size());
    if (node.level == 0) return terms[static_cast<std::size_t>(node.index)];
    Pair sum = sum_of(terms, {2 * node.index, node.level - 1});
    const MergeNode right{2 * node.index + 1, node.level - 1};
    if (right.first_key() < keys) sum.add(sum_of(terms, right));
    return sum;
}

/// Takes the steps of a plan on the values of nodes.
void take(const MergePlan& plan, std::vector<MergeNode>& nodes, std::vector<Pair>& sums) {
    for (const MergeStep& step : plan.steps)
        sums[static_cast<std::size_t>(step.into)].add(sums[static_cast<std::size_t>(step.from)]);
    std::vector<MergeNode> left;
    std::vector<Pair> values;
    for (const MergeSlot& slot : plan.left) {
        left.push_back(slot.node);
        values.push_back(sums[static_cast<std::size_t>(slot.slot)]);
    }
    nodes = left;
    sums = values;
}

bool same_bits(const Pair& a, const Pair& b) { return std::memcmp(&a, &b, sizeof(Pair)) == 0; }

TEST(MergeTree, AnySplitAmongAnyNumberOfHoldersGivesTheSameBits) {
    std::mt19937 random(5);
    for (std::int64_t keys = 1; keys <= 37; ++keys) {
        const auto terms = wild_terms(static_cast<std::size_t>(keys));
        const Pair expected = sum_of(terms, {0, root_level(keys)});
        for (int holders = 1; holders <= 6; ++holders) {
            std::vector<std::vector<MergeNode>> nodes(static_cast<std::size_t>(holders));
            std::vector<std::vector<Pair>> sums(nodes.size());
            for (std::int64_t key = 0; key < keys; ++key) {
                const std::size_t holder = random() % nodes.size();
                nodes[holder].push_back({key, 0});
                sums[holder].push_back(terms[static_cast<std::size_t>(key)]);
            }
            std::vector<MergeNode> all;
            std::vector<Pair> values;
            for (std::size_t h = 0; h < nodes.size(); ++h) {
                take(plan_merges(nodes[h], keys), nodes[h], sums[h]);
                all.insert(all.begin(), nodes[h].begin(), nodes[h].end());
                values.insert(values.begin(), sums[h].begin(), sums[h].end());
            }
            const MergePlan plan = plan_merges(all, keys);
            ASSERT_TRUE(is_whole(plan, keys));
            take(plan, all, values);
            ASSERT_TRUE(same_bits(values[0], expected)) << keys << " keys, " << holders;
        }
    }
}

TEST(MergeTree, AHolderOfNeighboursIsLeftWithFewNodes) {
    std::vector<MergeNode> nodes;
    for (std::int64_t key = 3; key < 1000; ++key) nodes.push_back({key, 0});
    const MergePlan plan = plan_merges(nodes, 1000);
    EXPECT_LE(plan.left.size(), 9u);
    EXPECT_EQ(plan.left.front().node, (MergeNode{3, 0}));
    EXPECT_EQ(plan.left.size() + plan.steps.size(), nodes.size());
    EXPECT_FALSE(is_whole(plan, 1000));
}

TEST(MergeTree, OneContributionIsItsOwnSum) {
    const std::vector<MergeNode> one{{0, 0}};
    const MergePlan plan = plan_merges(one, 1);
    EXPECT_TRUE(plan.steps.empty());
    EXPECT_TRUE(is_whole(plan, 1));
    EXPECT_FALSE(is_whole(plan_merges({}, 1), 1));
}

TEST(MergeTree, KeysThatComeTwiceOrAreUnknownAreErrors) {
    const std::vector<MergeNode> twice{{2, 0}, {1, 1}};  // 2, and 2 with 3
    EXPECT_THROW(plan_merges(twice, 4), Error);
    const std::vector<MergeNode> unknown{{4, 0}};
    EXPECT_THROW(plan_merges(unknown, 4), Error);
}

}  // namespace
