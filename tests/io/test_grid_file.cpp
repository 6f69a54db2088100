#include "io/hdf5/grid_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "io/hdf5/grid_store.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tessera;
using namespace tessera::io;

constexpr JournalKey key{0x9d1d5};

/// Two ranks' worth of slabs in one process; `value` tells every point from every other.
class GridFile : public testing::Test {
  protected:
    test::TemporaryFolder folder;
    const std::string path = folder / "run.h5";
    GridSpec spec;
    std::atomic<bool> write_tile_done = false;

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
        writer.submit({{0, first_grid, grids, first_plane, planes}}, std::move(buffer));
    }

    void write_all() const {
        if (spec.deflate == 0) begin_grid_store(path, folder / "begun", key, {spec});
        const auto addresses = spec.deflate == 0 ? grid_store_addresses(path, {spec})
                                                 : std::vector<std::vector<std::uint64_t>>(1);
        const std::size_t bytes = 3 * 8 * spec.plane_bytes();
        GridWriter first({spec}, addresses, path, bytes), second({spec}, addresses, path, bytes);
        std::vector<std::byte> packed;  // as the journals of both would have it
        std::mutex mutex;
        const auto keep = [&](const std::vector<std::byte>& more) {
            const std::lock_guard lock(mutex);
            packed.insert(packed.end(), more.begin(), more.end());
        };
        write_tile(first, 3, 3, 8, 3);
        write_tile(second, 0, 3, 0, 8);
        second.then(keep);
        write_tile(second, 3, 3, 0, 8);
        write_tile(first, 0, 3, 8, 3);
        first.then(keep);
        second.then(keep);
        first.finish();
        second.finish();
        sync_file(path_if_any());
        if (spec.deflate == 0) return;
        h5::File file = h5::File::create(path);
        create_grid(file.root(), spec);
        write_packed(file.root(), {spec}, packed);
        EXPECT_THROW(write_packed(file.root(), {spec}, std::span(packed).first(packed.size() - 1)),
                     Error);
        file.close();
    }

    std::string path_if_any() const { return spec.deflate == 0 ? path : "/dev/null"; }

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
    }
};

TEST_F(GridFile, SeveralWritersFillOneDataset) {
    write_all();
    check();
}

/// As HDF5 itself says of each, whether its records part them or lie apart.
TEST_F(GridFile, AddressesAreThoseOfTheLibrary) {
    spec.leading = {3, 100};
    for (const std::size_t metadata_block : {std::size_t{0}, std::size_t{1} << 20}) {
        h5::File file = h5::File::create(path, metadata_block);
        create_grid(file.root(), spec);
        const auto addresses = chunk_addresses(file.root(), spec);
        ASSERT_EQ(addresses.size(), 900u);
        const h5::Dataset dataset = file.root().open_dataset(spec.name);
        std::size_t parted = 0;
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            const auto index = static_cast<std::int64_t>(i);
            const auto position = chunk_position(spec, index / 3, index % 3 * 4);
            unsigned filters = 0;
            haddr_t address = 0;
            hsize_t size = 0;
            ASSERT_GE(H5Dget_chunk_info_by_coord(dataset.id(), position.data(), &filters, &address,
                                                 &size),
                      0);
            ASSERT_EQ(addresses[i], address) << i;
            ASSERT_EQ(size, spec.chunk_bytes());
            if (i > 0 && address != addresses[i - 1] + size) ++parted;
        }
        if (metadata_block > 0)
            EXPECT_EQ(parted, 0u);
        else
            EXPECT_GT(parted, 3u);
    }
}

TEST_F(GridFile, CompressedChunksGoIntoTheFileAsTheyAre) {
    spec.deflate = 4;
    write_all();
    check();
    // What compresses is smaller than what does not.
    EXPECT_LT(std::filesystem::file_size(path), 6u * 11 * 20 * 8 + 2048);
}

TEST_F(GridFile, AWriterThatFailsSaysSo) {
    EXPECT_THROW(GridWriter({spec}, {{}}, folder / "nowhere.h5", 64), Error);
    EXPECT_THROW(sync_file(folder / "nowhere.h5"), Error);
}

TEST_F(GridFile, ANoteComesBehindItsBlocks) {
    begin_grid_store(path, folder / "begun", key, {spec});
    const auto addresses = grid_store_addresses(path, {spec});
    GridWriter writer({spec}, addresses, path, 3 * 8 * spec.plane_bytes());
    const auto in_file = [&](std::int64_t plane) {
        const h5::File file = h5::File::open(path);
        return read_grid_box(file.root().open_dataset("orbitals/values"), 2, {4, 3, plane},
                             {1, 1, 1})[0];
    };
    std::vector<double> seen;
    const auto note = [&](const std::vector<std::byte>& packed) {
        EXPECT_TRUE(packed.empty());
        seen.push_back(in_file(7));
        seen.push_back(in_file(10));
    };
    write_tile(writer, 0, 3, 0, 8);
    writer.then(note);
    writer.then([&](const auto&) { write_tile_done = true; });
    while (!write_tile_done) std::this_thread::yield();
    write_tile(writer, 0, 3, 8, 3);
    writer.then(note);
    writer.finish();
    EXPECT_EQ(seen, (std::vector{value(2, 4, 3, 7), 0.0, value(2, 4, 3, 7), value(2, 4, 3, 10)}));
}

TEST_F(GridFile, ANoteThatFailsEndsTheWriting) {
    GridWriter writer({}, {}, "", 0);
    int later = 0;
    writer.then([](const auto&) { throw Error("full", "disk", "stop"); });
    const auto go_on = [&] {
        for (int i = 0; i < 100; ++i) writer.then([&](const auto&) { ++later; });
        writer.finish();
    };
    EXPECT_THROW(go_on(), Error);
    EXPECT_EQ(later, 0);
}

TEST_F(GridFile, AStoreOutlivesAnAttemptToFinishIt) {
    write_all();
    const auto size = std::filesystem::file_size(path);
    // As a run that was killed while it finished its file would leave it.
    {
        h5::File file = h5::File::reopen(path);
        file.root().group("run").write_attribute("text", std::string(30000, 'x'));
        file.root().open_dataset("orbitals/values").write_attribute("more", 1.0);
        file.close();
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100);
        const int descriptor = open(path.c_str(), O_WRONLY);
        const std::vector<char> rubbish(48, 'x');  // the superblock
        ASSERT_EQ(pwrite(descriptor, rubbish.data(), rubbish.size(), 0), 48);
        close(descriptor);
    }
    EXPECT_THROW(h5::File::open(path), Error);
    restore_grid_store(path, folder / "begun", key);
    EXPECT_EQ(std::filesystem::file_size(path), size);
    check();
    EXPECT_FALSE(h5::File::open(path).root().contains("run"));
    std::filesystem::resize_file(path, size - 1);
    EXPECT_THROW(restore_grid_store(path, folder / "begun", key), Error) << "a grid has lost bytes";
    std::filesystem::resize_file(path, size);
    EXPECT_THROW(restore_grid_store(path, folder / "begun", {key.value + 1}), Error)
        << "the beginning of another run's file";
    std::filesystem::resize_file(folder / "begun",
                                 std::filesystem::file_size(folder / "begun") - 1);
    EXPECT_THROW(restore_grid_store(path, folder / "begun", key), Error) << "a part of it is gone";
    std::filesystem::remove(folder / "begun");
    EXPECT_THROW(restore_grid_store(path, folder / "begun", key), Error);
}

}  // namespace
