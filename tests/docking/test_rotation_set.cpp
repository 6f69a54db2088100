#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/search/relax_rotations.hpp"
#include "docking/search/rotation_covering.hpp"
#include "docking/search/rotation_set.hpp"
#include "support/message_of.hpp"

namespace {

using tessera::Quaternion;
using tessera::docking::covering_probes;
using tessera::docking::measure_covering;
using tessera::docking::read_rotations;
using tessera::docking::relaxed_orbit_rotations;
using tessera::docking::RotationSet;

double overlap(const Quaternion& a, const Quaternion& b) {
    return std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
}

double angle_of_overlap(double overlap) {
    return 2 * std::acos(std::min(overlap, 1.0)) * 180 / std::acos(-1.0);
}

std::vector<Quaternion> all_rotations(const RotationSet& set) {
    std::vector<Quaternion> all;
    for (std::int64_t r = 0; r < set.size(); ++r) all.push_back(set[r]);
    return all;
}

double largest_overlap(const Quaternion& q, const std::vector<Quaternion>& all) {
    double best = 0;
    for (const Quaternion& other : all) best = std::max(best, overlap(q, other));
    return best;
}

/// Largest distance from normally distributed (so uniformly oriented) quaternions to the set,
/// every pair of them.
double probed_hole(const std::vector<Quaternion>& all, int probes) {
    std::mt19937 generator(17);
    std::normal_distribution<double> normal;
    double hole = 0;
    for (int i = 0; i < probes; ++i) {
        Quaternion q{normal(generator), normal(generator), normal(generator), normal(generator)};
        const double length = q.length();
        q = {q.w / length, q.x / length, q.y / length, q.z / length};
        hole = std::max(hole, angle_of_overlap(largest_overlap(q, all)));
    }
    return hole;
}

/// A file that goes away with the test.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& text) {
        const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
        path_ = (std::filesystem::temp_directory_path() /
                 ("tessera_rotations_" + test + std::to_string(std::random_device{}())))
                    .string();
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string message_of(const std::string& text) {
    const TemporaryFile file(text);
    const std::string message = tessera::test::message_of([&] { read_rotations(file.path()); });
    EXPECT_NE(message.find(file.path()), std::string::npos) << message;
    return message;
}

TEST(RotationSet, SizesAreWholeOrbits) {
    EXPECT_EQ(relaxed_orbit_rotations(3600).size(), 3600);
    EXPECT_EQ(relaxed_orbit_rotations(70000).size(), 70008);
    EXPECT_EQ(relaxed_orbit_rotations(24).size(), 24);
    EXPECT_EQ(relaxed_orbit_rotations(35).size(), 24);
    EXPECT_EQ(relaxed_orbit_rotations(36).size(), 48);
    EXPECT_THROW(relaxed_orbit_rotations(23), tessera::Error);
    EXPECT_THROW(relaxed_orbit_rotations(10'000'001), tessera::Error);
}

TEST(RotationSet, UnitNormAndCanonicalSign) {
    for (const std::int64_t rotations : {72, 3600, 70000}) {
        const RotationSet set = relaxed_orbit_rotations(rotations);
        for (const Quaternion& q : set.bases) {
            EXPECT_NEAR(q.length(), 1, 1e-14);
            EXPECT_GE(q.w, 0);
        }
    }
}

TEST(RotationSet, ClosedUnderTheCubeGroup) {
    const RotationSet set = relaxed_orbit_rotations(96);
    const std::vector<Quaternion> all = all_rotations(set);
    for (const auto& g : set.group)
        for (const Quaternion& q : all)
            ASSERT_NEAR(largest_overlap(g.quaternion() * q, all), 1, 1e-12);
}

TEST(RotationSet, NumberingIsMemberAfterBase) {
    const RotationSet set = relaxed_orbit_rotations(3600);
    const tessera::Vec3 v{0.3, -1.7, 2.2};
    const tessera::Vec3 whole = set[24 * 7 + 5].matrix() * v;
    const tessera::Vec3 parts = set.group[5].matrix() * (set.bases[7].matrix() * v);
    EXPECT_NEAR(norm(whole - parts), 0, 1e-12);
    EXPECT_NEAR(overlap(set[24 * 7], set.bases[7]), 1, 1e-14);  // member 0 is the identity
}

TEST(RotationSet, NoDuplicates) {
    const RotationSet set = relaxed_orbit_rotations(3600);
    const std::vector<Quaternion> all = all_rotations(set);
    for (std::size_t b = 0; b < set.bases.size(); ++b)
        for (std::size_t r = 0; r < all.size(); ++r)
            if (r != 24 * b) {
                ASSERT_GT(angle_of_overlap(overlap(set.bases[b], all[r])), 7) << b << " " << r;
            }
}

TEST(RotationSet, HolesOfTheShippedSets) {
    const RotationSet small = relaxed_orbit_rotations(3600);
    const double hole = probed_hole(all_rotations(small), 4'000);
    EXPECT_LT(hole, 12.8);  // a plain spiral of 3,600 has 14.06 degrees
    EXPECT_GT(hole, 10.0);  // 3,600 balls of 10 degrees cannot cover SO(3)
    const auto large =
        measure_covering(relaxed_orbit_rotations(70000).bases, covering_probes(50'000, 99));
    EXPECT_LT(large.largest_hole, 4.95);
    EXPECT_NEAR(large.mean, 2.81, 0.01);
}

TEST(RotationSet, MeasuredCoveringAgreesWithAllPairs) {
    const RotationSet set = relaxed_orbit_rotations(240);
    const auto covering = measure_covering(set.bases, covering_probes(5'000, 5));
    EXPECT_NEAR(covering.largest_hole, probed_hole(all_rotations(set), 5'000), 1.5);
}

TEST(RotationSet, GeneratedSetsBeatTheSpiralAndRepeat) {
    const RotationSet set = relaxed_orbit_rotations(240);
    const double spiral = probed_hole(tessera::docking::super_fibonacci_spiral(240), 4'000);
    EXPECT_LT(probed_hole(all_rotations(set), 4'000), spiral - 1);
    const RotationSet small = relaxed_orbit_rotations(72), again = relaxed_orbit_rotations(72);
    for (std::size_t b = 0; b < small.bases.size(); ++b) {
        EXPECT_EQ(small.bases[b].w, again.bases[b].w);
        EXPECT_EQ(small.bases[b].z, again.bases[b].z);
    }
}

TEST(SuperFibonacciSpiral, FirstPointsAreThoseOfTheFormula) {
    // n = 0 of 2: t = 1/4, d = pi, a = pi / sqrt 2 = 2.221441469, b = pi / psi = 2.048306...
    const auto spiral = tessera::docking::super_fibonacci_spiral(2);
    const double b = 3.14159265358979324 / 1.533751168755204288118041;
    EXPECT_NEAR(spiral[0].w, 0.5 * std::sin(2.22144146907918312), 1e-14);
    EXPECT_NEAR(spiral[0].x, 0.5 * std::cos(2.22144146907918312), 1e-14);
    EXPECT_NEAR(spiral[0].y, std::sqrt(0.75) * std::sin(b), 1e-14);
    EXPECT_NEAR(spiral[0].z, std::sqrt(0.75) * std::cos(b), 1e-14);
}

TEST(ReadRotations, QuaternionsAndMatricesGiveTheSameRotations) {
    // 90 degrees about z: (x, y, z) -> (-y, x, z).
    const TemporaryFile quaternions(
        "# two\n1 0 0 0\n\n0.70710678118654752, 0, 0, 0.70710678118654752 # z\n");
    const TemporaryFile matrices("1 0 0 0 1 0 0 0 1\r\n0 -1 0 1 0 0 0 0 +1\r\n");
    const TemporaryFile indexed("0 1 0 0 0 1 0 0 0 1\n1 0 -1 0 1 0 0 0 0 1.0e0\n");
    for (const TemporaryFile* file : {&quaternions, &matrices, &indexed}) {
        const RotationSet set = read_rotations(file->path());
        ASSERT_EQ(set.size(), 2);
        ASSERT_EQ(set.group.size(), 1u);
        EXPECT_NEAR(norm(set[0].matrix() * tessera::Vec3{1, 2, 3} - tessera::Vec3{1, 2, 3}), 0,
                    1e-14);
        EXPECT_NEAR(norm(set[1].matrix() * tessera::Vec3{1, 2, 3} - tessera::Vec3{-2, 1, 3}), 0,
                    1e-14);
    }
}

TEST(ReadRotations, SlightlyOffUnitLengthIsNormalized) {
    const TemporaryFile file("0.9995 0 0 0\n");
    EXPECT_DOUBLE_EQ(read_rotations(file.path())[0].w, 1);
}

TEST(ReadRotations, BadLinesAreNamed) {
    EXPECT_NE(message_of("1 0 0 0\n0.99 0 0 0\n").find(":2:"), std::string::npos);
    EXPECT_NE(message_of("1 0 0\n").find(":1:"), std::string::npos);
    EXPECT_NE(message_of("1 0 0 0\n\n1 0 0 0 1 0 0 0 1\n").find(":3:"), std::string::npos);
    EXPECT_NE(message_of("nan 0 0 1\n").find("not a finite number"), std::string::npos);
    EXPECT_NE(message_of("1 0 0 inf\n").find("not a finite number"), std::string::npos);
    EXPECT_NE(message_of("1 0 0 0x\n").find("0x"), std::string::npos);
    EXPECT_NE(message_of("1 0 0 0 1 0 0 0 0.9\n").find("orthonormal"), std::string::npos);
    EXPECT_NE(message_of("1 0 0 0 1 0 0 0 -1\n").find("reflection"), std::string::npos);
    EXPECT_NE(message_of("").find("is empty"), std::string::npos);
    EXPECT_NE(message_of("# nothing\n").find("no rotations"), std::string::npos);
    EXPECT_THROW(read_rotations("no/such/file"), tessera::Error);
}

}  // namespace
