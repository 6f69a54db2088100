// The part of Thrift's compact protocol that the metadata of Parquet files need
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::io::parquet {

/// The bytes of a struct. Its fields must be put in ascending order of their numbers, which are 1
/// to 15 more than the number before.
class CompactStruct {
  public:
    CompactStruct& i32(int field, std::int32_t value);
    CompactStruct& i64(int field, std::int64_t value);
    CompactStruct& text(int field, std::string_view value);
    CompactStruct& nested(int field, const CompactStruct& value);
    CompactStruct& list(int field, const std::vector<std::int32_t>& values);
    CompactStruct& list(int field, const std::vector<std::string>& values);
    CompactStruct& list(int field, const std::vector<CompactStruct>& values);

    /// The whole struct, with the byte that ends it.
    std::string bytes() const { return fields_ + '\0'; }

  private:
    enum class Kind : std::uint8_t { i32 = 5, i64 = 6, text = 8, list = 9, nested = 12 };

    void begin(int field, Kind kind);
    void begin_list(int field, Kind kind, std::size_t size);

    std::string fields_;
    int last_ = 0;
};

}  // namespace tessera::io::parquet
