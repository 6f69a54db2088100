#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "io/pictures/camera.hpp"
#include "io/pictures/color_bar.hpp"
#include "io/pictures/png_writer.hpp"
#include "io/pictures/renderer.hpp"
#include "io/scenes/atoms_and_bonds.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tessera;
using namespace tessera::io;

constexpr int side = 120;  // pixels

/// Along the axes of the file, 10 pixels a bohr, the origin in the middle.
Camera plain_camera() {
    return {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, 10, side / 2.0, side / 2.0};
}

Picture picture_of(const std::vector<Nucleus>& nuclei, const Mesh& mesh, float opacity = 1,
                   bool transparent = true, std::vector<float> values = {}) {
    return render(draw({nuclei, mesh, std::move(values)}, plain_camera(), samples_of_side, opacity),
                  side, side, transparent);
}

/// A square of 2 h x 2 h bohr around (x, y) at height z, cut into n x n squares of two triangles.
void add_square(Mesh& mesh, double x, double y, double z, double h, std::uint32_t n) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::uint32_t j = 0; j <= n; ++j)
        for (std::uint32_t i = 0; i <= n; ++i) {
            mesh.vertices.push_back({static_cast<float>(x - h + 2 * h * i / n),
                                     static_cast<float>(y - h + 2 * h * j / n),
                                     static_cast<float>(z)});
            mesh.normals.push_back({0, 0, 1});
        }
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = first + j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
        }
}

/// Sum of opacities in pixels, and their mean place.
struct Silhouette {
    double area = 0, x = 0, y = 0;
};
Silhouette silhouette_of(Picture picture) {
    Silhouette s;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const double share = picture.at(x, y)[3] / 255.0;
            s.area += share;
            s.x += share * (x + 0.5);
            s.y += share * (y + 0.5);
        }
    s.x /= s.area;
    s.y /= s.area;
    return s;
}

bool is_blue(const Pixel& p) { return p[2] > p[0] + 60; }
bool is_red(const Pixel& p) { return p[0] > p[2] + 60; }

TEST(Pictures, ABallIsADiscAtItsPlace) {
    for (const int charge : {1, 6, 92}) {
        const Silhouette s = silhouette_of(picture_of({{"X", charge, {2, -1, 3}}}, {}));
        const double radius = 10 * drawn_atom_radius(charge) / 0.529177210903;
        EXPECT_NEAR(s.area, M_PI * radius * radius, 0.01 * M_PI * radius * radius);
        EXPECT_NEAR(s.x, 60 + 20, 0.05);
        EXPECT_NEAR(s.y, 60 + 10, 0.05);  // rows go downwards
    }
}

TEST(Pictures, ABondIsARodOfTwoColors) {
    const std::vector<Nucleus> pair{{"O", 8, {-0.9, 0.3, 0.2}}, {"C", 6, {0.9, -0.3, -0.2}}};
    Picture picture = picture_of(pair, {});
    EXPECT_EQ(picture.at(60, 60)[3], 255);
    EXPECT_TRUE(is_red(picture.at(57, 59)));  // the oxygen's half
    EXPECT_FALSE(is_red(picture.at(63, 61)));
    // The rod alone is as wide as its diameter, here along the column through the middle.
    double wide = 0;
    for (int y = 0; y < side; ++y) wide += picture.at(60, y)[3] / 255.0;
    const double diameter = 2 * 10 * drawn_bond_radius / 0.529177210903;
    EXPECT_NEAR(wide, diameter / std::cos(std::atan(1.0 / 3)), 0.2);
}

