// Bytes of Parquet files, derived by hand from the descriptions of the format and of Thrift's
// compact protocol. tests/python/test_parquet.py reads whole tables with four other programs.
#include "io/parquet/parquet_writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace tessera::io::parquet {
namespace {

using Bytes = std::vector<int>;

std::string text_of(const Bytes& bytes) {
    std::string text;
    for (const int byte : bytes) text += static_cast<char>(byte);
    return text;
}

Bytes bytes_of(const std::string& text) {
    Bytes bytes;
    for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
    return bytes;
}

/// What the writer makes of some row groups.
std::string written(const std::vector<Column>& columns,
                    const std::vector<std::vector<std::vector<Value>>>& groups,
                    const WriterOptions& options) {
    std::string file;
    ParquetWriter writer(columns, options, [&](std::string_view piece) { file += piece; });
    for (const auto& rows : groups) {
        for (const auto& row : rows) writer.add_row(row);
        writer.end_row_group();
    }
    writer.finish();
    return file;
}

std::string page_of(const Column& column, const std::vector<Value>& values) {
    ColumnBuffer buffer(column);
    for (const Value& value : values) buffer.add(value);
    return buffer.take_page();
}

/// The number in the four bytes before the closing PAR1.
std::size_t footer_size(const std::string& file) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
        size |= static_cast<std::size_t>(static_cast<unsigned char>(file[file.size() - 8 + i]))
                << 8 * i;
    return size;
}

TEST(ParquetWriter, AWholeFileOfOneNumber) {
    const std::string file = written({{"n", Type::int64}}, {{{std::int64_t{1}}}}, {false, "me"});
    // Field headers are (step of the number << 4 | kind), kinds 5 i32, 6 i64, 8 text, 9 list,
    // 12 struct. Numbers are doubled, since they are signed.
    EXPECT_EQ(bytes_of(file),
              bytes_of("PAR1" +
                       text_of({
                           0x15, 0,                             // PageHeader: a data page
                           0x15, 16,   0x15, 16,                // of 8 bytes, unpacked and packed
                           0x15, 0x91, 0x80, 0xB9, 0xE7, 0x0A,  // CRC-32 0xA988DFF7
                           0x1C, 0x15, 2,                       // DataPageHeader: one value
                           0x15, 0,    0x15, 6,    0x15, 6,    0,       // PLAIN, levels in RLE
                           0,                                           // the end of the header
                           1,    0,    0,    0,    0,    0,    0,   0,  // the value
                           0x15, 2,                                     // FileMetaData: version 1
                           0x19, 0x2C,                                  // the root and one column
                           0x48, 6,    's',  'c',  'h',  'e',  'm', 'a', 0x15, 2,
                           0,    0x15, 4,    0x25, 0,    0x18, 1,   'n', 0,  // INT64, required
                           0x16, 2,                                          // one row
                           0x19, 0x1C,                                       // one row group
                           0x19, 0x1C,                                       // of one ColumnChunk
                           0x26, 0,    0x1C,           // whose ColumnMetaData follow
                           0x15, 4,                    // INT64
                           0x19, 0x25, 0,    6,        // encodings PLAIN and RLE
                           0x19, 0x18, 1,    'n',      // the path of names
                           0x15, 0,    0x16, 2,        // not packed, one value
                           0x16, 62,   0x16, 62,       // 23 bytes of header, 8 of data
                           0x26, 8,    0,    0,        // at byte 4; end of both structs
                           0x16, 62,   0x16, 2,        // the group: 31 bytes, one row
                           0x26, 8,    0x16, 62,   0,  // at byte 4, 31 bytes packed
                           0x28, 2,    'm',  'e',  0,  // created by
                           68,   0,    0,    0,        // the length of the footer
                       }) +
                       "PAR1"));
}

TEST(ParquetWriter, ValuesAreStoredPlainly) {
    EXPECT_EQ(bytes_of(page_of({"", Type::int32}, {-2, 258})),
              (Bytes{0xFE, 0xFF, 0xFF, 0xFF, 2, 1, 0, 0}));
    EXPECT_EQ(bytes_of(page_of({"", Type::real32}, {1.0F})), (Bytes{0, 0, 0x80, 0x3F}));
    EXPECT_EQ(bytes_of(page_of({"", Type::real64}, {-2.0})), (Bytes{0, 0, 0, 0, 0, 0, 0, 0xC0}));
    EXPECT_EQ(bytes_of(page_of({"", Type::text}, {"é", ""})),
              (Bytes{2, 0, 0, 0, 0xC3, 0xA9, 0, 0, 0, 0}));
    // Truth values take a bit each, the first one the lowest.
    EXPECT_EQ(bytes_of(page_of({"", Type::boolean},
                               {true, false, true, true, false, false, false, true, true})),
              (Bytes{0x8D, 1}));
}

