// Files that lie about what is in them: what only HDF5's own functions, or other programs, write.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>

#include "io/h5_test.hpp"
#include "io/hdf5/h5.hpp"
#include "support/message_of.hpp"

namespace {

using tessera::io::h5::Column;
using tessera::io::h5::Dataset;
using tessera::io::h5::File;
using tessera::io::h5::Group;
using tessera::test::columns;
using tessera::test::message_of;
using tessera::test::Row;

class HostileH5 : public tessera::test::H5Test {};

using Handle = tessera::io::h5::ObjectHandle;
using Space = tessera::io::h5::SpaceHandle;
using Properties = tessera::io::h5::PropertyHandle;

/// A dataset "x" of one axis without values, as `shape_storage` has it.
template <class Shape_storage>
void make_unwritten(File& file, hsize_t length, const Shape_storage& shape_storage,
                    hid_t type = H5T_IEEE_F64LE) {
    const Properties creation(H5Pcreate(H5P_DATASET_CREATE));
    shape_storage(creation.get());
    const Space space(H5Screate_simple(1, &length, nullptr));
    const Handle made(H5Dcreate2(file.root().id(), "x", type, space.get(), H5P_DEFAULT,
                                 creation.get(), H5P_DEFAULT));
    ASSERT_GE(made.get(), 0);
}

void in_chunks(hid_t creation) {
    const hsize_t chunk = 1024;
    H5Pset_chunk(creation, 1, &chunk);
}

TEST_F(HostileH5, DatasetsThatAreNotThereAreNotRead) {
    for (const hsize_t length : {hsize_t{1} << 28, hsize_t{1} << 60}) {
        File file = File::create(path);
        make_unwritten(file, length, in_chunks);
        const Dataset x = file.root().open_dataset("x");
        for (const auto& said :
             {message_of([&] { x.read<double>(); }), message_of([&] { x.read<float>(); })})
            EXPECT_NE(said.find("not all of its values are in the file"), std::string::npos)
                << said;
    }
    File file = File::create(path);
    make_unwritten(file, 1 << 28, [](hid_t) {});
    EXPECT_NE(message_of([&] { file.root().open_dataset("x").read<double>(); }).find("not all"),
              std::string::npos);
}

TEST_F(HostileH5, ValuesInOtherFilesAreNotRead) {
    {
        File file = File::create(path);
        make_unwritten(file, 4,
                       [](hid_t creation) { H5Pset_external(creation, "/etc/passwd", 0, 32); });
        EXPECT_NE(message_of([&] {
                      file.root().open_dataset("x").read<double>();
                  }).find("in another file"),
                  std::string::npos);
    }
    File file = File::create(path);
    file.root().write("real", std::vector<double>{1});
    H5Lcreate_soft("/loop", file.root().id(), "loop", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/real", file.root().id(), "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/real", file.root().id(), "away", H5P_DEFAULT, H5P_DEFAULT);
    for (const char* name : {"loop", "soft", "away", "away/b"}) {
        const std::string said = message_of([&] { file.root().open_dataset(name); });
        EXPECT_NE(said.find("a link to another place"), std::string::npos) << said;
        EXPECT_NE(message_of([&] { file.root().open_group(name); }), "no error");
    }
    EXPECT_NE(
        message_of([&] { file.root().open_dataset(std::string("real\0x", 6)); }).find("zero byte"),
        std::string::npos);
}

TEST_F(HostileH5, OtherTypesAreRefusedBeforeTheyAreConverted) {
    File file = File::create(path);
    Group root = file.root();
    root.write("real", std::vector<double>{0.5, 1e300});
    root.write_strings("text", {"a"});
    root.write_attribute("real", 0.5);
    root.write_attribute("text", "a");
    const std::vector<Row> rows(3);
    root.write_table("t", rows.data(), sizeof(Row), rows.size(), columns);
    EXPECT_NE(message_of([&] { root.open_dataset("real").read<std::int64_t>(); }), "no error");
    EXPECT_NE(message_of([&] { root.open_dataset("text").read<double>(); }), "no error");
    EXPECT_NE(message_of([&] { root.open_dataset("t").read<double>(); }), "no error");
    EXPECT_NE(message_of([&] { root.open_dataset("real").read_strings(); }), "no error");
    EXPECT_NE(message_of([&] { root.open_dataset("real").read_table<Row>(columns); }), "no error");
    EXPECT_NE(message_of([&] { root.read_attribute<std::int64_t>("real"); }), "no error");
    EXPECT_NE(message_of([&] { root.read_attribute<double>("text"); }), "no error");
    EXPECT_NE(message_of([&] { root.read_attribute<std::string>("real"); }), "no error");
    std::vector<Column> other = columns;
    other[0].kind = Column::Kind::real;
    EXPECT_NE(message_of([&] { root.open_dataset("t").read_table<Row>(other); }).find("'name'"),
              std::string::npos);
}

TEST_F(HostileH5, TablesHaveOneAxis) {
    File file = File::create(path);
    const tessera::io::h5::TypeHandle type(H5Tcreate(H5T_COMPOUND, 8));
    H5Tinsert(type.get(), "count", 0, H5T_STD_I64LE);
    const hsize_t shape[2] = {1, 200000};
    const Space space(H5Screate_simple(2, shape, nullptr));
    const Handle made(H5Dcreate2(file.root().id(), "t", type.get(), space.get(), H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_NE(message_of([&] {
                  file.root().open_dataset("t").read_table<Row>(columns);
              }).find("not a table"),
              std::string::npos);
}

TEST_F(HostileH5, ASmallFileCannotFillTheMemory) {
    {
        File file = File::create(path);
        file.root().write("zeros", std::vector<double>(1 << 20), {1 << 20}, {"", {}, 9});
        file.close();
    }
    const File file = File::open(path);
    const Dataset zeros = file.root().open_dataset("zeros");
    std::string said;  // 8 MiB each time
    for (int i = 0; i < 9 && said.find("claims to hold") == std::string::npos; ++i)
        said = message_of([&] { zeros.read<double>(); });
    EXPECT_NE(said.find("claims to hold more than a file of this size can"), std::string::npos);
}

/// A dataset "x" of three values in one chunk of `length`, which zlib has made of `bytes` zeros.
void write_packed_chunk(const std::string& path, hsize_t length, std::size_t bytes) {
    File file = File::create(path);
    const Properties creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), 1, &length);
    H5Pset_deflate(creation.get(), 9);
    const hsize_t used = 3, most = H5S_UNLIMITED, first = 0;
    const Space space(H5Screate_simple(1, &used, &most));
    const Handle made(H5Dcreate2(file.root().id(), "x", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                 creation.get(), H5P_DEFAULT));
    const std::string zeros(bytes, '\0');
    uLongf size = compressBound(static_cast<uLong>(bytes));
    std::vector<Bytef> packed(size);
    ASSERT_EQ(compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(zeros.data()),
                        static_cast<uLong>(bytes), 9),
              Z_OK);
    ASSERT_GE(H5Dwrite_chunk(made.get(), H5P_DEFAULT, 0, &first, size, packed.data()), 0);
    file.close();
}

TEST_F(HostileH5, AChunkThatUnpacksToTheMemoryIsNotRead) {
    const auto said = [&](hsize_t length, std::size_t bytes) {
        write_packed_chunk(path, length, bytes);
        return message_of([&] { File::open(path).root().open_dataset("x").read<double>(); });
    };
    constexpr std::size_t mebibyte = 1 << 20;
    EXPECT_EQ(said(1 << 17, mebibyte), "no error");
    EXPECT_EQ(said(1 << 17, 4 * mebibyte), "no error");  // HDF5 takes what it needs of it
    EXPECT_NE(said(1 << 17, 128 * mebibyte).find("unpacks to more than it holds"),
              std::string::npos);
    EXPECT_NE(said(1 << 25, 128 * mebibyte).find("larger than a file of this size"),
              std::string::npos);
}

/// The file with the reference to a text of `length` bytes, and the one that follows it, as
/// `change` has them.
template <class Change>
void change_references(const std::string& path, std::uint32_t length, const Change& change) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const std::string sought(reinterpret_cast<const char*>(&length), sizeof(length));
    const std::size_t at = bytes.find(sought);
    ASSERT_NE(at, std::string::npos);
    change(bytes.data() + at);
    std::ofstream(path, std::ios::binary) << bytes;
}

