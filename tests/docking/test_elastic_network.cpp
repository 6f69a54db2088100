#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/ensemble/elastic_network.hpp"
#include "docking/ensemble/mode_conformers.hpp"
#include "random_chain.hpp"

namespace tessera::docking {
namespace {

std::vector<Vec3> some_nodes(int count) {
    std::vector<Vec3> nodes;
    for (const io::AtomRecord& atom : testing::chain("A", count, {3, -2, 5}, 7).atoms)
        if (atom.name == "CA") nodes.push_back(atom.position);
    return nodes;
}

/// The energy of all springs, from the formula of Yang, Song & Jernigan (2009) with a cutoff.
double energy(const std::vector<Vec3>& rest, const std::vector<Vec3>& moved) {
    double sum = 0;
    for (std::size_t i = 0; i < rest.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double length = norm(rest[i] - rest[j]);
            if (length > 15) continue;
            const double stretch = norm(moved[i] - moved[j]) - length;
            sum += 0.5 * (3.8 / length) * (3.8 / length) * stretch * stretch;
        }
    return sum;
}

std::vector<double> times_hessian(const std::vector<Vec3>& nodes, const std::vector<double>& x) {
    std::vector<double> result;
    ElasticNetwork(nodes).multiply(x, 1, result);
    return result;
}

std::vector<double> flat(const std::vector<Vec3>& vectors) {
    std::vector<double> values;
    for (const Vec3& v : vectors) values.insert(values.end(), {v.x, v.y, v.z});
    return values;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

TEST(ElasticNetwork, EnergyOfASmallMotionIsItsQuadraticForm) {
    const std::vector<Vec3> nodes = some_nodes(24);
    const std::vector<Vec3> motion = some_nodes(48);  // the first 24: any vectors
    constexpr double step = 1e-5;
    std::vector<Vec3> moved = nodes, turn;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        turn.push_back(motion[47 - i]);
        moved[i] = nodes[i] + step * turn[i];
    }
    const std::vector<double> x = flat(turn);
    const double expected = 0.5 * product(x, times_hessian(nodes, x));
    EXPECT_NEAR(energy(nodes, moved) / (step * step), expected, 1e-3 * expected);
}

TEST(ElasticNetwork, SixRigidMotionsCostNoEnergy) {
    const std::vector<Vec3> nodes = some_nodes(30);
    const auto motions = rigid_motions(nodes);
    ASSERT_EQ(motions.size(), 6U);
    for (std::size_t a = 0; a < 6; ++a) {
        const auto image = times_hessian(nodes, motions[a]);
        EXPECT_LT(std::sqrt(product(image, image)), 1e-12 * ElasticNetwork(nodes).bound());
        for (std::size_t b = 0; b < 6; ++b)
            EXPECT_NEAR(product(motions[a], motions[b]), a == b ? 1 : 0, 1e-12);
    }
    EXPECT_EQ(rigid_motions({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}).size(), 5U);
}

TEST(ElasticNetwork, ModesAreEigenvectorsBesideTheRigidMotions) {
    const std::vector<Vec3> nodes = some_nodes(60);
    const auto modes = softest_modes(nodes, 5, "ligand");
    ASSERT_EQ(modes.size(), 5U);
    for (std::size_t a = 0; a < modes.size(); ++a) {
        const std::vector<double> x = flat(modes[a].displacements);
        const std::vector<double> image = times_hessian(nodes, x);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(image[i], modes[a].eigenvalue * x[i], 1e-9 * ElasticNetwork(nodes).bound());
        for (std::size_t b = 0; b < modes.size(); ++b)
            EXPECT_NEAR(product(x, flat(modes[b].displacements)), a == b ? 1 : 0, 1e-10);
        for (const auto& rigid : rigid_motions(nodes)) EXPECT_NEAR(product(x, rigid), 0, 1e-8);
        EXPECT_GE(modes[a].eigenvalue, modes[a == 0 ? 0 : a - 1].eigenvalue);
    }
}

/// Of equal springs between the corners of a regular tetrahedron, the eigenvalues are 1 (twice), 2
/// (three times) and 4 (once: all edges breathe) times the spring constant.
TEST(ElasticNetwork, ModesOfATetrahedronByHand) {
    const std::vector<Vec3> corners{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const double k = 3.8 * 3.8 / 8;  // the edges have the length sqrt(8)
    const auto modes = softest_modes(corners, 6, "ligand");
    const std::vector<double> expected{1, 1, 2, 2, 2, 4};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(modes[i].eigenvalue, expected[i] * k, 1e-9);
}

TEST(ElasticNetwork, LooseAndTinyNetworksAreRefused) {
    std::vector<Vec3> two_parts = some_nodes(20);
    for (const Vec3& node : some_nodes(20)) two_parts.push_back(node + Vec3{100, 0, 0});
    const auto refusal = [](const std::vector<Vec3>& nodes) -> std::string {
        try {
            softest_modes(nodes, 2, "ligand");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(refusal(two_parts).find("falls into parts"), std::string::npos);
    EXPECT_NE(refusal({{0, 0, 0}, {3, 0, 0}}).find("2 residues"), std::string::npos);
}

TEST(ModeConformers, LieAtTheAskedDistanceOnBothSides) {
    io::Structure structure = testing::chain("A", 40, {}, 3);
    for (std::size_t i = 0; i < structure.atoms.size(); ++i)
        structure.atoms[i].residue_index = static_cast<int>(i / 5);
    const PartnerConformers made = conformers_along_modes("ligand", structure, {}, 4, 1.25);
    ASSERT_EQ(made.count(), 4U);
    EXPECT_EQ(made.names[3], "mode 2 by +1.25 A");
    const auto rmsd = [&](std::size_t a, std::size_t b) {
        double squares = 0;
        for (std::size_t i = 1; i < structure.atoms.size(); i += 5)  // the C-alphas
            squares += distance_squared(made.positions[a][i], made.positions[b][i]);
        return std::sqrt(squares / 40);
    };
    for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(rmsd(0, i), 1.25, 1e-9);
    EXPECT_NEAR(rmsd(1, 2), 2.5, 1e-9);
    for (std::size_t i = 0; i < structure.atoms.size(); ++i) {  // residues are rigid bodies
        const std::size_t alpha = i / 5 * 5 + 1;
        EXPECT_NEAR(norm(made.positions[3][i] - made.positions[3][alpha]),
                    norm(structure.atoms[i].position - structure.atoms[alpha].position), 1e-9);
    }
}

TEST(ModeConformers, ResiduesLeftOutMoveWithTheNearestNode) {
    io::Structure structure = testing::chain("A", 30, {}, 3);
    for (std::size_t i = 0; i < structure.atoms.size(); ++i)
        structure.atoms[i].residue_index = static_cast<int>(i / 5);
    io::Structure docked = structure;
    docked.atoms.resize(25 * 5);
    const std::vector<int> left_out{25, 26, 27, 28, 29};
    const auto whole = conformers_along_modes("ligand", structure, left_out, 2, 1);
    const auto alone = conformers_along_modes("ligand", docked, {}, 2, 1);
    for (std::size_t i = 0; i < docked.atoms.size(); ++i)
        EXPECT_NEAR(norm(whole.positions[1][i] - alone.positions[1][i]), 0, 1e-9);
    for (std::size_t i = docked.atoms.size(); i + 1 < structure.atoms.size(); ++i) {
        const Vec3 before = structure.atoms[i].position - structure.atoms[i + 1].position;
        const Vec3 after = whole.positions[1][i] - whole.positions[1][i + 1];
        const bool together =
            structure.atoms[i].residue_index == structure.atoms[i + 1].residue_index;
        EXPECT_TRUE(!together || std::abs(norm(after) - norm(before)) < 1e-9);
    }
}

}  // namespace
}  // namespace tessera::docking
