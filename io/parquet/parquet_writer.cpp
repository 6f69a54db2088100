#include "io/parquet/parquet_writer.hpp"

#include <zlib.h>

#include <limits>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/files/gzip.hpp"
#include "io/parquet/bytes.hpp"

namespace tessera::io::parquet {

namespace {

// Numbers of parquet.thrift.
enum PhysicalType { boolean = 0, int32 = 1, int64 = 2, real32 = 4, real64 = 5, byte_array = 6 };
enum Repetition { required = 0, optional = 1 };
enum Encoding { plain = 0, rle = 3 };
enum Codec { uncompressed = 0, gzip_codec = 2 };
constexpr std::int32_t format_version = 1, data_page = 0, utf8 = 0;
constexpr const char* magic = "PAR1";

/// Small enough for the memory of every reader, and large enough to be read fast.
constexpr std::int32_t most_rows = 1 << 16;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::int32_t physical_type(Type type) {
    switch (type) {
        case Type::boolean: return boolean;
        case Type::int32: return int32;
        case Type::int64: return int64;
        case Type::real32: return real32;
        case Type::real64: return real64;
        default: return byte_array;
    }
}

/// A SchemaElement.
CompactStruct schema_of(const Column& column) {
    CompactStruct element;
    element.i32(1, physical_type(column.type))
        .i32(3, column.optional ? optional : required)
        .text(4, column.name);
    if (column.type != Type::text) return element;
    constexpr int string_type = 1;  // a member of the union LogicalType
    return element.i32(6, utf8).nested(10, CompactStruct().nested(string_type, {}));
}

CompactStruct note(const std::string& key, const std::string& text) {
    return CompactStruct().text(1, key).text(2, text);
}

std::int32_t page_size(const std::string& page, const Column& column) {
    if (page.size() > std::numeric_limits<std::int32_t>::max())
        throw Error("cannot write column '" + column.name + "'",
                    "the texts of a row group take more than 2 GiB", "write CSV instead");
    return static_cast<std::int32_t>(page.size());
}

/// A PageHeader.
CompactStruct page_header(std::int32_t values, std::int32_t unpacked, const std::string& page) {
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(page.data()), static_cast<uInt>(page.size()));
    return CompactStruct()
        .i32(1, data_page)
        .i32(2, unpacked)
        .i32(3, static_cast<std::int32_t>(page.size()))
        .i32(4, static_cast<std::int32_t>(static_cast<std::uint32_t>(checksum)))
        .nested(5, CompactStruct().i32(1, values).i32(2, plain).i32(3, rle).i32(4, rle));
}

}  // namespace

ParquetWriter::ParquetWriter(const std::vector<Column>& columns, WriterOptions options,
                             TextSink sink)
    : buffers_(columns.begin(), columns.end()),
      options_(std::move(options)),
      sink_(std::move(sink)) {
    nlohmann::ordered_json units;
    for (const Column& column : columns)
        if (!column.units.empty()) units[column.name] = column.units;
    if (!units.empty()) options_.notes.emplace_back("units", units.dump());
    write(magic);
}

void ParquetWriter::write(const std::string& bytes) {
    sink_(bytes);
    offset_ += static_cast<std::int64_t>(bytes.size());
}

void ParquetWriter::add_row(const std::vector<Value>& row) {
    if (row.size() != buffers_.size())
        throw Error("cannot write a row", "it has another number of values than of columns",
                    "please report this", ExitCode::internal);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        buffers_[i].add(row[i]);
        bytes += buffers_[i].bytes();
    }
    if (++waiting_ == most_rows || bytes >= most_bytes) end_row_group();
}

/// Writes the values that wait, and returns the ColumnChunk.
CompactStruct ParquetWriter::write_column(ColumnBuffer& buffer) {
    const Column& column = buffer.column();
    std::string page = buffer.take_page();
    const std::int32_t unpacked = page_size(page, column);
    if (options_.packed) page = gzip(page);
    const std::int32_t packed = page_size(page, column);
    const std::string header = page_header(waiting_, unpacked, page).bytes();
    const std::int64_t begin = offset_, header_size = static_cast<std::int64_t>(header.size());
    write(header + page);
    unpacked_bytes_ += header_size + unpacked;
    return CompactStruct()
        .i64(2, 0)  // all metadata are in the footer
        .nested(3, CompactStruct()
                       .i32(1, physical_type(column.type))
                       .list(2, std::vector<std::int32_t>{plain, rle})
                       .list(3, std::vector{column.name})
                       .i32(4, options_.packed ? gzip_codec : uncompressed)
                       .i64(5, waiting_)
                       .i64(6, header_size + unpacked)
                       .i64(7, header_size + packed)
                       .i64(9, begin));
}

void ParquetWriter::end_row_group() {
    if (waiting_ == 0) return;
    const std::int64_t begin = offset_;
    unpacked_bytes_ = 0;
    std::vector<CompactStruct> chunks;
    chunks.reserve(buffers_.size());
    for (ColumnBuffer& buffer : buffers_) chunks.push_back(write_column(buffer));
    groups_.push_back(CompactStruct()
                          .list(1, chunks)
                          .i64(2, unpacked_bytes_)
                          .i64(3, waiting_)
                          .i64(5, begin)
                          .i64(6, offset_ - begin));
    rows_ += waiting_;
    waiting_ = 0;
}

/// The FileMetaData.
CompactStruct ParquetWriter::metadata() const {
    std::vector<CompactStruct> schema{
        CompactStruct().text(4, "schema").i32(5, static_cast<std::int32_t>(buffers_.size()))};
    for (const ColumnBuffer& buffer : buffers_) schema.push_back(schema_of(buffer.column()));
    CompactStruct file;
    file.i32(1, format_version).list(2, schema).i64(3, rows_).list(4, groups_);
    std::vector<CompactStruct> notes;
    notes.reserve(options_.notes.size());
    for (const auto& [key, text] : options_.notes) notes.push_back(note(key, text));
    if (!notes.empty()) file.list(5, notes);
    return file.text(6, options_.created_by);
}

void ParquetWriter::finish() {
    end_row_group();
    const std::string footer = metadata().bytes();
    std::string end;
    append_little_endian(end, static_cast<std::uint32_t>(footer.size()));
    write(footer + end + magic);
}

}  // namespace tessera::io::parquet
