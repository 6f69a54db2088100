// For tests of HDF5 files: a file in a folder of its own, a table, and the words of a refusal.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "io/temporary_folder.hpp"

namespace tessera::test {

class H5Test : public testing::Test {
  protected:
    TemporaryFolder folder;
    const std::string path = folder / "file.h5";
};

struct Row {
    std::int64_t count;
    char padding_in_memory[3];
    char name[6];
    double value;
};

inline const std::vector<io::h5::Column> columns{
    {"name", io::h5::Column::Kind::text, offsetof(Row, name), sizeof(Row::name), ""},
    {"value", io::h5::Column::Kind::real, offsetof(Row, value), 0, "s"},
    {"count", io::h5::Column::Kind::integer, offsetof(Row, count), 0, ""}};

}  // namespace tessera::test
