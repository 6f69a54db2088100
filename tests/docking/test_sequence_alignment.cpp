#include "docking/evaluation/sequence_alignment.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

TEST(AlignSequences, GapsWhereTheyBelong) {
    using Names = std::vector<std::string>;
    using Pairs = tessera::docking::IndexPairs;
    using tessera::docking::align_sequences;
    EXPECT_EQ(align_sequences(Names{"A", "B", "C"}, Names{"A", "B", "C"}),
              (Pairs{{0, 0}, {1, 1}, {2, 2}}));
    // Free end gaps: the short one lies inside the long one.
    EXPECT_EQ(align_sequences(Names{"C", "D", "E"}, Names{"A", "B", "C", "D", "E", "F"}),
              (Pairs{{0, 2}, {1, 3}, {2, 4}}));
    // One gap of two (-10.5) beats mismatches: six identical pairs are worth 30.
    EXPECT_EQ(align_sequences(Names{"A", "B", "C", "X", "Y", "D", "E", "F"},
                              Names{"A", "B", "C", "D", "E", "F"}),
              (Pairs{{0, 0}, {1, 1}, {2, 2}, {5, 3}, {6, 4}, {7, 5}}));
    // A substitution (-4) is cheaper than two gaps (-20).
    EXPECT_EQ(align_sequences(Names{"A", "B", "X", "D", "E"}, Names{"A", "B", "C", "D", "E"}),
              (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}));
    EXPECT_TRUE(align_sequences(Names{}, Names{"A"}).empty());
}

}  // namespace
