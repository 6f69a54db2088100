// Configuration files: what stands in them, and what is written comes back.
#include "io/text/option_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/error.hpp"

namespace tessera::io {

namespace {

std::vector<FileOption> parsed(const std::string& text) {
    return parse_option_file({"run.toml", text, "configuration file"});
}

std::string message(const std::string& text) {
    try {
        parsed(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST(OptionFile, KeepsTheOrderAndKindsOfItsLines) {
    const auto options = parsed("# a comment: \xC3\xA4\nzeta = 600\nalpha = 'a b'\nquiet = true\n"
                                "force = false\nchains = [\"A\", 2]\nspacing = 1.50\n");
    ASSERT_EQ(options.size(), 6u);
    EXPECT_EQ(options[0].name, "zeta");
    EXPECT_EQ(options[0].values, std::vector<std::string>{"600"});
    EXPECT_EQ(options[0].place, "run.toml:2");
    EXPECT_EQ(options[1].values, std::vector<std::string>{"a b"});
    EXPECT_TRUE(options[2].is_switch && options[2].on);
    EXPECT_TRUE(options[3].is_switch && !options[3].on);
    EXPECT_EQ(options[4].values, (std::vector<std::string>{"A", "2"}));
    EXPECT_EQ(options[5].values, std::vector<std::string>{"1.5"});
}

TEST(OptionFile, WhatIsWrittenComesBack) {
    const std::vector<std::string> texts{"600",
                                         "-5",
                                         "0.075",
                                         "1e-9",
                                         "007",
                                         "",
                                         "a \"b\" \\",
                                         "\xC3\xA4\xE2\x82\xAC.pdb",
                                         "nan",
                                         "true",
                                         "18446744073709551615",
                                         "[1, 2]",
                                         "1_000",
                                         ".5",
                                         "12345678901234567890.25"};
    for (const std::string& text : texts) {
        const FileOption option{"name", {text}, false, false, ""};
        const auto one = parsed(option_line(option, false)),
                   list = parsed(option_line(option, true));
        EXPECT_EQ(one.at(0).values, option.values) << option_line(option, false);
        EXPECT_EQ(list.at(0).values, option.values) << option_line(option, true);
    }
    EXPECT_EQ(option_line({"rotations", {"600"}, false, false, ""}, false), "rotations = 600\n");
    EXPECT_EQ(option_line({"tolerance", {"1e-9"}, false, false, ""}, false),
              "tolerance = \"1e-9\"\n");
    EXPECT_EQ(option_line({"files", {"a", "b"}, false, false, ""}, false),
              "files = [\"a\", \"b\"]\n");
    EXPECT_EQ(option_line({"quiet", {}, true, false, ""}, false), "quiet = false\n");
}

TEST(OptionFile, WhatIsWrongIsToldWithItsLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"a = 1\nb = 2020-01-01\n", "run.toml:2' ('b' is not a text, a number"},
        {"a = {x = 1}\n", "run.toml:1' ('a' is not a text"},
        {"a = [[1]]\n", "run.toml:1' ('a' is not a text"},
        {"a = [true]\n", "run.toml:1' ('a' is not a text"},
        {"a = 1\na = 2\n", "as TOML"},
        {"rotations\n", "as TOML"},
    };
    for (const auto& [text, words] : cases)
        EXPECT_NE(message(text).find(words), std::string::npos) << message(text);
}

}  // namespace tessera::io
