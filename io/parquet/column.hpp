// The columns of a Parquet file, and their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace tessera::io::parquet {

/// Nothing, or a value of a type. Texts are UTF-8.
using Value =
    std::variant<std::monostate, bool, std::int32_t, std::int64_t, float, double, std::string>;

/// The type of a column: the place of its values among those of Value.
enum class Type : std::size_t { boolean = 1, int32, int64, real32, real64, text };

struct Column {
    std::string name;
    Type type = Type::real64;
    bool optional = false;  ///< may lack values
    std::string units;      ///< none if empty
};

}  // namespace tessera::io::parquet