TEST(Pictures, ARodEndsInTheMiddleAndIsRound) {
    const std::vector<Nucleus> pair{{"O", 8, {-0.95, 0, 0}}, {"C", 6, {0.95, 0, 0}}};
    Picture picture = picture_of(pair, {});
    EXPECT_TRUE(is_red(picture.at(59, 60)));
    EXPECT_FALSE(is_red(picture.at(60, 60)));
    const double radius = drawn_bond_radius / 0.529177210903;  // bohr
    for (const double height : {0.8 * radius, 1.2 * radius}) {
        Mesh mesh;
        add_square(mesh, 0, 0, height, 4, 1);
        mesh.positive_triangles = 2;
        EXPECT_EQ(is_blue(picture_of(pair, mesh).at(61, 60)), height > radius);
    }
}

TEST(Pictures, LightComesFromTheUpperLeft) {
    Picture picture = picture_of({{"H", 1, {0, 0, 0}}}, {});
    const int r = static_cast<int>(10 * drawn_atom_radius(1) / 0.529177210903 * 0.8);
    EXPECT_GT(picture.at(60, 60 - r)[0], picture.at(60, 60 + r)[0] + 20);
    EXPECT_GT(picture.at(60 - r, 60)[0], picture.at(60 + r, 60)[0]);
}

TEST(Pictures, TheNearerThingHidesTheOther) {
    const std::vector<Nucleus> column{{"O", 8, {0, 0, -3}}, {"C", 6, {0, 0, 3}}};
    EXPECT_FALSE(is_red(picture_of(column, {}).at(60, 60)));
    EXPECT_TRUE(is_red(picture_of({{"O", 8, {0, 0, 3}}, {"C", 6, {0, 0, -3}}}, {}).at(60, 60)));
    Mesh mesh;
    add_square(mesh, 0, 0, 1, 3, 1);
    mesh.positive_triangles = 2;
    add_square(mesh, 0, 0, -1, 3, 1);  // the negative lobe, farther away
    EXPECT_TRUE(is_blue(picture_of({}, mesh).at(60, 60)));
    for (auto& vertex : mesh.vertices) vertex[2] = -vertex[2];
    EXPECT_TRUE(is_red(picture_of({}, mesh).at(60, 60)));
    EXPECT_TRUE(is_red(picture_of(column, mesh, 0.9f).at(60, 80)));
}

TEST(Pictures, TrianglesThatShareEdgesLeaveNoSeams) {
    for (const std::uint32_t n : {1u, 7u, 23u, 64u}) {
        Mesh mesh;
        add_square(mesh, 0.0137, 0.0071, 0, 4, n);
        mesh.positive_triangles = mesh.triangles.size();
        Picture picture = picture_of({}, mesh, 0.5f);
        for (int y = 22; y < 98; ++y)
            for (int x = 22; x < 98; ++x) ASSERT_EQ(picture.at(x, y)[3], 128) << n << " " << x;
        EXPECT_NEAR(silhouette_of(picture).area, 80 * 80 * 128 / 255.0, 30);
    }
}

TEST(Pictures, LayersCoverEachOther) {
    Mesh mesh;
    add_square(mesh, 0, 0, 0, 4, 3);
    mesh.positive_triangles = mesh.triangles.size();
    const Pixel blue = picture_of({}, mesh, 0.6f).at(60, 60);
    EXPECT_EQ(blue[3], 153);  // seen from in front the opacity is as given
    add_square(mesh, 0, 0, 2, 4, 3);
    const Pixel both = picture_of({}, mesh, 0.6f).at(60, 60);
    EXPECT_EQ(both[3], 214);  // 1 - 0.4^2
    mesh.positive_triangles = 0;
    const Pixel red = picture_of({}, mesh, 0.6f).at(60, 60);
    mesh.positive_triangles = 18;  // blue behind red
    const Pixel mixed = picture_of({}, mesh, 0.6f).at(60, 60);
    for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(mixed[c] * 0.84, 0.6 * red[c] + 0.4 * 0.6 * blue[c], 1.5) << c;
    const Pixel on_white = picture_of({}, mesh, 0.6f, false).at(60, 60);
    for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(on_white[c], 0.84 * mixed[c] + 0.16 * 255, 1.5) << c;
    EXPECT_EQ(on_white[3], 255);
    EXPECT_EQ(picture_of({}, mesh, 0.6f, false).at(0, 0), (Pixel{255, 255, 255, 255}));
}

