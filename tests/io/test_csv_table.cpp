#include "io/text/csv_table.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "io/text/text_file.hpp"

namespace {

using tessera::io::TextSource;

TextSource table(std::string text) { return {"t.csv", std::move(text), "table"}; }

std::string refusal(const TextSource& source) {
    try {
        tessera::io::parse_csv_table(source);
    } catch (const tessera::Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(CsvTable, FieldsMayHoldCommasInQuotes) {
    const auto rows =
        tessera::io::parse_csv_table(table("# remark\na, b\n\n\"1,2\",\"say \"\"x\"\"\"\n"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].line, 4);
    EXPECT_EQ(rows[1].fields, (std::vector<std::string>{"1,2", "say \"x\""}));
}

TEST(CsvTable, AFewKilobytesOfGzipCannotFillTheMemory) {
    // In memory each field takes thirty times what it has in the file.
    EXPECT_NE(refusal(table("a,b\n" + std::string(9 << 20, ','))).find("line 2: more than"),
              std::string::npos);
    std::string rows = "a\n";
    for (int i = 0; i < 1 << 20; ++i) rows += "1\n";
    EXPECT_NE(refusal(table(rows)).find("more than 1048576 rows"), std::string::npos);
}

TEST(CsvTable, SemicolonsBetweenFieldsAreNamed) {
    EXPECT_NE(
        refusal(table("# from a spreadsheet\nreceptor;ligand;upper\n\"a\";b;2,5\n"))
            .find("'t.csv' (line 2: semicolons separate its fields): separate them by commas"),
        std::string::npos);
    // A column may hold them: in tables of pairs they stand for commas.
    EXPECT_EQ(refusal(table("name,keep\n\"x\",HEM;ZN\n")), "no error");
    EXPECT_EQ(refusal(table("name\na;b\n")), "no error");
}

}  // namespace