constexpr std::size_t reference_bytes = 16;

TEST_F(HostileH5, TextsThatAreLongerThanTheirReferencesAreNotRead) {
    constexpr std::uint32_t length = 54321;
    for (const bool of_dataset : {false, true}) {
        {
            File file = File::create(path);
            const std::vector<std::string> texts{std::string(length, 't'), "b"};
            if (of_dataset)
                file.root().write_strings("x", texts);
            else
                file.root().write_attribute("x", texts);
            file.close();
        }
        const auto said = [&] {
            const File file = File::open(path);
            return of_dataset ? message_of([&] { file.root().open_dataset("x").read_strings(); })
                              : message_of([&] { file.root().read_attributes<std::string>("x"); });
        };
        EXPECT_EQ(said(), "no error");
        change_references(path, length, [](char* reference) { reference[1] = 0; });
        EXPECT_NE(said().find("a text of it is not where it says"), std::string::npos) << said();
    }
}

TEST_F(HostileH5, AHeapInWhichHdf5WouldWalkForEverIsNotRead) {
    {
        File file = File::create(path);
        file.root().write_attribute("x", std::vector<std::string>{"a text", "b"});
        file.close();
    }
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    // A heap begins with a head of 16 bytes. The texts have heads of 16 bytes, and fill 8 each.
    // The rest is room, whose head ends with its length.
    const std::size_t heap = bytes.find("GCOL"), room = heap + 16 + 2 * (16 + 8);
    ASSERT_NE(heap, std::string::npos);
    ASSERT_EQ(bytes.substr(room, 8), std::string(8, '\0'));
    ASSERT_NE(bytes[room + 9], '\0');
    file.seekp(static_cast<std::streamoff>(room) + 8);
    file << std::string(8, '\0');
    file.close();
    const File damaged = File::open(path);
    const std::string said = message_of([&] { damaged.root().read_attributes<std::string>("x"); });
    EXPECT_NE(said.find("a text of it is not where it says"), std::string::npos) << said;
}

TEST_F(HostileH5, OneTextCannotFillTheMemoryByManyReferences) {
    constexpr std::uint32_t length = 1234567;
    constexpr std::size_t count = 100;
    {
        File file = File::create(path);
        std::vector<std::string> texts(count, "b");
        texts[0] = std::string(length, 't');
        file.root().write_attribute("x", texts);
        file.close();
    }
    change_references(path, length, [](char* first) {
        for (std::size_t i = 1; i < count; ++i)
            std::copy(first, first + reference_bytes, first + i * reference_bytes);
    });
    const File file = File::open(path);
    const std::string said = message_of([&] { file.root().read_attributes<std::string>("x"); });
    EXPECT_NE(said.find("claims to hold more than a file of this size can"), std::string::npos)
        << said;
}

}  // namespace
