// The values of a column that wait for the end of their row group.
#pragma once

#include <cstdint>
#include <string>

#include "io/parquet/column.hpp"

namespace tessera::io::parquet {

/// Whether each value is there, as runs of equal flags: the definition levels of a column that is
/// not nested. They are encoded in the "RLE / bit-packing hybrid" with runs alone.
class LevelRuns {
  public:
    void add(bool there);
    /// All levels with their length in bytes in front.
    std::string bytes() const;

  private:
    void close_run(std::string& bytes) const;

    std::string closed_;
    std::uint64_t length_ = 0;  ///< of the run that is not closed
    bool there_ = false;
};

/// Encodes values in PLAIN encoding as they come.
class ColumnBuffer {
  public:
    explicit ColumnBuffer(const Column& column) : column_(column) {}

    const Column& column() const { return column_; }
    /// Throws Error (a bug) if the value has another type, or is missing in a column that is not
    /// optional.
    void add(const Value& value);
    std::size_t bytes() const { return values_.size(); }
    /// The content of a data page, not compressed: definition levels, unless the column has all
    /// values, then the values. The buffer is empty afterwards.
    std::string take_page();

  private:
    void append(bool value);
    template <class Number>
    void append(Number value);
    void append(const std::string& text);

    Column column_;
    std::string values_;
    LevelRuns levels_;
    int bits_ = 0;  ///< of the last byte that hold a truth value
};

}  // namespace tessera::io::parquet
