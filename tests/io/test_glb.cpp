#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/scenes/atoms_and_bonds.hpp"
#include "io/scenes/glb_writer.hpp"
#include "io/scenes/shapes.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tessera;
using namespace tessera::io;
using Json = nlohmann::json;

constexpr float bohr = 0.529177210903f;

std::uint32_t word(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
}

struct Glb {
    Json text;
    std::string bytes;
};

Glb read_glb(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(all.substr(0, 4), "glTF");
    EXPECT_EQ(word(all, 4), 2u);
    EXPECT_EQ(word(all, 8), all.size());
    const std::uint32_t length = word(all, 12);
    EXPECT_EQ(length % 4, 0u);
    EXPECT_EQ(all.substr(16, 4), "JSON");
    EXPECT_EQ(word(all, 20 + length), all.size() - 28 - length);
    EXPECT_EQ(all.substr(24 + length, 4), std::string("BIN\0", 4));
    return {Json::parse(all.substr(20, length)), all.substr(28 + length)};
}

/// The numbers of an accessor.
template <class T>
std::vector<T> numbers(const Glb& glb, std::size_t accessor) {
    const Json& array = glb.text["accessors"][accessor];
    const Json& view = glb.text["bufferViews"][array["bufferView"].get<std::size_t>()];
    std::vector<T> values(array["count"].get<std::size_t>() * (array["type"] == "VEC3" ? 3 : 1));
    EXPECT_EQ(view["byteLength"], values.size() * sizeof(T));
    std::memcpy(values.data(), glb.bytes.data() + view["byteOffset"].get<std::size_t>(),
                values.size() * sizeof(T));
    return values;
}

std::vector<Nucleus> water() {
    return {
        {"O", 8, {0, 0, 0.2217}}, {"H", 1, {0, 1.4309, -0.8867}}, {"H", 1, {0, -1.4309, -0.8867}}};
}

/// A tetrahedron at x = 0 and another at x = 5.
Mesh lobes() {
    Mesh mesh;
    for (const float x : {0.0f, 5.0f}) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}});
        mesh.normals.insert(mesh.normals.end(), {{-2, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}});
        for (const auto& [a, b, c] : {std::array{0u, 2u, 1u}, std::array{0u, 1u, 3u},
                                      std::array{0u, 3u, 2u}, std::array{1u, 2u, 3u}})
            mesh.triangles.push_back({first + a, first + b, first + c});
    }
    mesh.positive_triangles = 4;
    return mesh;
}

Scene scene_of(std::size_t frames, const Mesh& mesh = lobes()) {
    return {"tessera orbital, HOMO", "HOMO", frames, [mesh](std::size_t i) -> SceneFrame {
                return {"frame " + std::to_string(i + 1), water(), mesh};
            }};
}

/// A closed surface has each edge once in both directions. Returns its volume, positive if the
/// triangles are counter-clockwise from outside.
double volume_of(const Mesh& mesh, bool closed) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    double volume = 0;
    for (const auto& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
        const auto &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                  a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        if (closed) {
            EXPECT_TRUE(edges.contains({edge.second, edge.first}));
        }
    }
    return volume / 6;
}

TEST(Shapes, ABallAndARodAsSeenFromOutside) {
    EXPECT_NEAR(volume_of(ball(), true), 4.0 / 3 * M_PI, 0.12);
    for (const auto& n : ball().normals) EXPECT_NEAR(std::hypot(n[0], n[1], n[2]), 1, 1e-6);
    EXPECT_EQ(ball().normals.size(), ball().vertices.size());
    // The side alone has two thirds of the volume; the lid at 1 has the rest.
    EXPECT_NEAR(volume_of(rod(), false), 2.0 / 3 * M_PI, 0.05);
    for (std::size_t i = 0; i < rod().vertices.size(); ++i)
        EXPECT_EQ(rod().normals[i][0], rod().vertices[i][0]);
}

