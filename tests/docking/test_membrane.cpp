// Membranes: the options, the rotations, and which poses are allowed, against sums over all atoms.
#include "docking/model/membrane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "core/units.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/dock_summary.hpp"
#include "docking/search/restraint_filter.hpp"
#include "docking/setup/call_options.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "docking/synthetic_molecules.hpp"
#include "docking/synthetic_result.hpp"
#include "io/temporary_folder.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"
#include "support/test_device.hpp"

namespace tessera::docking {
namespace {

using kernels::RigidPose;

MembraneOptions options_of(const std::string& slab, const std::string& ligand = "") {
    MembraneOptions options;
    options.slab = slab;
    options.ligand_slab = ligand;
    return options;
}

TEST(Membrane, ReadsSlabsAndNormals) {
    MembraneOptions options = options_of("-14.5, 15");
    options.axis = "0,3,-4";
    const Membrane membrane = parse_membrane(options, false);
    EXPECT_EQ(membrane.slab.low, -14.5);
    EXPECT_EQ(membrane.slab.high, 15);
    EXPECT_NEAR(membrane.slab.normal.y, 0.6, 1e-15);
    EXPECT_NEAR(membrane.slab.normal.z, -0.8, 1e-15);
    EXPECT_FALSE(membrane.ligand);
    EXPECT_TRUE(std::isinf(parse_membrane(options_of("-15,inf"), false).slab.high));
    EXPECT_NE(membrane.describe().find("-14.5 to 15 A"), std::string::npos);
}

void expect_refused(const MembraneOptions& options, bool of_ring, const std::string& text) {
    try {
        parse_membrane(options, of_ring);
        FAIL() << text;
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find(text), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
}

TEST(Membrane, RefusesWhatItCannotUse) {
    for (const char* wrong :
         {"15", "15,-15", "3,3", "a,b", "-15,15,3", "nan,2", "-15,", ",15", "-15;15", "-15,15 A"})
        expect_refused(options_of(wrong), false, "is not a slab");
    expect_refused(options_of("-15,15", "15,-15"), false, "--membrane-ligand '15,-15'");
    expect_refused(options_of("-inf,inf"), false, "leaves no place for a pose");
    MembraneOptions options = options_of("-15,15");
    for (const char* wrong : {"0,0,0", "z", "0,1", "inf,0,0"}) {
        options.axis = wrong;
        expect_refused(options, false, "is not a direction");
    }
    expect_refused(options_of("-2,2"), false, "leaves no membrane");
    expect_refused(options_of("-15,inf"), true, "two bounds");
    expect_refused(options_of("-15,inf", "-15,15"), false, "two bounds");
    expect_refused(options_of("-15,15", "-inf,15"), false, "two bounds");
    const auto with = [](MembraneOptions changed, auto member, auto value) {
        changed.*member = value;
        return changed;
    };
    using O = MembraneOptions;
    expect_refused(with(options_of("-15,15"), &O::tilt, 30.0), false, "--membrane-tilt is given");
    expect_refused(with(options_of("-15,15"), &O::shift, 3.0), false, "--membrane-shift is given");
    expect_refused(with(options_of("-15,15"), &O::shift, 3.0), true, "--symmetry");
    expect_refused(options_of("-15,15", "-15,15"), true, "--symmetry");
    expect_refused(with(options_of("-15,15", "-15,15"), &O::tolerance, 3.0), false,
                   "--membrane-ligand");
    expect_refused(with(options_of("-15,15", "-15,15"), &O::tilt, 95.0), false, "out of range");
    expect_refused(with(options_of("-15,15"), &O::tolerance, -1.0), false, "out of range");
    EXPECT_NO_THROW(require_membrane({}));
    EXPECT_NO_THROW(require_membrane(options_of("-15,15")));
    EXPECT_THROW(require_membrane(options_of("", "-15,15")), Error);
    EXPECT_THROW(require_membrane(with(options_of(""), &O::axis, "1,0,0")), Error);
}

TEST(Membrane, InputIsReadBackAndOtherInputsKeepTheirText) {
    DockInput input;
    EXPECT_EQ(to_json(input).find("membrane"), std::string::npos);
    input.membrane = options_of("-15,inf");
    input.membrane.axis = "1,0,0";
    input.membrane.tolerance = 1.5;
    EXPECT_EQ(input_from_json(to_json(input), "run.h5").membrane, input.membrane);
    EXPECT_EQ(
        input_of_options(R"({"membrane": "-15,15", "membrane_tolerance": 3})").membrane.tolerance,
        3);
    EXPECT_THROW(input_of_options(R"({"membrane": "15"})"), Error);
}

/// The angle between two directions.
double angle(Vec3 a, Vec3 b) { return std::acos(dot(a, b) / norm(a) / norm(b)) / units::degree; }

TEST(Membrane, OnlyUprightRotationsOfMembraneProteinsAreSearched) {
    DockInput input;
    input.rotations = 3600;
    const RotationSet all = choose_rotations(input);
    input.membrane = options_of("-15,15");
    EXPECT_EQ(choose_rotations(input).size(), all.size());
    input.membrane = options_of("-15,15", "10,40");
    input.membrane.axis = "2,-1,2";
    input.membrane.ligand_axis = "-1,0.5,3";
    input.membrane.tilt = 35;
    const RotationSet kept = choose_rotations(input);
    std::int64_t next = 0;
    for (std::int64_t r = 0; r < all.size(); ++r) {
        if (angle(all[r].matrix() * Vec3{-1, 0.5, 3}, {2, -1, 2}) > 35) continue;
        ASSERT_LT(next, kept.size());
        EXPECT_NEAR(std::abs(kept[next].w), std::abs(all[r].w), 1e-15);
        ++next;
    }
    EXPECT_EQ(next, kept.size());
    EXPECT_GT(next, 20);
    input.membrane.tilt = 0.1;
    EXPECT_THROW(choose_rotations(input), Error);
}

TEST(Membrane, AxesOfRingsStandAlongTheNormal) {
    DockInput input;
    input.symmetry = {3, 2000};
    input.membrane = options_of("-15,15");
    input.membrane.axis = "1,2,2";
    const RotationSet kept = choose_rotations(input);
    // The cap's share of the half sphere.
    EXPECT_NEAR(static_cast<double>(kept.size()) / 2000, 1 - std::cos(20 * units::degree), 0.003);
    for (std::int64_t r = 0; r < kept.size(); ++r) {
        const double tilt = angle(kernels::axis_of(kept[r]), {1, 2, 2});
        EXPECT_LE(std::min(tilt, 180 - tilt), 20);
    }
}

/// Random places of a ligand about a receptor.
std::vector<RigidPose> random_poses(int count, Vec3 center, double reach) {
    std::mt19937 random(8);
    std::normal_distribution<double> normal;
    std::vector<RigidPose> poses;
    for (int i = 0; i < count; ++i) {
        const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const double l = q.length();
        const Vec3 shift{reach * normal(random), reach * normal(random), reach * normal(random)};
        poses.push_back({{q.w / l, q.x / l, q.y / l, q.z / l}, center + shift});
    }
    return poses;
}

const DockingFrame frame{
    .receptor_center = {5, -3, 2}, .ligand_center = {1, 2, 3}, .spacing = 1.5, .n = 48};

TEST(Membrane, SolubleLigandsKeepOutAsAllTheirAtomsSay) {
    const Molecule ligand = testing::random_molecule(60, 9, frame.ligand_center, 3);
    MembraneOptions options = options_of("-6,11");
    options.axis = "2,-1,2";
    const MembraneFilter filter(parse_membrane(options, false), ligand.positions, frame);
    int allowed = 0, above = 0;
    for (const RigidPose& pose : random_poses(2000, frame.receptor_center, 15)) {
        int inside = 0, over = 0;
        for (const Vec3& atom : ligand.positions) {
            const Vec3 at =
                pose.rotation.matrix() * (atom - frame.ligand_center) + pose.translation;
            const double height = (2 * at.x - at.y + 2 * at.z) / 3;
            inside += height > -6 + 2 && height < 11 - 2 ? 1 : 0;
            over += height > 2.5 ? 1 : 0;
        }
        const bool wanted = inside == 0 && (over == 0 || over == 60);
        ASSERT_EQ(filter.allows(pose), wanted);
        allowed += wanted ? 1 : 0;
        above += wanted && over > 0 ? 1 : 0;
    }
    EXPECT_GT(above, 50);
    EXPECT_GT(allowed - above, 50);
    EXPECT_LT(allowed, 1500);
}

TEST(Membrane, MembraneProteinsShareTheirMembrane) {
    const Vec3 normal{0.6, 0, 0.8}, own{0, 0.6, -0.8};
    MembraneOptions options = options_of("-10,16", "-16,10");
    options.axis = "3,0,4";
    options.ligand_axis = "0,3,-4";
    options.tilt = 60;
    options.shift = 8;
    const MembraneFilter filter(parse_membrane(options, false), {}, frame);
    int allowed = 0;
    for (const RigidPose& pose : random_poses(3000, frame.receptor_center, 6)) {
        // The foot of the ligand's centre on its middle plane, own . x = -3.
        const Vec3 foot = frame.ligand_center + (-3 - dot(own, frame.ligand_center)) * own;
        const Matrix3 turn = pose.rotation.matrix();
        const Vec3 at = turn * (foot - frame.ligand_center) + pose.translation;
        const bool wanted = angle(turn * own, normal) <= 60 && std::abs(dot(normal, at) - 3) <= 8;
        ASSERT_EQ(filter.allows(pose), wanted);
        allowed += wanted ? 1 : 0;
    }
    EXPECT_GT(allowed, 50);
}

/// What the search finds, the filter of refined poses allows, and the other way round.
void expect_search_obeys(const MembraneOptions& options, bool inside) {
    const Molecule receptor = testing::random_molecule(80, 9, {5, -3, 2}, 4);
    const Molecule ligand = testing::random_molecule(40, 6, {1, 2, 3}, 5);
    DockInput input;
    input.membrane = options;
    input.rotations = inside ? 3600 : 24;
    const DockingFrame placed = make_frame(receptor, ligand, 2, 0);
    const RotationSet rotations = choose_rotations(input);
    kernels::CorrelationProblem problem =
        make_problem({receptor,
                      ligand,
                      placed,
                      input.energy,
                      atomic_contact_energies(),
                      parse_coefficient_sets("balanced", default_pair_potential),
                      {},
                      {}});
    problem.group = rotations.group;
    problem.exclusion = 2;
    const MembraneFilter filter(parse_membrane(options, false), ligand.positions, placed);
    const auto run = [&] {
        return kernels::make_correlation_search(test_device().backend, problem, 1 << 30)
            ->run(rotations.bases, 0);
    };
    const auto free = run();
    problem.heights = filter.rule();
    const auto found = run();
    ASSERT_FALSE(found.empty());
    for (const kernels::PoseRecord& record : found)
        EXPECT_TRUE(filter.allows(placement_of(record, rotations, placed)));
    // A free pose that is allowed is found again if it was the best of its rotation.
    int again = 0, out = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
        if (!filter.allows(placement_of(free[i], rotations, placed))) {
            ++out;
            continue;
        }
        if (i > 0 && free[i - 1].rotation == free[i].rotation) continue;
        again += std::ranges::any_of(found, [&](const kernels::PoseRecord& pose) {
            return pose.rotation == free[i].rotation && pose.voxel == free[i].voxel;
        });
    }
    EXPECT_GT(again, 0);
    EXPECT_GT(out, 0);
}

TEST(Membrane, TheSearchObeysIt) {
    MembraneOptions soluble = options_of("-6,4");
    soluble.axis = "1,-2,2";
    expect_search_obeys(soluble, false);
    MembraneOptions both = options_of("-12,14", "-12,12");
    both.axis = "1,-2,2";
    both.tilt = 20;
    expect_search_obeys(both, true);
}

TEST(Membrane, ComesBackFromResults) {
    const test::TemporaryFolder folder;
    for (const MembraneOptions& options : {options_of("-15,inf"), options_of("-14,16", "3,30")}) {
        DockResult result = testing::synthetic_result();
        result.membrane = parse_membrane(options, false);
        auto file = io::h5::File::create(folder / "out.h5");
        write_dock_result(file.root(), result);
        file.close();
        const auto read = io::h5::File::open(folder / "out.h5");
        EXPECT_EQ(read_dock_summary(read.root()).membrane->describe(), result.membrane->describe());
        EXPECT_EQ(read_dock_result(read.root()).membrane->describe(), result.membrane->describe());
    }
    auto broken = io::h5::File::create(folder / "broken.h5");
    DockResult result = testing::synthetic_result();
    result.membrane = parse_membrane(options_of("-15,15"), false);
    result.membrane->slab.normal = {0, 0, 2};
    write_dock_result(broken.root(), result);
    EXPECT_THROW(read_dock_summary(broken.root()), Error);
}

}  // namespace
}  // namespace tessera::docking
