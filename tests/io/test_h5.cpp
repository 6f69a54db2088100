#include "io/hdf5/h5.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "io/h5_test.hpp"
#include "support/message_of.hpp"

namespace {

using tessera::io::h5::Dataset;
using tessera::io::h5::File;
using tessera::io::h5::Group;
using tessera::io::h5::Shape;

using tessera::test::columns;
using tessera::test::message_of;
using tessera::test::Row;

class H5 : public tessera::test::H5Test {};

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

TEST_F(H5, FileInMemoryHasTheBytesOfAFile) {
    {
        const File file = File::in_memory("not a place / of the disk");
        Group root = file.root();
        root.write_attribute("text", "in memory");
        root.write("values", std::vector<double>(100000, 1.5));
        const std::vector<std::byte> image = file.image();
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(image.data()), std::ssize(image));
    }
    const File file = File::open(path);
    EXPECT_EQ(file.root().read_attribute<std::string>("text"), "in memory");
    EXPECT_EQ(file.root().open_dataset("values").read<double>().values,
              std::vector<double>(100000, 1.5));
    EXPECT_FALSE(std::filesystem::exists("not a place / of the disk"));
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
    EXPECT_EQ(message_of([&] { File::open(folder / "missing.h5"); }),
              "cannot open '" + (folder / "missing.h5") + "' (no such file): check the name");
    std::ofstream(folder / "text.h5") << "not HDF5 at all";
    const std::string line = message_of([&] { File::open(folder / "text.h5"); });
    EXPECT_NE(line.find("text.h5' as HDF5 ("), std::string::npos) << line;
    EXPECT_NE(line.find("signature"), std::string::npos) << line;
    const std::string folder_line = message_of([&] { File::create(folder / "no/such.h5"); });
    EXPECT_NE(folder_line.find("No such file or directory"), std::string::npos) << folder_line;

    File file = File::create(path);
    Group root = file.root();
    root.write("x", std::vector<double>{1});
    const std::string taken = message_of([&] { root.write("x", std::vector<double>{2}); });
    EXPECT_NE(taken.find("cannot create dataset '/x' of '" + path + "'"), std::string::npos)
        << taken;
    EXPECT_NE(taken.find("exists"), std::string::npos) << taken;
    EXPECT_NE(message_of([&] { root.open_dataset("y"); }).find("'/y'"), std::string::npos);
    EXPECT_NE(message_of([&] { root.open_group("x"); }).find("'/x'"), std::string::npos);
    EXPECT_NE(message_of([&] { root.read_attribute<double>("z"); }).find("'/@z'"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  root.write("w", std::vector<double>{1, 2, 3}, {2, 2});
              }).find("3 values for a shape of 4"),
              std::string::npos);
}

TEST_F(H5, ErrorsLeaveStderrAlone) {
    testing::internal::CaptureStderr();
    message_of([&] { File::create(folder / "no/such.h5"); });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