TEST(Bonds, ByCovalentRadiiAndNoneOfGhosts) {
    std::vector<Nucleus> atoms = water();
    using Bonds = std::vector<std::pair<std::size_t, std::size_t>>;
    EXPECT_EQ(bonds_of(atoms), (Bonds{{0, 1}, {0, 2}}));
    atoms[1].charge = 0;
    EXPECT_EQ(bonds_of(atoms), (Bonds{{0, 2}}));
    atoms[2].position = {0, -1.4309 * 1.5, -0.8867 * 1.5};
    EXPECT_TRUE(bonds_of(atoms).empty());
}

TEST(Glb, LobesAtomsAndBondsShareTheirNumbers) {
    const test::TemporaryFolder folder;
    write_glb(folder / "a.glb", scene_of(1));
    EXPECT_TRUE(is_glb_export(folder / "a.glb"));
    const Glb glb = read_glb(folder / "a.glb");
    EXPECT_FALSE(glb.text.contains("animations"));
    EXPECT_EQ(glb.text["nodes"].size(), 1u + 3 + 4 + 1);  // surface, atoms, half bonds, frame
    EXPECT_EQ(glb.text["meshes"].size(), 1u + 2 + 2);
    EXPECT_EQ(glb.text["materials"].size(), 2u + 2);
    EXPECT_EQ(glb.text["buffers"][0]["byteLength"], glb.bytes.size());
    const Json& surface = glb.text["meshes"][0]["primitives"];
    ASSERT_EQ(surface.size(), 2u);
    EXPECT_EQ(numbers<std::uint32_t>(glb, surface[1]["indices"])[0], 4u);
    const auto places = numbers<float>(glb, surface[0]["attributes"]["POSITION"]);
    EXPECT_EQ(places[3], bohr);
    EXPECT_EQ(glb.text["accessors"][0]["max"], (std::vector<float>{6 * bohr, bohr, bohr}));
    EXPECT_EQ(glb.text["accessors"][0]["min"], (std::vector<float>{0, 0, 0}));
    const auto normals = numbers<float>(glb, surface[0]["attributes"]["NORMAL"]);
    for (std::size_t i = 0; i < normals.size(); i += 3)
        EXPECT_FLOAT_EQ(std::hypot(normals[i], normals[i + 1], normals[i + 2]), 1);
    EXPECT_EQ(glb.text["meshes"][1]["primitives"][0]["attributes"],
              glb.text["meshes"][2]["primitives"][0]["attributes"]);
}

TEST(Glb, VerticesHaveTheirValuesAndLinearColors) {
    const test::TemporaryFolder folder;
    Scene scene = scene_of(1);
    VertexColors colors;
    for (int i = 0; i < 8; ++i) {
        colors.values.push_back(0.01f * static_cast<float>(i) - 0.02f);
        colors.colors.push_back({1, 0.5f, 0.04f});
    }
    scene.frame = [&](std::size_t) -> SceneFrame { return {"frame", water(), lobes(), colors}; };
    write_glb(folder / "a.glb", scene);
    const Glb glb = read_glb(folder / "a.glb");
    const Json& surface = glb.text["meshes"][0]["primitives"];
    ASSERT_EQ(surface.size(), 1u) << "both lobes have one material";
    EXPECT_EQ(numbers<std::uint32_t>(glb, surface[0]["indices"]).size(), 24u);
    const Json& attributes = surface[0]["attributes"];
    EXPECT_EQ(numbers<float>(glb, attributes["_VALUE"]), colors.values);
    const Json& accessor = glb.text["accessors"][attributes["_VALUE"].get<std::size_t>()];
    EXPECT_EQ(accessor["type"], "SCALAR");
    EXPECT_FLOAT_EQ(accessor["max"][0].get<float>(), 0.05f);
    const auto shown = numbers<float>(glb, attributes["COLOR_0"]);
    ASSERT_EQ(shown.size(), 24u);
    // IEC 61966-2-1: 0.5 on the screen is 21.4 % of the light, and below 0.04045 it is linear.
    EXPECT_FLOAT_EQ(shown[0], 1);
    EXPECT_NEAR(shown[1], 0.21404, 1e-5);
    EXPECT_NEAR(shown[2], 0.04 / 12.92, 1e-7);
    const Json& material = glb.text["materials"][surface[0]["material"].get<std::size_t>()];
    EXPECT_EQ(material["pbrMetallicRoughness"]["baseColorFactor"],
              (std::vector<double>{1, 1, 1, 1}));
    colors.values.pop_back();
    EXPECT_THROW(write_glb(folder / "b.glb", scene), Error);
}

