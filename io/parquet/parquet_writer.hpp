// Writes a Parquet file (https://parquet.apache.org/docs/file-format/): flat columns in PLAIN
// encoding, one data page (version 1) for each column and row group.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/parquet/column_buffer.hpp"
#include "io/parquet/compact_struct.hpp"
#include "io/text/value_table.hpp"

namespace tessera::io::parquet {

struct WriterOptions {
    bool packed = true;      ///< by gzip, which every reader knows
    std::string created_by;  ///< "PROGRAM version NUMBER"
    std::vector<std::pair<std::string, std::string>>
        notes;  ///< names and texts, for the whole file
};

/// Hands the file to the sink piece by piece, from front to back. Rows may be added as they become
/// known, and row groups may be ended at any time. Nothing can read the file before finish().
/// Units of columns become a note "units", a JSON object with an entry for each column that has
/// units.
class ParquetWriter {
  public:
    ParquetWriter(const std::vector<Column>& columns, WriterOptions options, TextSink sink);

    /// Adds a value for each column. Ends the row group when it is large. Throws Error (a bug) if a
    /// value does not fit its column.
    void add_row(const std::vector<Value>& row);
    /// Hands on the rows that wait, if there are any. Throws Error if a page exceeds 2 GiB.
    void end_row_group();
    /// Ends the last row group and adds the footer, which makes the file complete. Nothing may be
    /// added after that.
    void finish();

  private:
    CompactStruct write_column(ColumnBuffer& buffer);
    CompactStruct metadata() const;
    void write(const std::string& bytes);

    std::vector<ColumnBuffer> buffers_;
    WriterOptions options_;
    TextSink sink_;
    std::int64_t offset_ = 0;          ///< bytes handed on
    std::int64_t rows_ = 0;            ///< in finished row groups
    std::int32_t waiting_ = 0;         ///< rows of the row group that is not finished
    std::int64_t unpacked_bytes_ = 0;  ///< of the row group that is being written
    std::vector<CompactStruct> groups_;
};

}  // namespace tessera::io::parquet
