#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "io/fields/cube_writer.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/fields/opendx_writer.hpp"
#include "io/fields/vti_writer.hpp"
#include "io/fields/vtkhdf_writer.hpp"
#include "io/hdf5/grid_file.hpp"
#include "io/hdf5/output_path.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tessera;
using namespace tessera::io;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// 2 x 3 x 7 points; the value tells where the point is.
Volume example() {
    Volume volume;
    volume.title = "two\nlines";
    volume.nuclei = {{"O", 8, {0, 0, 0.25}}, {"H", 1, {1.5, -2, 3}}};
    volume.grid = {{-1, -2, -3}, {0.5, 0.25, 0.125}, {2, 3, 7}};
    volume.read = [](const auto& begin, const auto& shape) {
        std::vector<double> values;
        for (std::int64_t z = begin[2]; z < begin[2] + shape[2]; ++z)
            for (std::int64_t y = begin[1]; y < begin[1] + shape[1]; ++y)
                for (std::int64_t x = begin[0]; x < begin[0] + shape[0]; ++x)
                    values.push_back(static_cast<double>(100 * x + 10 * y + z) - 50);
        return values;
    };
    volume.name = "a<b";
    volume.units = "bohr^-3";
    return volume;
}

TEST(Cube, HeaderAtomsAndValuesInTheirOrder) {
    const test::TemporaryFolder folder;
    write_cube(folder / "a.cube", example());
    EXPECT_EQ(folder.count(), 1u);
    std::istringstream in(text_of(folder / "a.cube"));
    std::string title, second, line;
    std::getline(in, title);
    std::getline(in, second);
    EXPECT_EQ(title, "two lines");
    std::getline(in, line);
    EXPECT_EQ(line, "    2   -1.000000   -2.000000   -3.000000");
    std::getline(in, line);
    EXPECT_EQ(line, "    2    0.500000    0.000000    0.000000");
    std::getline(in, line);
    EXPECT_EQ(line, "    3    0.000000    0.250000    0.000000");
    std::getline(in, line);
    EXPECT_EQ(line, "    7    0.000000    0.000000    0.125000");
    std::getline(in, line);
    EXPECT_EQ(line, "    8    8.000000    0.000000    0.000000    0.250000");
    std::getline(in, line);
    EXPECT_EQ(line, "    1    1.000000    1.500000   -2.000000    3.000000");
    std::getline(in, line);
    EXPECT_EQ(line,
              " -5.00000E+01 -4.90000E+01 -4.80000E+01 -4.70000E+01 -4.60000E+01 -4.50000E+01");
    std::getline(in, line);
    EXPECT_EQ(line, " -4.40000E+01");
    double value = 0;
    for (int i = 7; i < 42; ++i) {
        ASSERT_TRUE(in >> value);
        EXPECT_EQ(value, 100 * (i / 21) + 10 * (i / 7 % 3) + i % 7 - 50) << i;
    }
    EXPECT_FALSE(in >> value);
}

TEST(Cube, NumbersAsCPrintsThem) {
    for (const double value : {0.0, 1.0, -1.0, 1.234565e-7, -9.999999e12, 3.5e-98, 0.05}) {
        std::string text;
        append_scientific(text, value);
        char expected[32];
        std::snprintf(expected, sizeof(expected), "%13.5E", value);
        EXPECT_EQ(text, expected);
    }
    std::string tiny;
    append_scientific(tiny, 1e-120);
    EXPECT_EQ(tiny, "  0.00000E+00");
}

