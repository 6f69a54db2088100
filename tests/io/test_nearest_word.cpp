#include "io/text/nearest_word.hpp"

#include <gtest/gtest.h>

namespace tessera::io {
namespace {

TEST(NearestWord, CountsEdits) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("same", "same"), 0u);
    const std::string_view known[] = {"alpha", "delta", "q"};
    EXPECT_EQ(nearest_word("dlta", known), "delta");
}

}  // namespace
}  // namespace tessera::io
