#include "io/grid_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tessera;
using namespace tessera::io;

/// Two ranks' worth of slabs in one process; `value` tells every point from every other.
class GridFile : public testing::Test {
  protected:
    test::TemporaryFolder folder;
    const std::string path = folder / "run.h5";
    GridSpec spec;

    GridFile() {
        spec.name = "/orbitals/values";
        spec.leading = {2, 3};
        spec.shape = {5, 4, 11};  // the last chunk of a grid is short: 4 + 4 + 3
        spec.chunk_planes = 4;
        spec.double_precision = true;
        spec.units = "bohr^-3/2";
    }

    static double value(std::int64_t grid, std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<double>(((grid * 11 + z) * 4 + y) * 5 + x) + 0.5;
    }

    void write_tile(GridWriter& writer, std::int64_t first_grid, std::int64_t grids,
                    std::int64_t first_plane, std::int64_t planes) const {
        GridBuffer buffer = writer.acquire();
        std::byte* at = buffer.data();
        for (std::int64_t g = 0; g < grids; ++g)
            for (std::int64_t z = 0; z < planes; ++z)
                for (std::int64_t y = 0; y < 4; ++y)
                    for (std::int64_t x = 0; x < 5; ++x) {
                        const double v = value(first_grid + g, x, y, first_plane + z);
                        std::memcpy(at, &v, sizeof(v));
                        at += sizeof(v);
                    }
        writer.submit({0, first_grid, grids, first_plane, planes}, std::move(buffer));
    }

    void write_all() const {
        h5::File file = h5::File::create(path);
        create_grid(file.root(), spec);
        const auto addresses = chunk_addresses(file.root(), spec);
        const std::size_t bytes = 3 * 8 * spec.plane_bytes();
        std::optional<GridWriter> first, second;
        first.emplace(std::vector{spec}, std::vector<std::vector<std::uint64_t>>{addresses}, path,
                      folder / "part0", bytes);
        second.emplace(std::vector{spec}, std::vector<std::vector<std::uint64_t>>{addresses}, path,
                       folder / "part1", bytes);
        write_tile(*first, 3, 3, 8, 3);
        write_tile(*second, 0, 3, 0, 8);
        write_tile(*second, 3, 3, 0, 8);
        write_tile(*first, 0, 3, 8, 3);
        first->finish();
        second->finish();
        if (spec.deflate > 0) {
            merge_part(file.root(), {spec}, first->part());
            merge_part(file.root(), {spec}, second->part());
        }
        first.reset();
        second.reset();
        file.close();
    }

    void check() const {
        const h5::File file = h5::File::open(path);
        const auto dataset = file.root().open_dataset("orbitals/values");
        EXPECT_EQ(dataset.shape(), (h5::Shape{2, 3, 11, 4, 5}));
        EXPECT_EQ(dataset.read_attribute<std::string>("units"), "bohr^-3/2");
        const auto all = dataset.read<double>().values;
        std::size_t i = 0;
        for (std::int64_t g = 0; g < 6; ++g)
            for (std::int64_t z = 0; z < 11; ++z)
                for (std::int64_t y = 0; y < 4; ++y)
                    for (std::int64_t x = 0; x < 5; ++x)
                        ASSERT_EQ(all[i++], value(g, x, y, z)) << g << " " << z;
        EXPECT_EQ(read_grid_box(dataset, 4, {1, 2, 9}, {2, 1, 2}),
                  (std::vector<double>{value(4, 1, 2, 9), value(4, 2, 2, 9), value(4, 1, 2, 10),
                                       value(4, 2, 2, 10)}));
        EXPECT_EQ(folder.count(), 1u);
    }
};

TEST_F(GridFile, SeveralWritersFillOneDataset) {
    write_all();
    check();
}

TEST_F(GridFile, CompressedPartsAreJoinedChunkByChunk) {
    spec.deflate = 4;
    write_all();
    check();
    // What compresses is smaller than what does not.
    EXPECT_LT(std::filesystem::file_size(path), 6u * 11 * 20 * 8 + 2048);
}

TEST_F(GridFile, AWriterThatFailsSaysSo) {
    EXPECT_THROW(GridWriter({spec}, {{}}, folder / "nowhere.h5", "", 64), Error);
}

TEST_F(GridFile, WhatIsNotFinishedLeavesNoPart) {
    spec.deflate = 1;
    h5::File file = h5::File::create(path);
    create_grid(file.root(), spec);
    {
        GridWriter writer({spec}, {{}}, path, folder / "part0", 3 * 8 * spec.plane_bytes());
        write_tile(writer, 0, 3, 0, 8);
        EXPECT_TRUE(std::filesystem::exists(folder / "part0"));
    }
    EXPECT_EQ(folder.count(), 1u);
}

}  // namespace
