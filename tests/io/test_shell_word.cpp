#include "io/text/shell_word.hpp"

#include <gtest/gtest.h>

namespace tessera::io {
namespace {

TEST(ShellWord, PlainWordsStayAsTheyAre) {
    for (const char* word : {"tessera", "--rotations=240", "a/b_c-d.h5", "1:7,HOMO-2", "1e-5"})
        EXPECT_EQ(shell_word(word), word);
}

TEST(ShellWord, OthersAreQuoted) {
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("f = density - density(b)"), "'f = density - density(b)'");
    EXPECT_EQ(shell_word("$HOME/*"), "'$HOME/*'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace tessera::io
