// How deep a TOML text may go before it is parsed.
#include "io/text/toml_depth.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "io/text/toml.hpp"

namespace {

using tessera::io::line_too_deep;

std::string repeated(const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

TEST(TomlDepth, EveryWayDownHasAnEnd) {
    EXPECT_EQ(line_too_deep("a = 1\n[a" + repeated(".a", 1'000'000) + "]\n"), 2);
    EXPECT_EQ(line_too_deep("a" + repeated(". a", 100) + " = 1\n"), 1);
    EXPECT_EQ(line_too_deep(repeated("\"a.b\".", 100) + "c = 1\n"), 1);
    EXPECT_EQ(line_too_deep("a = 1\n\nb = " + repeated("[", 100)), 3);
    EXPECT_EQ(line_too_deep("b = " + repeated("[\n", 100)), 33);
    EXPECT_EQ(line_too_deep("b = " + repeated("{ a = ", 100)), 1);
    EXPECT_EQ(line_too_deep(repeated("a = '''it's \"''' # \"\n", 9) + repeated("a.", 99)), 10);
}

TEST(TomlDepth, WhatMerelyLooksDeepIsNot) {
    const std::string deep = repeated("..", 100) + repeated("[{", 100);
    for (const std::string& text :
         {"# " + deep + "\n", "a = \"" + deep + "\\\" " + deep + "\"\n", "a = '" + deep + "'\n",
          "a = '''\n'" + deep + "\n'''''\n", "a = \"\"\"\n\"" + deep + "\\\"\"\"\n\"\"\"\n",
          "a = [" + repeated("0.25, ", 1000) + "]\n", repeated("[[a.b]]\nc.d = 1.5\n", 1000),
          "a = [" + repeated("[1.5, 2], ", 1000) + "]\n", std::string()})
        EXPECT_EQ(line_too_deep(text), 0) << text.substr(0, 60);
}

TEST(TomlDepth, ParsingRefusesItWithOneLine) {
    try {
        tessera::io::parse_toml({"a.toml", "[a" + repeated(".a", 1'000'000) + "]", "file"},
                                "cut it");
        ADD_FAILURE() << "parsed";
    } catch (const tessera::Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  "cannot read file 'a.toml:1' (as TOML: tables or lists are nested too "
                  "deeply): cut it");
    }
}

}  // namespace