TEST(Glb, AHalfBondPointsFromItsAtomToTheOther) {
    const test::TemporaryFolder folder;
    for (const Vec3 way :
         {Vec3{0, 0, 1.8}, Vec3{0, 0, -1.8}, Vec3{1, -1, 0.5}, Vec3{1e-5, 0, -1.8}}) {
        Scene scene = scene_of(1);
        scene.frame = [&](std::size_t) -> SceneFrame {
            return {"frame", {{"O", 8, {0, 0, 0}}, {"H", 1, way}}, {}};
        };
        write_glb(folder / "a.glb", scene);
        const Glb glb = read_glb(folder / "a.glb");
        const Json& node = glb.text["nodes"][2];
        EXPECT_EQ(node["name"], "O-H");
        const auto q = node["rotation"].get<std::vector<double>>();
        const Vec3 turned = Quaternion{q[3], q[0], q[1], q[2]}.matrix() * Vec3{0, 0, 1};
        EXPECT_NEAR(norm(turned - 1 / norm(way) * way), 0, 5e-6);
        EXPECT_NEAR(node["scale"][2].get<double>(), norm(way) / 2 * bohr, 1e-6);
    }
}

TEST(Glb, OneFrameIsShownAfterTheOther) {
    const test::TemporaryFolder folder;
    write_glb(folder / "a.glb", scene_of(3));
    const Glb glb = read_glb(folder / "a.glb");
    const Json& animation = glb.text["animations"][0];
    const auto frames = glb.text["scenes"][0]["nodes"].get<std::vector<std::size_t>>();
    ASSERT_EQ(animation["channels"].size(), 3u);
    for (int step = 0; step < 6; ++step) {  // twice within each frame
        const double now = seconds_of_frame * (step / 2.0 + 0.1);
        for (std::size_t i = 0; i < 3; ++i) {
            const Json& channel = animation["channels"][i];
            EXPECT_EQ(channel["target"]["node"], frames[i]);
            const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
            EXPECT_EQ(sampler["interpolation"], "STEP");
            const auto times = numbers<float>(glb, sampler["input"]);
            const auto scales = numbers<float>(glb, sampler["output"]);
            ASSERT_EQ(scales.size(), 3 * times.size());
            std::size_t key = 0;
            while (key + 1 < times.size() && times[key + 1] <= now) ++key;
            EXPECT_EQ(scales[3 * key], step / 2 == static_cast<int>(i) ? 1.0f : 0.0f) << step;
        }
    }
    EXPECT_FALSE(glb.text["nodes"][frames[0]].contains("scale"));
    EXPECT_EQ(glb.text["nodes"][frames[1]]["scale"], (std::vector<int>{0, 0, 0}));
}

TEST(Glb, WithoutAnythingToShow) {
    const test::TemporaryFolder folder;
    Scene scene = scene_of(1, {});
    scene.frame = [](std::size_t) -> SceneFrame { return {"frame", {{"X", 0, {}}}, {}}; };
    write_glb(folder / "a.glb", scene);
    std::ifstream file(folder / "a.glb", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(word(all, 8), all.size());
    const Json text = Json::parse(all.substr(20));
    EXPECT_FALSE(text.contains("meshes"));
    EXPECT_FALSE(text["nodes"][0].contains("children"));
}

TEST(Glb, DamagedSurfacesAreRefusedAndNothingIsLeft) {
    const test::TemporaryFolder folder;
    Mesh mesh = lobes();
    mesh.triangles[1][2] = 8;
    EXPECT_THROW(write_glb(folder / "a.glb", scene_of(2, mesh)), Error);
    mesh = lobes();
    mesh.positive_triangles = 9;
    EXPECT_THROW(write_glb(folder / "a.glb", scene_of(2, mesh)), Error);
    EXPECT_EQ(folder.count(), 0u);
    std::ofstream(folder / "a.glb") << "glTF of another program";
    EXPECT_FALSE(is_glb_export(folder / "a.glb"));
}

}  // namespace
