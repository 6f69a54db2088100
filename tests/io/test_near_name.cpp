#include "io/text/near_name.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace tessera::io {
namespace {

const std::vector<std::string> names{"tessera", "ace"};

std::string complaint(const std::string& word) {
    try {
        require_name_or_file("table", word, names);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(NearName, AllowsMoreEditsInLongerWords) {
    EXPECT_EQ(near_name("tesera", names), "tessera");
    EXPECT_EQ(near_name("tesere", names), "tessera");
    EXPECT_EQ(near_name("tess", names), "tessera");  // begins one name only
    EXPECT_EQ(near_name("acer", names), "ace");
    EXPECT_EQ(near_name("face.csv", names), "");
    EXPECT_EQ(near_name("", names), "");
    EXPECT_EQ(near_name("ace", {}), "");
    EXPECT_EQ(near_name(std::string(100000, 'a'), names), "");
}

TEST(NearName, TakesNamesAndFiles) {
    EXPECT_EQ(complaint("ace"), "");
    EXPECT_EQ(complaint("tesera"),
              "unknown table 'tesera' (did you mean tessera?): use tessera, ace, or a file of your "
              "own");
    EXPECT_EQ(complaint("none.csv"),
              "unknown table 'none.csv' (it is neither a built-in name nor a file): use tessera, "
              "ace, or a file of your own");
    const auto file = std::filesystem::temp_directory_path() / "acee";
    std::ofstream(file) << "a file with such a name is taken\n";
    EXPECT_EQ(complaint(file.string()), "");
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace tessera::io
