#include "io/parquet/table_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

#include "io/files/gzip.hpp"
#include "io/temporary_folder.hpp"

namespace {

using tessera::io::Cell;
using tessera::io::ValueTable;
using Kind = tessera::io::TableColumn::Kind;

ValueTable one_row(const tessera::io::TableColumn& column, const Cell& cell) {
    return {{column}, 1, [cell](std::int64_t) { return std::vector{cell}; }};
}

std::string written(const ValueTable& table) {
    std::string file;
    tessera::io::write_parquet(table, "0.1.0", [&](std::string_view piece) { file += piece; });
    return file;
}

/// Whether the file holds this page.
bool holds(const std::string& file, const std::string& page) {
    return file.find(tessera::io::gzip(page)) != std::string::npos;
}

TEST(TableFile, CellsBecomeValuesOfTheirKind) {
    using namespace std::string_literals;
    const std::string there = "\2\0\0\0\2\1"s, missing = "\2\0\0\0\2\0"s;
    EXPECT_TRUE(holds(written(one_row({"x", Kind::whole}, std::int64_t{3})), "\3\0\0\0\0\0\0\0"s));
    EXPECT_TRUE(
        holds(written(one_row({"x", Kind::real, {}, true}, 1.0)), there + "\0\0\0\0\0\0\xF0\x3F"s));
    EXPECT_TRUE(holds(written(one_row({"x", Kind::text}, "ab")), "\2\0\0\0ab"s));
    for (const Cell& nothing : {Cell{}, Cell{std::numeric_limits<double>::quiet_NaN()}})
        EXPECT_TRUE(holds(written(one_row({"x", Kind::real, {}, true}, nothing)), missing));
    EXPECT_TRUE(holds(written(one_row({"x"}, std::numeric_limits<double>::infinity())),
                      "\0\0\0\0\0\0\xF0\x7F"s));
}

TEST(TableFile, BytesThatAreNoTextBecomeAMark) {
    using namespace std::string_literals;
    EXPECT_TRUE(holds(written(one_row({"x", Kind::text}, "a\xFF\n")), "\5\0\0\0a\xEF\xBF\xBD\n"s));
}

TEST(TableFile, IsRecognisedByItsEnd) {
    const tessera::test::TemporaryFolder folder;
    const auto recognised = [&](const std::string& content) {
        std::ofstream(folder / "file", std::ios::binary) << content;
        return tessera::io::is_parquet_table(folder / "file");
    };
    const std::string file = written(one_row({"x"}, 1.0));
    EXPECT_TRUE(recognised(file));
    EXPECT_FALSE(recognised(file.substr(0, file.size() - 1)));
    EXPECT_FALSE(recognised("x\nPAR1"));
    EXPECT_FALSE(recognised(""));
    EXPECT_FALSE(tessera::io::is_parquet_table(folder / "none"));
}

}  // namespace
