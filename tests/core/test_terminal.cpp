// What is printed shows its control characters, and keeps the letters of all languages.
#include "core/terminal.hpp"

#include <gtest/gtest.h>

namespace {

using tessera::printable;

TEST(Terminal, ControlCharactersAreShown) {
    EXPECT_EQ(printable("plain text, 100 % of it"), "plain text, 100 % of it");
    EXPECT_EQ(printable("a\x1b[31mred\x07\x7f"), "a\\x1b[31mred\\x07\\x7f");
    EXPECT_EQ(printable("one\r\ntwo\t"), "one\\x0d\\x0atwo\\x09");
    EXPECT_EQ(printable("one\ntwo\r\n", true), "one\ntwo\\x0d\n");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m");  // C1: one character as strong as ESC [
}

TEST(Terminal, OtherLanguagesStay) {
    const std::string words = "Bj\u00f6rk \u03c8 \u65e5\u672c \U0001f9ec";
    EXPECT_EQ(printable(words), words);
}

TEST(Terminal, WhatIsNoUtf8IsShown) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\xc3"), "\\xc3");                             // cut off
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // too long a form of /
    EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // likewise
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last
    EXPECT_EQ(printable("\xe6\x97z"), "\\xe6\\x97z");
}

}  // namespace
