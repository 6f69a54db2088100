#include "io/files/file_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using tessera::io::why_no_file_name;

TEST(FileName, WhatTheProgramWritesIsAllowed) {
    for (const char* name : {"HOMO", "HOMO-1", "LUMO+2b", "12a", "HOMO-1 (A1g)", "1a''", "balanced",
                             "1AY7_r_b_1AY7_l_b", "_x", "my.set", "a=b", "3"})
        EXPECT_EQ(why_no_file_name(name), "") << name;
    EXPECT_EQ(why_no_file_name(std::string(200, 'x')), "");
}

TEST(FileName, WhatLeadsElsewhereOrIsAFormulaIsNot) {
    for (const char* name : {"", ".", "..", "../evil", "/etc/passwd", "a/b", "a\\b", ".hidden",
                             "=1+1", "+1", "-rf", "@x", "a\nb", "a\x1b[31m", "a\x7f", "\xc2\x9b"})
        EXPECT_NE(why_no_file_name(name), "") << name;
    EXPECT_NE(why_no_file_name(std::string("a\0b", 3)), "");
    EXPECT_NE(why_no_file_name(std::string(201, 'x')), "");
}

}  // namespace