TEST(ParquetWriter, MissingValuesAreRunsOfLevels) {
    const Column optional{"", Type::int32, true};
    // The length of the runs in bytes, then (length << 1, level) of each run, then the values.
    EXPECT_EQ(bytes_of(page_of(optional, {5, 6, {}, 7})),
              (Bytes{6, 0, 0, 0, 4, 1, 2, 0, 2, 1, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0}));
    EXPECT_EQ(bytes_of(page_of(optional, std::vector<Value>(100))),
              (Bytes{3, 0, 0, 0, 0xC8, 1, 0}));
    EXPECT_EQ(bytes_of(page_of(optional, {})), (Bytes{0, 0, 0, 0}));
}

TEST(ParquetWriter, ABufferBeginsAnew) {
    ColumnBuffer buffer({"", Type::boolean, true});
    buffer.add(true);
    buffer.add({});
    EXPECT_EQ(bytes_of(buffer.take_page()), (Bytes{4, 0, 0, 0, 2, 1, 2, 0, 1}));
    buffer.add(false);
    EXPECT_EQ(bytes_of(buffer.take_page()), (Bytes{2, 0, 0, 0, 2, 1, 0}));
}

TEST(ParquetWriter, ThriftNumbersAndLongLists) {
    const auto fields = [](const CompactStruct& one) { return bytes_of(one.bytes()); };
    EXPECT_EQ(fields(CompactStruct().i32(1, -1).i32(3, 300)), (Bytes{0x15, 1, 0x25, 0xD8, 4, 0}));
    EXPECT_EQ(fields(CompactStruct().i64(1, std::numeric_limits<std::int64_t>::min())),
              (Bytes{0x16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0}));
    // From 15 elements on, the length follows the kind.
    Bytes wanted{0x19, 0xE5};
    wanted.resize(wanted.size() + 14, 0);
    EXPECT_EQ(fields(CompactStruct().list(1, std::vector<std::int32_t>(14))),
              (wanted.push_back(0), wanted));
    wanted = {0x19, 0xF8, 15};
    for (int i = 0; i < 15; ++i) wanted.insert(wanted.end(), {1, 'x'});
    EXPECT_EQ(fields(CompactStruct().list(1, std::vector<std::string>(15, "x"))),
              (wanted.push_back(0), wanted));
}

TEST(ParquetWriter, RowGroupsAreAddedAndUnitsNoted) {
    const std::vector<Column> columns{{"r", Type::real64, false, "kpc"}, {"n", Type::int32}};
    const std::vector<std::vector<Value>> row{{1.5, 7}};
    const WriterOptions options{false, "me", {{"workload", "fit"}}};
    const std::string none = written(columns, {}, options), one = written(columns, {row}, options),
                      two = written(columns, {row, row}, options);
    // Rows that are known do not change when others follow.
    const std::size_t body = one.size() - 8 - footer_size(one);
    EXPECT_EQ(one.substr(0, body), two.substr(0, body));
    EXPECT_EQ(none.size(), 4 + footer_size(none) + 8);
    EXPECT_NE(one.find("\x8workload\x18\x3"
                       "fit"),
              std::string::npos);
    EXPECT_NE(one.find("units\x18\x0B{\"r\":\"kpc\"}"), std::string::npos);
    EXPECT_EQ(written({{"n", Type::int32}}, {}, {false, "me"}).find("units"), std::string::npos);
}

TEST(ParquetWriter, LongTablesHaveSeveralRowGroups) {
    std::size_t pages = 0;
    ParquetWriter writer({{"n", Type::int64}}, {true, "me"},
                         [&](std::string_view piece) { pages += piece.size() > 100; });
    for (std::int64_t i = 0; i < 65535; ++i) writer.add_row({i});
    EXPECT_EQ(pages, 0U);
    writer.add_row({std::int64_t{0}});
    EXPECT_EQ(pages, 1U);
}

TEST(ParquetWriter, AValueThatDoesNotFitIsABug) {
    ParquetWriter writer({{"n", Type::int64}}, {false, "me"}, [](std::string_view) {});
    for (const std::vector<Value>& row :
         {std::vector<Value>{1.5}, std::vector<Value>{{}}, std::vector<Value>{}})
        try {
            writer.add_row(row);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::internal);
        }
}

}  // namespace
}  // namespace tessera::io::parquet