TEST(Pictures, ATiltedSkinIsDenser) {
    Mesh mesh;
    add_square(mesh, 0, 0, 0, 4, 1);
    mesh.positive_triangles = 2;
    for (auto& normal : mesh.normals) normal = {0.866025f, 0, 0.5f};
    EXPECT_EQ(picture_of({}, mesh, 0.5f).at(60, 60)[3], 191);  // 1 - 0.5^2
}

TEST(Pictures, ValuesHaveTheirColors) {
    Mesh mesh;
    add_square(mesh, 0, 0, 0, 5, 1);
    mesh.positive_triangles = 2;
    Picture picture = picture_of({}, mesh, 1, true, {-1, 1, -1, 1});  // from left to right
    EXPECT_TRUE(is_red(picture.at(12, 60)));
    EXPECT_TRUE(is_blue(picture.at(107, 60)));
    const Pixel middle = picture.at(60, 60);
    EXPECT_NEAR(middle[0], middle[2], 4);
    EXPECT_GT(picture.at(50, 60)[0], picture.at(50, 60)[2]);
}

TEST(Camera, AFlatMoleculeLiesInThePicture) {
    // A flat L, turned somehow.
    const Matrix3 turn = Quaternion{0.5, 0.1, -0.7, std::sqrt(0.25)}.matrix();
    std::vector<Nucleus> nuclei;
    for (const Vec3 p :
         {Vec3{-4, 0, 0}, {-2, 0, 0}, {0, 0, 0}, {2, 0, 0}, {3, 0.7, 0}, {3, 1.9, 0}})
        nuclei.push_back({"C", 6, turn * p});
    const Matrix3 front = camera_axes(front_view, nuclei);
    const Matrix3 edge = camera_axes(edge_view, nuclei), end = camera_axes(end_view, nuclei);
    const auto extent = [&](const Matrix3& axes) {
        PictureBox box;
        for (const Nucleus& nucleus : nuclei) box.add(axes * nucleus.position, 0);
        return box.high - box.low;
    };
    EXPECT_NEAR(extent(front).z, 0, 1e-9);
    EXPECT_GT(extent(front).x, 6.5);  // the longest axis to the right
    EXPECT_NEAR(extent(edge).y, 0, 1e-9);
    EXPECT_NEAR(extent(edge).x, extent(front).x, 1e-9);
    EXPECT_NEAR(extent(end).y, 0, 1e-9);
    EXPECT_LT(extent(end).x, 2.5);
    for (const Matrix3& axes : {front, edge, end, camera_axes(tilted_view, nuclei)}) {
        const Vec3 x{axes[0][0], axes[0][1], axes[0][2]}, y{axes[1][0], axes[1][1], axes[1][2]},
            z{axes[2][0], axes[2][1], axes[2][2]};
        EXPECT_NEAR(dot(x, y), 0, 1e-12);
        EXPECT_NEAR(dot(x, z), 0, 1e-12);
        EXPECT_NEAR(x.y * y.z - x.z * y.y, z.x, 1e-12);  // right-handed
        EXPECT_NEAR(x.z * y.x - x.x * y.z, z.y, 1e-12);
    }
}

