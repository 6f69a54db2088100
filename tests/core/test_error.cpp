#include "core/error.hpp"

#include <gtest/gtest.h>

#include "core/fixed_string.hpp"

namespace {

using tessera::Error;
using tessera::ExitCode;
using tessera::FixedString;

TEST(Error, IsOneLine) {
    const Error error("cannot read a.pdb", "no such file", "check the name");
    EXPECT_STREQ(error.what(), "cannot read a.pdb (no such file): check the name");
    EXPECT_EQ(error.code(), ExitCode::usage);
    const Error again(tessera::FinishedLine{error.what()}, ExitCode::resources);
    EXPECT_STREQ(again.what(), error.what());
    EXPECT_EQ(static_cast<int>(again.code()), 4);
}

TEST(FixedString, CutsBetweenCharacters) {
    EXPECT_EQ(FixedString<8>("abc").str(), "abc");
    EXPECT_EQ(FixedString<4>("abcdef").str(), "abc");
    // The two bytes of the last character do not both fit in three.
    EXPECT_EQ(FixedString<4>("ab\xC3\xA4").str(), "ab");
    EXPECT_EQ(FixedString<5>("ab\xC3\xA4").str(), "ab\xC3\xA4");
    EXPECT_EQ(FixedString<4>("").str(), "");
}

}  // namespace
