#include "docking/screen/shard_layout.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace tessera::docking {
namespace {

TEST(ShardLayout, PartsHaveWholeShardsAndEachPairOnce) {
    for (const std::size_t pairs : {7U, 24U, 25U, 1000U})
        for (const std::size_t parts : {1U, 2U, 3U, 4U}) {
            std::size_t next_pair = 0, next_shard = 0;
            for (std::size_t part = 1; part <= parts; ++part) {
                const ShardLayout layout(pairs, 2, {part, parts});
                EXPECT_EQ(layout.pairs().first, next_pair);
                EXPECT_EQ(layout.shards().first, next_shard);
                for (std::size_t s = layout.shards().first; s < layout.shards().last; ++s)
                    for (std::size_t p = layout.pairs_of(s).first; p < layout.pairs_of(s).last; ++p)
                        EXPECT_EQ(layout.shard_of(p), s);
                next_pair = layout.pairs().last;
                next_shard = layout.shards().last;
            }
            EXPECT_EQ(next_pair, pairs);
            EXPECT_EQ(next_shard, (pairs + 1) / 2);
        }
}

TEST(ShardLayout, PartsDifferByOneShardAtMost) {
    for (std::size_t part = 1; part <= 7; ++part) {
        const std::size_t shards = ShardLayout(1'000'000, 2048, {part, 7}).shards().size();
        EXPECT_TRUE(shards == 69 || shards == 70) << shards;
    }
}

TEST(ShardLayout, MorePartsThanShardsAreRefused) {
    EXPECT_NO_THROW(ShardLayout(5, 2, {1, 3}));
    EXPECT_THROW(ShardLayout(5, 2, {1, 4}), Error);
}

TEST(ShardLayout, PartsAreRead) {
    EXPECT_EQ(parse_part("3/8"), (ScreenPart{3, 8}));
    EXPECT_EQ(parse_part("3/8").text(), "3/8");
    EXPECT_TRUE(parse_part("1/1").is_whole());
    for (const char* wrong : {"", "3", "0/2", "3/2", "1/", "/2", "1/2/3", "-1/2", "1/2 ", "a/b"})
        EXPECT_THROW(parse_part(wrong), Error) << wrong;
}

}  // namespace
}  // namespace tessera::docking
