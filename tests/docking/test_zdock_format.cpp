#include "docking/result/zdock_format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "synthetic_result.hpp"

namespace tessera::docking {
namespace {

using testing::synthetic_result;

/// Rz(psi) Rx(theta) Rz(phi), element by element as readers of the format have it.
Matrix3 euler_matrix(double psi, double theta, double phi) {
    const double cp = std::cos(psi), sp = std::sin(psi), ct = std::cos(theta), st = std::sin(theta),
                 cf = std::cos(phi), sf = std::sin(phi);
    return {{{cp * cf - sp * sf * ct, -cp * sf - sp * cf * ct, sp * st},
             {sp * cf + cp * sf * ct, -sp * sf + cp * cf * ct, -cp * st},
             {st * sf, st * cf, ct}}};
}

double largest_difference(const Matrix3& a, const Matrix3& b) {
    double largest = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
    return largest;
}

TEST(ZdockFormat, AnglesGiveTheMatrixBack) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-M_PI, M_PI);
    for (int i = 0; i < 2000; ++i) {
        // Every tenth without tilt, every tenth upside down, every tenth nearly so.
        double theta = std::abs(uniform(random));
        if (i % 10 == 0) theta = 0;
        if (i % 10 == 1) theta = M_PI;
        if (i % 10 == 2) theta = 1e-7;
        if (i % 10 == 3) theta = M_PI - 1e-7;
        const Matrix3 matrix = euler_matrix(uniform(random), theta, uniform(random));
        const auto angles = zxz_angles(matrix);
        EXPECT_LT(largest_difference(matrix, euler_matrix(angles[0], angles[1], angles[2])), 1e-9)
            << "theta " << theta;
    }
}

TEST(ZdockFormat, AnglesOfQuaternionsWithAndWithoutTilt) {
    for (const Quaternion& q : synthetic_result().rotations) {
        const auto angles = zxz_angles(q.matrix());
        EXPECT_LT(largest_difference(q.matrix(), euler_matrix(angles[0], angles[1], angles[2])),
                  1e-9);
    }
}

std::vector<std::string> written(const DockResult& result, const ChosenList& list) {
    const test::TemporaryFolder folder;
    write_zdock(folder / "out.zdock", result, list, "my receptor.pdb", "lig.pdb");
    EXPECT_EQ(folder.count(), 1U);
    EXPECT_TRUE(is_zdock_export(folder / "out.zdock"));

    std::ifstream in(folder / "out.zdock");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    return fields;
}

TEST(ZdockFormat, FourHeaderLines) {
    const DockResult result = synthetic_result();
    const auto lines = written(result, ChosenList(result, 0));
    ASSERT_EQ(lines.size(), 4 + result.lists[0].poses.size());
    EXPECT_EQ(lines[0], "48\t1.2");
    EXPECT_EQ(lines[1], "0.000000\t0.000000\t0.000000");
    EXPECT_EQ(lines[2], "my receptor.pdb\t12.345\t-6.789\t100.001");
    EXPECT_EQ(lines[3], "lig.pdb\t-40.250\t3.500\t9.125");
    const DockResult finer = synthetic_result(48, 1.25);
    EXPECT_EQ(written(finer, ChosenList(finer, 0))[0], "48\t1.25");
}

TEST(ZdockFormat, PathsOfAResultAddNoLinesAndNoFields) {
    const DockResult result = synthetic_result();
    const test::TemporaryFolder folder;
    write_zdock(folder / "out", result, ChosenList(result, 0), "rec.pdb\n9\t9", "lig\t1.pdb");
    std::ifstream in(folder / "out");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 4 + result.lists[0].poses.size());
    EXPECT_EQ(lines[2], "rec.pdb\\x0a9\\x099\t12.345\t-6.789\t100.001");
    EXPECT_EQ(fields_of(lines[3]).size(), 4U);
}

/// x' = R (x - c_lig) - s T + c_rec, T the grid triple with n taken off from n/2 on: atoms land
/// where R(q) (x - c_lig) + translation puts them, up to `digits` and whole periods `box`.
void expect_poses_back(const DockResult& result, const ChosenList& list, double digits) {
    const auto lines = written(result, list);
    const auto head = fields_of(lines[0]);
    const int n = std::stoi(head[0]);
    const double s = std::stod(head[1]), box = n * s;
    ASSERT_EQ(lines.size(), 4 + list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto f = fields_of(lines[4 + i]);
        ASSERT_EQ(f.size(), 7U);
        const Matrix3 rotation = euler_matrix(std::stod(f[0]), std::stod(f[1]), std::stod(f[2]));
        double step[3];
        for (int d = 0; d < 3; ++d) {
            const int t = std::stoi(f[3 + d]);
            ASSERT_GE(t, 0);
            ASSERT_LT(t, n);
            step[d] = t >= n / 2 ? t - n : t;
        }
        EXPECT_NEAR(std::stod(f[6]), -list.score(i), 5.1e-4);
        const kernels::RigidPose pose = list.placement(i);
        for (const Vec3& offset : {Vec3{0, 0, 0}, Vec3{25, -10, 3}, Vec3{0, 30, 30}}) {
            const Vec3 theirs = rotation * offset - s * Vec3{step[0], step[1], step[2]} +
                                result.frame.receptor_center;
            const Vec3 ours = pose.rotation.matrix() * offset + pose.translation;
            for (const double d : {theirs.x - ours.x, theirs.y - ours.y, theirs.z - ours.z})
                EXPECT_NEAR(list.voxel(i) ? std::remainder(d, box) : d, 0, digits) << "pose " << i;
        }
    }
}

TEST(ZdockFormat, PosesReadBackAreThePosesOfTheResult) {
    const DockResult result = synthetic_result();
    expect_poses_back(result, ChosenList(result, 1), 2e-4);
}

TEST(ZdockFormat, RefinedPosesReadBackOnAFinerGrid) {
    DockResult result = synthetic_result();
    result.consensus.emplace();
    for (int i = 0; i < 30; ++i) {
        ConsensusPose pose;
        pose.score = -5 + 0.1 * i;
        // The last poses lie beyond the edge of the search's grid, at 28.8 A.
        pose.pose = {result.rotations[i],
                     result.frame.receptor_center + Vec3{0.017 * i, -1.0137 * i, 1.5 - 1.003 * i}};
        result.consensus->poses.push_back(pose);
    }
    expect_poses_back(result, ChosenList(result, std::nullopt), 0.0061);
}

TEST(ZdockFormat, PlacesThatCannotBeWrittenAreAnErrorAndLeaveNothing) {
    const DockResult result = synthetic_result();
    const test::TemporaryFolder folder;
    EXPECT_THROW(write_zdock(folder / "no/such/file", result, ChosenList(result, 0), "r", "l"),
                 Error);
    EXPECT_THROW(write_zdock(folder.path().string(), result, ChosenList(result, 0), "r", "l"),
                 Error);
    EXPECT_EQ(folder.count(), 0U);
}

}  // namespace
}  // namespace tessera::docking
