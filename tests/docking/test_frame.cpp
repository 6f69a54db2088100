#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "docking/model/energy.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"
#include "support/message_of.hpp"
#include "synthetic_molecules.hpp"

namespace tessera::docking {
namespace {

using testing::random_molecule;

Molecule molecule_at(std::vector<Vec3> positions) {
    Molecule molecule;
    molecule.positions = std::move(positions);
    return molecule;
}

std::string message_of(const Molecule& receptor, const Molecule& ligand, double spacing, int grid) {
    return test::message_of([&] { make_frame(receptor, ligand, spacing, grid); });
}

TEST(Frame, ReceptorBoxCentreAndGridByHand) {
    const Molecule receptor = molecule_at({{10, 0, -5}, {50, 12, 5}, {20, 30, 0}});
    const Molecule ligand = molecule_at({{-3, 1, 1}, {17, 1, 1}});
    const DockingFrame frame = make_frame(receptor, ligand, 1.0, 0);
    EXPECT_EQ(frame.receptor_center.x, 30);
    EXPECT_EQ(frame.receptor_center.y, 15);
    EXPECT_EQ(frame.receptor_center.z, 0);
    EXPECT_EQ(frame.receptor_extent, 40);
    EXPECT_NEAR(frame.ligand_radius, 10, 0.1);
    EXPECT_NEAR(frame.ligand_center.x, 7, 0.1);
    // 40 + 20 + 13 = 73 A and a little for the sphere.
    EXPECT_EQ(frame.n, kernels::good_fft_size(74));
    EXPECT_EQ(make_frame(receptor, ligand, 1.5, 0).n, kernels::good_fft_size(49));
    EXPECT_EQ(make_frame(receptor, ligand, 0.75, 0).n, kernels::good_fft_size(98));
    EXPECT_EQ(make_frame(receptor, ligand, 1.0, 96).n, 96);
}

/// No pose may let the ligand touch two images of the receptor.
TEST(Frame, GridKeepsImagesApart) {
    for (unsigned seed = 1; seed < 20; ++seed) {
        const Molecule receptor = random_molecule(80, 8 + seed, {30, -20, 5}, seed);
        const Molecule ligand = random_molecule(50, 3 + 0.5 * seed, {0, 90, 1}, 100 + seed);
        const double spacing = 0.7 + 0.1 * seed;
        const DockingFrame frame = make_frame(receptor, ligand, spacing, 0);
        EXPECT_GE(frame.n * spacing, frame.receptor_extent + 2 * frame.ligand_radius + 13 - 1e-9);
        int rest = frame.n / 2;
        EXPECT_EQ(frame.n % 2, 0);
        for (int factor : {2, 3, 5, 7})
            while (rest % factor == 0) rest /= factor;
        EXPECT_EQ(rest, 1);
    }
}

TEST(Frame, SphereHoldsEveryAtomAndIsNearlySmallest) {
    for (unsigned seed = 1; seed < 20; ++seed) {
        const Molecule ligand = random_molecule(60, 20, {5, 5, 5}, seed);
        const DockingFrame frame = make_frame(ligand, ligand, 1.0, 0);
        double farthest = 0, widest = 0;
        for (const Vec3& a : ligand.positions) {
            farthest = std::max(farthest, norm(a - frame.ligand_center));
            for (const Vec3& b : ligand.positions) widest = std::max(widest, norm(a - b));
        }
        EXPECT_LE(farthest, frame.ligand_radius + 1e-9);
        EXPECT_GE(frame.ligand_radius, widest / 2 - 1e-9);  // no smaller sphere can hold it
        // Jung's theorem: the smallest sphere has at most sqrt(3/8) of the diameter as radius.
        EXPECT_LE(frame.ligand_radius, 1.02 * std::sqrt(3.0 / 8) * widest);
    }
}

TEST(Frame, SphereOfARegularTetrahedron) {
    const Molecule ligand = molecule_at({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
    const DockingFrame frame = make_frame(ligand, ligand, 1.0, 0);
    EXPECT_NEAR(frame.ligand_radius, std::sqrt(3.0), 0.01);
    EXPECT_NEAR(norm(frame.ligand_center), 0, 0.02);
}

TEST(Frame, OneAtomIsEnough) {
    const DockingFrame frame = make_frame(molecule_at({{3, 4, 5}}), molecule_at({{0, 0, 0}}), 1, 0);
    EXPECT_EQ(frame.n, kernels::good_fft_size(13));
    EXPECT_EQ(frame.ligand_radius, 0);
}

TEST(Frame, TooSmallGridNamesTheSizeNeeded) {
    const Molecule receptor = molecule_at({{0, 0, 0}, {40, 0, 0}});
    const Molecule ligand = molecule_at({{0, 0, 0}, {19, 0, 0}});  // 72 A in all and a little
    EXPECT_NE(message_of(receptor, ligand, 1.0, 64)
                  .find(std::to_string(kernels::good_fft_size(73)) + " or more"),
              std::string::npos);
}

TEST(Frame, TooLargeMoleculesAreNamedWithTheirSizes) {
    const Molecule receptor = molecule_at({{0, 0, 0}, {1500, 0, 0}});
    const Molecule ligand = molecule_at({{0, 0, 0}, {10, 0, 0}});
    const std::string message = message_of(receptor, ligand, 1.0, 0);
    EXPECT_NE(message.find("receptor 1500 A long"), std::string::npos) << message;
    EXPECT_NE(message.find("ligand 10 A across"), std::string::npos) << message;
    EXPECT_NO_THROW(make_frame(receptor, ligand, 2.0, 0));
    // no overflow on the way
    EXPECT_NE(message_of(molecule_at({{-9e4, 0, 0}, {9e4, 0, 0}}), ligand, 0.2, 0), "no error");
}

}  // namespace
}  // namespace tessera::docking
