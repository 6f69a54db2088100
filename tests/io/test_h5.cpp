#include "io/hdf5/h5.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "core/error.hpp"
#include "temporary_folder.hpp"

namespace {

using tessera::Error;
using tessera::io::h5::Column;
using tessera::io::h5::Dataset;
using tessera::io::h5::DatasetOptions;
using tessera::io::h5::File;
using tessera::io::h5::Group;
using tessera::io::h5::Shape;

class H5 : public testing::Test {
  protected:
    tessera::test::TemporaryFolder folder;
    const std::string path = folder / "file.h5";
};

/// What() of the Error that `call` throws.
template <class Call>
std::string refusal(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(H5, AttributesOfAllKinds) {
    {
        File file = File::create(path);
        Group root = file.root();
        root.write_attribute("text", "Å and plain");
        root.write_attribute("empty", std::string());
        root.write_attribute("long", std::string(200000, 'j'));
        root.write_attribute("texts", std::vector<std::string>{"one", "", "drei"});
        root.write_attribute("pi", 3.141592653589793);
        root.write_attribute("big", std::int64_t{-9007199254740993});
        root.write_attribute("flag", std::uint8_t{1});
        root.write_attribute("weights", std::vector<double>{0.5, -1e300});
        root.write_attribute("counts", std::vector<std::int64_t>{1, 2, 3});
        root.write_attribute("flag", std::uint8_t{2});  // replaces
        file.close();
    }
    const File file = File::open(path);
    const Group root = file.root();
    EXPECT_EQ(root.read_attribute<std::string>("text"), "Å and plain");
    EXPECT_EQ(root.read_attribute<std::string>("empty"), "");
    EXPECT_EQ(root.read_attribute<std::string>("long"), std::string(200000, 'j'));
    EXPECT_EQ(root.read_attributes<std::string>("texts"),
              (std::vector<std::string>{"one", "", "drei"}));
    EXPECT_EQ(root.read_attribute<double>("pi"), 3.141592653589793);
    EXPECT_EQ(root.read_attribute<std::int64_t>("big"), -9007199254740993);
    EXPECT_EQ(root.read_attribute<std::uint8_t>("flag"), 2);
    EXPECT_EQ(root.read_attributes<double>("weights"), (std::vector<double>{0.5, -1e300}));
    EXPECT_EQ(root.read_attributes<std::int64_t>("counts"), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_TRUE(root.has_attribute("pi"));
    EXPECT_FALSE(root.has_attribute("tau"));
}

template <class T>
void expect_round_trip(Group& group, const std::string& name, const std::vector<T>& values,
                       const Shape& shape) {
    group.write(name, values, shape, {"kpc", {}, 0});
    const Dataset dataset = group.open_dataset(name);
    const auto array = dataset.template read<T>();
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.values, values);
    EXPECT_EQ(dataset.template read_attribute<std::string>("units"), "kpc");
}

TEST_F(H5, DatasetsOfAllKinds) {
    File file = File::create(path);
    Group group = file.root().group("a/b");
    expect_round_trip<double>(group, "f64", {1, 2, 3, 4, 5, 1e-300}, {2, 3});
    expect_round_trip<float>(group, "f32", {1.5f, -0.0f}, {2});
    expect_round_trip<std::int32_t>(group, "i32", {-2147483647 - 1, 2147483647}, {1, 2, 1});
    expect_round_trip<std::int64_t>(group, "i64", {std::numeric_limits<std::int64_t>::min()}, {1});
    expect_round_trip<std::uint32_t>(group, "u32", {4294967295u}, {1});
    expect_round_trip<std::uint64_t>(group, "u64", {18446744073709551615u}, {});
    expect_round_trip<std::int8_t>(group, "i8", {-128, 127}, {2});
    expect_round_trip<std::uint8_t>(group, "u8", {0, 255}, {2});
    expect_round_trip<double>(group, "none", {}, {0, 3});
    EXPECT_EQ(file.root().open_group("a").open_dataset("b/i8").name(), "/a/b/i8");
    EXPECT_EQ(group.children(), (std::vector<std::string>{"f32", "f64", "i32", "i64", "i8", "none",
                                                          "u32", "u64", "u8"}));
}

TEST_F(H5, NumbersAreConvertedOnReading) {
    File file = File::create(path);
    Group root = file.root();
    root.write("whole", std::vector<std::int32_t>{1, -2});
    EXPECT_EQ(root.open_dataset("whole").read<double>().values, (std::vector<double>{1, -2}));
}

TEST_F(H5, StoredLittleEndianWhateverTheMachine) {
    {
        File file = File::create(path);
        file.root().write("marker", std::vector<std::uint64_t>{0x1122334455667788});
        file.close();
    }
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_NE(bytes.find("\x88\x77\x66\x55\x44\x33\x22\x11"), std::string::npos);
}

TEST_F(H5, ChunksAndDeflate) {
    const std::vector<double> zeros(1000000, 0.25);
    {
        File file = File::create(path);
        Group root = file.root();
        root.write("packed", zeros, {100, 100, 100}, {"", {}, 4});
        root.write("chunked", std::vector<float>(60, 1.0f), {5, 12}, {"", {2, 12}, 0});
        root.write("nothing", std::vector<float>{}, {0, 4}, {"", {}, 9});
        file.close();
    }
    EXPECT_LT(std::filesystem::file_size(path), 1000000u);  // of 8 MB
    const File file = File::open(path);
    EXPECT_EQ(file.root().open_dataset("packed").read<double>().values, zeros);
    EXPECT_EQ(file.root().open_dataset("chunked").read<float>().shape, (Shape{5, 12}));
}

TEST_F(H5, Strings) {
    File file = File::create(path);
    Group root = file.root();
    const std::vector<std::string> texts{"HOMO", "", "LUMO+1", "größer"};
    root.write_strings("labels", texts);
    root.write_strings("none", {});
    EXPECT_EQ(root.open_dataset("labels").read_strings(), texts);
    EXPECT_TRUE(root.open_dataset("none").read_strings().empty());
}

struct Row {
    std::int64_t count;
    char padding_in_memory[3];
    char name[6];
    double value;
};

const std::vector<Column> columns{
    {"name", Column::Kind::text, offsetof(Row, name), sizeof(Row::name), ""},
    {"value", Column::Kind::real, offsetof(Row, value), 0, "s"},
    {"count", Column::Kind::integer, offsetof(Row, count), 0, ""}};

TEST_F(H5, Tables) {
    File file = File::create(path);
    Group root = file.root();
    const std::vector<Row> rows{{-5, "", "abc", 0.5}, {7, "", "12345", -2}};
    root.write_table("t", rows.data(), sizeof(Row), rows.size(), columns);
    root.write_table("none", nullptr, sizeof(Row), 0, columns);
    const Dataset table = root.open_dataset("t");
    EXPECT_EQ(table.read_attributes<std::string>("units"), (std::vector<std::string>{"", "s", ""}));
    const auto back = table.read_table<Row>(columns);
    ASSERT_EQ(back.size(), 2u);
    EXPECT_STREQ(back[0].name, "abc");
    EXPECT_STREQ(back[1].name, "12345");
    EXPECT_EQ(back[1].value, -2);
    EXPECT_EQ(back[0].count, -5);
    EXPECT_EQ(root.open_dataset("none").shape(), (Shape{0}));
}

TEST_F(H5, ContainsLooksAlongPaths) {
    File file = File::create(path);
    file.root().group("a/b");
    EXPECT_TRUE(file.root().contains("a/b"));
    EXPECT_FALSE(file.root().contains("a/c"));
    EXPECT_FALSE(file.root().contains("x/y/z"));
    file.root().group("a/b");  // opens what is there
}

TEST_F(H5, ErrorsNameFileAndObjectAndCarryHdf5sReason) {
    EXPECT_EQ(refusal([&] { File::open(folder / "missing.h5"); }),
              "cannot open '" + (folder / "missing.h5") + "' (no such file): check the name");
    std::ofstream(folder / "text.h5") << "not HDF5 at all";
    const std::string line = refusal([&] { File::open(folder / "text.h5"); });
    EXPECT_NE(line.find("text.h5' as HDF5 ("), std::string::npos) << line;
    EXPECT_NE(line.find("signature"), std::string::npos) << line;
    const std::string folder_line = refusal([&] { File::create(folder / "no/such.h5"); });
    EXPECT_NE(folder_line.find("No such file or directory"), std::string::npos) << folder_line;

    File file = File::create(path);
    Group root = file.root();
    root.write("x", std::vector<double>{1});
    const std::string taken = refusal([&] { root.write("x", std::vector<double>{2}); });
    EXPECT_NE(taken.find("cannot create dataset '/x' of '" + path + "'"), std::string::npos)
        << taken;
    EXPECT_NE(taken.find("exists"), std::string::npos) << taken;
    EXPECT_NE(refusal([&] { root.open_dataset("y"); }).find("'/y'"), std::string::npos);
    EXPECT_NE(refusal([&] { root.open_group("x"); }).find("'/x'"), std::string::npos);
    EXPECT_NE(refusal([&] { root.read_attribute<double>("z"); }).find("'/@z'"), std::string::npos);
    EXPECT_NE(refusal([&] {
                  root.write("w", std::vector<double>{1, 2, 3}, {2, 2});
              }).find("3 values for a shape of 4"),
              std::string::npos);
}

// What only HDF5's own functions, or other programs, write.

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

TEST_F(H5, DatasetsThatAreNotThereAreNotRead) {
    for (const hsize_t length : {hsize_t{1} << 28, hsize_t{1} << 60}) {
        File file = File::create(path);
        make_unwritten(file, length, in_chunks);
        const Dataset x = file.root().open_dataset("x");
        for (const auto& said :
             {refusal([&] { x.read<double>(); }), refusal([&] { x.read<float>(); })})
            EXPECT_NE(said.find("not all of its values are in the file"), std::string::npos)
                << said;
    }
    File file = File::create(path);
    make_unwritten(file, 1 << 28, [](hid_t) {});
    EXPECT_NE(refusal([&] { file.root().open_dataset("x").read<double>(); }).find("not all"),
              std::string::npos);
}

TEST_F(H5, ValuesInOtherFilesAreNotRead) {
    {
        File file = File::create(path);
        make_unwritten(file, 4,
                       [](hid_t creation) { H5Pset_external(creation, "/etc/passwd", 0, 32); });
        EXPECT_NE(
            refusal([&] { file.root().open_dataset("x").read<double>(); }).find("in another file"),
            std::string::npos);
    }
    File file = File::create(path);
    file.root().write("real", std::vector<double>{1});
    H5Lcreate_soft("/loop", file.root().id(), "loop", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/real", file.root().id(), "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/real", file.root().id(), "away", H5P_DEFAULT, H5P_DEFAULT);
    for (const char* name : {"loop", "soft", "away", "away/b"}) {
        const std::string said = refusal([&] { file.root().open_dataset(name); });
        EXPECT_NE(said.find("a link to another place"), std::string::npos) << said;
        EXPECT_NE(refusal([&] { file.root().open_group(name); }), "no error");
    }
    EXPECT_NE(
        refusal([&] { file.root().open_dataset(std::string("real\0x", 6)); }).find("zero byte"),
        std::string::npos);
}

TEST_F(H5, OtherTypesAreRefusedBeforeTheyAreConverted) {
    File file = File::create(path);
    Group root = file.root();
    root.write("real", std::vector<double>{0.5, 1e300});
    root.write_strings("text", {"a"});
    root.write_attribute("real", 0.5);
    root.write_attribute("text", "a");
    const std::vector<Row> rows(3);
    root.write_table("t", rows.data(), sizeof(Row), rows.size(), columns);
    EXPECT_NE(refusal([&] { root.open_dataset("real").read<std::int64_t>(); }), "no error");
    EXPECT_NE(refusal([&] { root.open_dataset("text").read<double>(); }), "no error");
    EXPECT_NE(refusal([&] { root.open_dataset("t").read<double>(); }), "no error");
    EXPECT_NE(refusal([&] { root.open_dataset("real").read_strings(); }), "no error");
    EXPECT_NE(refusal([&] { root.open_dataset("real").read_table<Row>(columns); }), "no error");
    EXPECT_NE(refusal([&] { root.read_attribute<std::int64_t>("real"); }), "no error");
    EXPECT_NE(refusal([&] { root.read_attribute<double>("text"); }), "no error");
    EXPECT_NE(refusal([&] { root.read_attribute<std::string>("real"); }), "no error");
    std::vector<Column> other = columns;
    other[0].kind = Column::Kind::real;
    EXPECT_NE(refusal([&] { root.open_dataset("t").read_table<Row>(other); }).find("'name'"),
              std::string::npos);
}

TEST_F(H5, TablesHaveOneAxis) {
    File file = File::create(path);
    const tessera::io::h5::TypeHandle type(H5Tcreate(H5T_COMPOUND, 8));
    H5Tinsert(type.get(), "count", 0, H5T_STD_I64LE);
    const hsize_t shape[2] = {1, 200000};
    const Space space(H5Screate_simple(2, shape, nullptr));
    const Handle made(H5Dcreate2(file.root().id(), "t", type.get(), space.get(), H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_NE(refusal([&] {
                  file.root().open_dataset("t").read_table<Row>(columns);
              }).find("not a table"),
              std::string::npos);
}

TEST_F(H5, ASmallFileCannotFillTheMemory) {
    {
        File file = File::create(path);
        file.root().write("zeros", std::vector<double>(1 << 20), {1 << 20}, {"", {}, 9});
        file.close();
    }
    const File file = File::open(path);
    const Dataset zeros = file.root().open_dataset("zeros");
    std::string said;  // 8 MiB each time
    for (int i = 0; i < 9 && said.find("claims to hold") == std::string::npos; ++i)
        said = refusal([&] { zeros.read<double>(); });
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

TEST_F(H5, AChunkThatUnpacksToTheMemoryIsNotRead) {
    const auto said = [&](hsize_t length, std::size_t bytes) {
        write_packed_chunk(path, length, bytes);
        return refusal([&] { File::open(path).root().open_dataset("x").read<double>(); });
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

TEST_F(H5, TextsThatAreLongerThanTheirReferencesAreNotRead) {
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
            return of_dataset ? refusal([&] { file.root().open_dataset("x").read_strings(); })
                              : refusal([&] { file.root().read_attributes<std::string>("x"); });
        };
        EXPECT_EQ(said(), "no error");
        change_references(path, length, [](char* reference) { reference[1] = 0; });
        EXPECT_NE(said().find("a text of it is not where it says"), std::string::npos) << said();
    }
}

TEST_F(H5, OneTextCannotFillTheMemoryByManyReferences) {
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
    const std::string said = refusal([&] { file.root().read_attributes<std::string>("x"); });
    EXPECT_NE(said.find("claims to hold more than a file of this size can"), std::string::npos)
        << said;
}

TEST_F(H5, ErrorsLeaveStderrAlone) {
    testing::internal::CaptureStderr();
    refusal([&] { File::create(folder / "no/such.h5"); });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