TEST(OpenDx, CountsOriginInAngstromAndValues) {
    const test::TemporaryFolder folder;
    write_opendx(folder / "a.dx", example());
    const std::string text = text_of(folder / "a.dx");
    EXPECT_NE(
        text.find("gridpositions counts 2 3 7\norigin -0.529177211 -1.05835442 -1.58753163\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("delta 0.264588605 0 0\n"), std::string::npos);
    const std::size_t data = text.find("items 42 data follows\n");
    ASSERT_NE(data, std::string::npos);
    std::istringstream in(text.substr(data + 22));
    double value = 0;
    for (int i = 0; i < 42; ++i) {
        ASSERT_TRUE(in >> value);
        EXPECT_EQ(value, 100 * (i / 21) + 10 * (i / 7 % 3) + i % 7 - 50);
    }
    std::string next;
    in >> next;
    EXPECT_EQ(next, "attribute");
}

/// The values that follow the text of a .vti file, as numbers of type T.
template <class T>
std::vector<T> appended(const std::string& text) {
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    const std::size_t data = text.find(mark) + mark.size();
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + data, 8);
    EXPECT_EQ(text.substr(data + 8 + bytes), "\n</AppendedData>\n</VTKFile>\n");
    std::vector<T> values(bytes / sizeof(T));
    std::memcpy(values.data(), text.data() + data + 8, bytes);
    return values;
}

template <class Values>
void expect_x_fastest(const Values& values) {
    ASSERT_EQ(values.size(), 42u);
    for (int i = 0; i < 42; ++i)
        EXPECT_EQ(values[i], 100 * (i % 2) + 10 * (i / 2 % 3) + i / 6 - 50);
}

TEST(Vti, PlaceInAngstromNameUnitsAndValues) {
    const test::TemporaryFolder folder;
    Volume volume = example();
    volume.title = "tessera orbital, a--b";
    write_vti(folder / "a.vti", volume);
    const std::string text = text_of(folder / "a.vti");
    for (const char* part :
         {"\n<!-- tessera orbital, a- -b -->\n", "WholeExtent=\"0 1 0 2 0 6\"",
          "Origin=\"-0.529177210903 -1.058354421806 -1.58753163270",
          "Spacing=\"0.2645886054515 0.13229430272575 0.066147151362875\"",
          "type=\"Float64\" Name=\"a&lt;b\"", "location=\"vtkDataArray\">bohr^-3</Information"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    expect_x_fastest(appended<double>(text));
    EXPECT_TRUE(is_export(folder / "a.vti"));
    volume.is_single = true;
    write_vti(folder / "b.vti", volume);
    EXPECT_NE(text_of(folder / "b.vti").find("type=\"Float32\""), std::string::npos);
    expect_x_fastest(appended<float>(text_of(folder / "b.vti")));
}

TEST(Vtkhdf, PlaceInAngstromNameUnitsAndValues) {
    const test::TemporaryFolder folder;
    Volume volume = example();
    volume.title = "tessera orbital, a";
    volume.is_single = true;
    write_vtkhdf(folder / "a.vtkhdf", volume);
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_TRUE(is_vtkhdf_export(folder / "a.vtkhdf"));
    EXPECT_FALSE(is_result(folder / "a.vtkhdf"));
    const h5::File file = h5::File::open(folder / "a.vtkhdf");
    const h5::Group image = file.root().open_group("VTKHDF");
    EXPECT_EQ(image.read_attribute<std::string>("Type"), "ImageData");
    EXPECT_EQ(image.read_attributes<std::int64_t>("WholeExtent"),
              (std::vector<std::int64_t>{0, 1, 0, 2, 0, 6}));
    EXPECT_EQ(image.read_attributes<double>("Origin")[1], -2 * 0.529177210903);
    EXPECT_EQ(image.read_attributes<double>("Spacing")[2], 0.125 * 0.529177210903);
    const h5::Dataset values = image.open_group("PointData").open_dataset("a<b");
    EXPECT_TRUE(stores_single(values));
    EXPECT_EQ(values.read_attribute<std::string>("units"), "bohr^-3");
    EXPECT_EQ(values.shape(), (h5::Shape{7, 3, 2}));
    expect_x_fastest(values.read<double>().values);
}

TEST(Vtkhdf, AFailureLeavesNothingBehind) {
    const test::TemporaryFolder folder;
    Volume volume = example();
    volume.read = [](const auto&, const auto&) -> std::vector<double> {
        throw Error("no values", "a test", "none");
    };
    EXPECT_THROW(write_vtkhdf(folder / "a.vtkhdf", volume), Error);
    EXPECT_THROW(write_vtkhdf(folder / "none/a.vtkhdf", example()), Error);
    EXPECT_EQ(folder.count(), 0u);
    std::ofstream(folder / "a.vtkhdf") << "text";
    EXPECT_FALSE(is_vtkhdf_export(folder / "a.vtkhdf"));
}

Mesh tetrahedron() {
    Mesh mesh;
    mesh.title = "t";
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.triangles = {{0, 1, 2}, {1, 2, 3}};
    mesh.positive_triangles = 1;
    return mesh;
}

TEST(Meshes, PlyHoldsWhatItsHeaderSays) {
    const test::TemporaryFolder folder;
    write_ply(folder / "a.ply", tetrahedron());
    const std::string text = text_of(folder / "a.ply");
    const std::size_t body = text.find("end_header\n") + 11;
    EXPECT_NE(text.find("element vertex 4\n"), std::string::npos);
    EXPECT_NE(text.find("element face 2\n"), std::string::npos);
    ASSERT_EQ(text.size() - body, 4u * (6 * 4 + 3) + 2 * (1 + 12));
    float x = 0;
    std::memcpy(&x, text.data() + body + 27, 4);  // x of the second vertex
    EXPECT_FLOAT_EQ(x, 0.529177210903f);
    EXPECT_EQ(text[body + 108], 3);
    std::uint32_t last = 0;
    std::memcpy(&last, text.data() + text.size() - 4, 4);
    EXPECT_EQ(last, 3u);
}

TEST(Meshes, PlyHoldsFieldsBehindTheColours) {
    const test::TemporaryFolder folder;
    Mesh mesh = tetrahedron();
    mesh.fields = {{"HOMO", {1, 2, 3, 4}}, {"spin density", {-1, -2, -3, -4}}};
    write_ply(folder / "a.ply", mesh);
    const std::string text = text_of(folder / "a.ply");
    EXPECT_NE(text.find("property uchar blue\nproperty float HOMO\nproperty float "
                        "spin_density\nelement face"),
              std::string::npos)
        << text;
    const std::size_t body = text.find("end_header\n") + 11, row = 6 * 4 + 3 + 2 * 4;
    ASSERT_EQ(text.size() - body, 4u * row + 2 * (1 + 12));
    float found[2] = {};
    std::memcpy(found, text.data() + body + 3 * row - 8, 8);  // of the third vertex
    EXPECT_EQ(found[0], 3);
    EXPECT_EQ(found[1], -3);
    mesh.fields[1].values.pop_back();
    EXPECT_THROW(write_ply(folder / "b.ply", mesh), Error);
}

TEST(Meshes, ObjCountsFromOneAndGroupsLobes) {
    const test::TemporaryFolder folder;
    write_obj(folder / "a.obj", tetrahedron());
    const std::string text = text_of(folder / "a.obj");
    EXPECT_NE(text.find("v 0.529177 0.000000 0.000000\n"), std::string::npos);
    EXPECT_NE(text.find("g positive\nf 1//1 2//2 3//3\ng negative\nf 2//2 3//3 4//4\n"),
              std::string::npos)
        << text;
}

TEST(Meshes, IndicesBeyondTheVerticesAreRefusedAndNothingIsLeft) {
    const test::TemporaryFolder folder;
    Mesh mesh = tetrahedron();
    mesh.triangles[1][2] = 4;
    EXPECT_THROW(write_ply(folder / "a.ply", mesh), Error);
    EXPECT_THROW(write_obj(folder / "a.obj", mesh), Error);
    EXPECT_THROW(write_cube(folder / "none/a.cube", example()), Error);
    EXPECT_EQ(folder.count(), 0u);
}

}  // namespace
