#include "io/parquet/compact_struct.hpp"

#include <cassert>

#include "io/parquet/bytes.hpp"

namespace tessera::io::parquet {

namespace {

/// Numbers near 0, of either sign, become small unsigned ones: 0, -1, 1, -2, 2 ...
std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

void append_text(std::string& bytes, std::string_view text) {
    append_varint(bytes, text.size());
    bytes += text;
}

}  // namespace

void CompactStruct::begin(int field, Kind kind) {
    const int step = field - last_;
    assert(step >= 1 && step <= 15);
    fields_ += static_cast<char>(step << 4 | static_cast<int>(kind));
    last_ = field;
}

void CompactStruct::begin_list(int field, Kind kind, std::size_t size) {
    constexpr std::size_t longer = 15;  // the size follows
    begin(field, Kind::list);
    const std::size_t shown = size < longer ? size : longer;
    fields_ += static_cast<char>(shown << 4 | static_cast<std::size_t>(kind));
    if (size >= longer) append_varint(fields_, size);
}

CompactStruct& CompactStruct::i32(int field, std::int32_t value) {
    begin(field, Kind::i32);
    append_varint(fields_, zigzag(value));
    return *this;
}

CompactStruct& CompactStruct::i64(int field, std::int64_t value) {
    begin(field, Kind::i64);
    append_varint(fields_, zigzag(value));
    return *this;
}

CompactStruct& CompactStruct::text(int field, std::string_view value) {
    begin(field, Kind::text);
    append_text(fields_, value);
    return *this;
}

CompactStruct& CompactStruct::nested(int field, const CompactStruct& value) {
    begin(field, Kind::nested);
    fields_ += value.bytes();
    return *this;
}

CompactStruct& CompactStruct::list(int field, const std::vector<std::int32_t>& values) {
    begin_list(field, Kind::i32, values.size());
    for (const std::int32_t value : values) append_varint(fields_, zigzag(value));
    return *this;
}

CompactStruct& CompactStruct::list(int field, const std::vector<std::string>& values) {
    begin_list(field, Kind::text, values.size());
    for (const std::string& value : values) append_text(fields_, value);
    return *this;
}

CompactStruct& CompactStruct::list(int field, const std::vector<CompactStruct>& values) {
    begin_list(field, Kind::nested, values.size());
    for (const CompactStruct& value : values) fields_ += value.bytes();
    return *this;
}

}  // namespace tessera::io::parquet
