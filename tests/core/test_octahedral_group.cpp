#include "core/octahedral_group.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using tessera::Matrix3;
using tessera::octahedral_group;
using tessera::Quaternion;
using tessera::quaternion_of;
using tessera::SignedPermutation;

using Key = std::array<int, 9>;

/// Images of the three axes: tells elements apart, independently of how they are stored.
Key key(const SignedPermutation& g) {
    const auto x = g({1, 0, 0}), y = g({0, 1, 0}), z = g({0, 0, 1});
    return {x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]};
}

double determinant(const Matrix3& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

TEST(OctahedralGroup, Has24DistinctProperRotationsIdentityFirst) {
    std::set<Key> keys;
    for (const SignedPermutation& g : octahedral_group()) {
        keys.insert(key(g));
        EXPECT_EQ(determinant(g.matrix()), 1);
    }
    EXPECT_EQ(keys.size(), 24u);
    EXPECT_EQ(key(octahedral_group()[0]), (Key{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(OctahedralGroup, IsClosed) {
    std::set<Key> keys;
    for (const auto& g : octahedral_group()) keys.insert(key(g));
    for (const auto& g : octahedral_group())
        for (const auto& h : octahedral_group()) {
            Key product;
            for (int axis = 0; axis < 3; ++axis) {
                std::array<int, 3> unit{0, 0, 0};
                unit[static_cast<std::size_t>(axis)] = 1;
                const auto image = g(h(unit));
                for (int i = 0; i < 3; ++i)
                    product[static_cast<std::size_t>(3 * axis + i)] =
                        image[static_cast<std::size_t>(i)];
            }
            EXPECT_TRUE(keys.contains(product));
        }
}

TEST(OctahedralGroup, InverseUndoes) {
    const std::array<int, 3> v{2, -3, 7};
    for (const auto& g : octahedral_group()) {
        EXPECT_EQ(g.inverse()(g(v)), v);
        EXPECT_EQ(g(g.inverse()(v)), v);
    }
}

TEST(OctahedralGroup, MatrixAndQuaternionDoTheSameRotation) {
    const std::array<int, 3> v{2, -3, 7};
    for (const auto& g : octahedral_group()) {
        const auto image = g(v);
        const Quaternion q = g.quaternion();
        EXPECT_NEAR(q.length(), 1, 1e-15);
        for (const Matrix3& m : {g.matrix(), q.matrix()}) {
            const tessera::Vec3 turned = m * tessera::Vec3{2, -3, 7};
            EXPECT_NEAR(turned.x, image[0], 1e-14);
            EXPECT_NEAR(turned.y, image[1], 1e-14);
            EXPECT_NEAR(turned.z, image[2], 1e-14);
        }
    }
}

TEST(QuaternionOf, RecoversGeneralRotations) {
    // Each of the four largest components leads once.
    for (const Quaternion& raw : {Quaternion{4, 1, -2, 3}, Quaternion{1, -5, 2, 3},
                                  Quaternion{-1, 2, 6, -3}, Quaternion{2, 1, 3, -7}}) {
        const double length = raw.length();
        const Quaternion q{raw.w / length, raw.x / length, raw.y / length, raw.z / length};
        const Quaternion r = quaternion_of(q.matrix());
        const double overlap = q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z;
        EXPECT_NEAR(std::abs(overlap), 1, 1e-14);  // q and -q are one rotation
    }
}

TEST(Quaternion, ComposesAsMatricesDo) {
    // 90 degrees about z, then 90 degrees about x, worked by hand: x -> y -> z.
    const double half = std::sqrt(0.5);
    const Quaternion about_z{half, 0, 0, half}, about_x{half, half, 0, 0};
    const tessera::Vec3 image = (about_x * about_z).matrix() * tessera::Vec3{1, 0, 0};
    EXPECT_NEAR(image.x, 0, 1e-15);
    EXPECT_NEAR(image.y, 0, 1e-15);
    EXPECT_NEAR(image.z, 1, 1e-15);
}

}  // namespace