TEST(Camera, PrincipalAxesAreEigenvectorsWhateverTheOrderOfAtoms) {
    std::vector<Nucleus> nuclei;
    for (int i = 0; i < 9; ++i)
        nuclei.push_back(
            {"C", 6, {std::sin(3.0 * i), std::cos(5.0 * i + 1), 2 * std::sin(7.0 * i)}});
    const Matrix3 axes = principal_axes(nuclei);
    Vec3 mean;
    for (const Nucleus& n : nuclei) mean = mean + 1.0 / 9 * n.position;
    double products[3][3] = {};
    for (const Nucleus& n : nuclei) {
        const Vec3 p = axes * (n.position - mean);
        const double x[] = {p.x, p.y, p.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) products[i][j] += x[i] * x[j];
    }
    EXPECT_NEAR(products[0][1], 0, 1e-12);
    EXPECT_NEAR(products[0][2], 0, 1e-12);
    EXPECT_NEAR(products[1][2], 0, 1e-12);
    EXPECT_GT(products[0][0], products[1][1]);
    EXPECT_GT(products[1][1], products[2][2]);
    std::reverse(nuclei.begin(), nuclei.end());
    const Matrix3 again = principal_axes(nuclei);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(again[i][j], axes[i][j], 1e-9);
}

TEST(Camera, TheWholeBoxIsSeen) {
    PictureBox box;
    box.add({-3, 5, 0}, 1);
    box.add({9, 7, 2}, 0.5);
    const Camera camera = camera_for(plain_camera().axes, box, 400, 300);
    const Vec3 left = camera.place({-4, 6, 0}), right = camera.place({9.5, 6, 0});
    EXPECT_NEAR(left.x, 16, 1e-9);  // 4 % of the width
    EXPECT_NEAR(right.x, 384, 1e-9);
    EXPECT_NEAR(camera.place({0, 5.75, 0}).y, 150, 1e-9);
    EXPECT_LT(camera.place({0, 7, 0}).y, 150);
    box.add({1e308, 0, 0}, 0);
    box.add({-1e308, 0, 0}, 0);
    EXPECT_THROW(camera_for(plain_camera().axes, box, 400, 300), Error);
}

TEST(ColorBar, RangesHaveTwoDigits) {
    EXPECT_DOUBLE_EQ(color_range(-0.01, 0.0512).high, 0.052);
    EXPECT_DOUBLE_EQ(color_range(-0.01, 0.0512).low, -0.052);
    EXPECT_DOUBLE_EQ(color_range(-1712, 3).high, 1800);
    EXPECT_DOUBLE_EQ(color_range(0.5, 0.25).low, 0);
    EXPECT_DOUBLE_EQ(color_range(0, 0.05).high, 0.05);
    EXPECT_DOUBLE_EQ(color_range(0, 0).high, 1);
}

TEST(ColorBar, NumbersStandBesideItAndAreNotCut) {
    for (const double high : {0.05, 3.4e-7, 123400.0}) {
        Picture picture{400, 240, std::vector<Pixel>(400 * 240, Pixel{255, 255, 255, 255})};
        draw_color_bar(picture, {-high, high});
        int ink = 0;
        for (int y = 0; y < 240; ++y) {
            for (int x = 350; x < 390; ++x) ink += picture.at(x, y)[0] < 128;
            for (int x = 0; x < 330; ++x) ASSERT_EQ(picture.at(x, y)[0], 255);
            for (int x = 393; x < 400; ++x) ASSERT_EQ(picture.at(x, y)[0], 255) << high;
        }
        EXPECT_GT(ink, 30);
        EXPECT_TRUE(is_blue(picture.at(342, 65)));
        EXPECT_TRUE(is_red(picture.at(342, 175)));
        EXPECT_GT(picture.at(342, 120)[0], 250);
        EXPECT_GT(picture.at(342, 120)[2], 250);
    }
}

TEST(Png, OfThisProgramAlone) {
    const test::TemporaryFolder folder;
    const Picture picture{2, 1, {{1, 2, 3, 255}, {200, 100, 0, 255}}};
    write_png(folder / "a.png", picture, "tessera orbital, HOMO");
    EXPECT_TRUE(is_png_export(folder / "a.png"));
    EXPECT_FALSE(is_png_export(folder / "none.png"));
    EXPECT_THROW(write_png(folder / "none/a.png", picture, ""), Error);
    EXPECT_EQ(folder.count(), 1u);
}

}  // namespace
