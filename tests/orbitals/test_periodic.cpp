// Periodic systems: which images are added, the box of a cell, norms over a cell, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/error.hpp"
#include "folded_value.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "orbitals/basis/hermite_density.hpp"
#include "orbitals/basis/periodic_images.hpp"
#include "orbitals/tiles/cell_edges.hpp"
#include "orbitals/tiles/grid.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "small_frames.hpp"
#include "support/message_of.hpp"
#include "support/test_device.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;
using tessera::test::expect_part;
using tessera::test::message_of;

const Lattice skewed{{Vec3{5.4, 0, 0}, Vec3{1.3, 5.1, 0}, Vec3{-0.9, 1.7, 5.7}}};

std::string reference(const std::string& name) {
    return TESSERA_SOURCE_DIR "/tests/orbitals/references/periodic/" + name;
}

/// The molecule at all points that the lattice makes of one, far enough for exponents from 0.45 on.
double brute_force(const io::Wavefunction& molecule, int orbital, Vec3 r) {
    kernels::OrbitalProblem problem;
    fold_orbitals(molecule, {orbital}, problem);
    double sum = 0;
    for (int i = -4; i <= 4; ++i)
        for (int j = -4; j <= 4; ++j)
            for (int k = -4; k <= 4; ++k)
                sum += test::folded_value(problem, 0, r - skewed.sum(i, j, k));
    return sum;
}

TEST(Periodic, TheSizeIsKnownBeforehand) {
    io::Wavefunction frame = test::two_atoms(false);
    for (const int derivatives : {0, 2}) {
        kernels::OrbitalProblem molecule;
        molecule.grid = {{-2, -1, 0.5}, {0.5, 0.5, 0.5}, {9, 7, 5}};
        molecule.derivatives = derivatives;
        kernels::OrbitalProblem periodic = molecule;
        frame.lattice.reset();
        fold_orbitals(frame, {0, 3}, molecule);
        frame.lattice = skewed;
        fold_orbitals(frame, {0, 3}, periodic);
        const ProblemSize size = size_with_images(skewed, molecule);
        EXPECT_EQ(size.groups, periodic.groups.size());
        EXPECT_EQ(size.coefficients, periodic.coefficients[0].size());
        EXPECT_GT(size.coefficients, 20 * molecule.coefficients[0].size());
    }
}

TEST(Periodic, WhatIsLeftOutIsAHundredthOfTheTolerance) {
    const io::Wavefunction molecule = test::two_atoms(true);
    io::Wavefunction frame = molecule;
    frame.lattice = skewed;
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(0, 1);
    double largest = 0;
    for (const double tolerance : {1e-2, 1e-5, 0.0}) {
        kernels::OrbitalProblem problem;
        problem.grid = {{-2, -1, 0.5}, {0.5, 0.5, 0.5}, {9, 7, 5}};
        problem.tolerance = tolerance;
        fold_orbitals(frame, {0, 3}, problem);
        EXPECT_EQ(problem.tolerance, 0.99 * tolerance);
        double worst = 0;
        for (int n = 0; n < 40; ++n) {
            const Vec3 r{-2 + 4 * uniform(random), -1 + 3 * uniform(random),
                         0.5 + 2 * uniform(random)};
            for (const int o : {0, 1})
                worst = std::max(worst, std::abs(test::folded_value(problem, o, r) -
                                                 brute_force(molecule, 3 * o, r)));
        }
        EXPECT_LE(worst, 0.01 * tolerance + 2e-14) << tolerance;
        largest = std::max(largest, worst);
    }
    EXPECT_GT(largest, 1e-12) << "nothing was left out at all";
}

TEST(Periodic, DerivativesNeedMoreImages) {
    io::Wavefunction frame = test::two_atoms(false);
    frame.lattice = skewed;
    std::size_t before = 0;
    for (const int derivatives : {0, 1, 2}) {
        kernels::OrbitalProblem problem;
        problem.grid = {{0, 0, 0}, {1, 1, 1}, {5, 5, 5}};
        problem.derivatives = derivatives;
        fold_orbitals(frame, {0}, problem);
        EXPECT_GT(problem.groups.size(), before);
        before = problem.groups.size();
    }
}

TEST(Periodic, OrbitalsAreOrthonormalOverACell) {
    for (const char* name : {"orthorhombic.molden.gz", "triclinic.molden.gz", "triclinic.trexio"}) {
        const io::Wavefunction frame = io::read_wavefunctions(reference(name)).at(0);
        ASSERT_TRUE(frame.lattice);
        const std::vector<double> s = overlap_matrix(frame);
        const auto n = static_cast<std::size_t>(frame.basis_functions());
        for (std::size_t a = 0; a < frame.orbitals.size(); ++a)
            for (std::size_t b = 0; b <= a; ++b) {
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < n; ++j)
                        sum += frame.orbitals[a].coefficients[i] * s[i * n + j] *
                               frame.orbitals[b].coefficients[j];
                EXPECT_NEAR(sum, a == b ? 1 : 0, 1e-10) << name << " " << a << " " << b;
            }
    }
}

TEST(Periodic, NormsOverAGridOfACellAreOne) {
    for (const char* name : {"orthorhombic.molden.gz", "triclinic.molden.gz"}) {
        OrbitalInput input;
        input.paths = {reference(name)};
        input.cell_grid = true;
        input.orbitals = "all";
        input.spacing = 0.35 * Vec3{1, 1, 1};
        input.origin = Vec3{0.7, -3.1, 1.9};
        std::vector<std::string> messages;
        const PreparedOrbitals prepared = prepare(input, read_frames(input, messages));
        const UniformGrid& grid = prepared.grid;
        EXPECT_LE(grid.spacing.x, 0.35);
        EXPECT_NEAR(static_cast<double>(grid.size()) * grid.spacing.x * grid.spacing.y *
                        grid.spacing.z,
                    prepared.frames[0].wavefunction.lattice->volume(), 1e-9);
        kernels::OrbitalProblem problem;
        problem.grid = grid;
        fold_orbitals(prepared.frames[0].wavefunction, {0, 1, 2, 3, 4}, problem);
        const auto evaluator = kernels::make_orbital_evaluator(test_device().backend);
        evaluator->load(problem);
        std::vector<int> rows(5);
        std::iota(rows.begin(), rows.end(), 0);
        for (const auto& sum : evaluator->evaluate({{0, 0, 0}, grid.shape}, rows, nullptr))
            EXPECT_NEAR(sum.result() * grid.spacing.x * grid.spacing.y * grid.spacing.z, 1, 1e-4)
                << name;
    }
}

TEST(Periodic, ABoxAlongTheAxesHoldsACell) {
    const auto edges = [](Vec3 a, Vec3 b, Vec3 c) {
        const Lattice lattice{{a, b, c}};
        const auto box = box_of_cell(lattice);
        if (!box) return Vec3{};
        EXPECT_NEAR(box->x * box->y * box->z, lattice.volume(), 1e-9);
        return *box;
    };
    const auto expect = [](Vec3 found, Vec3 expected) {
        EXPECT_NEAR(norm(found - expected), 0, 1e-9) << found.x << " " << found.y << " " << found.z;
    };
    expect(edges({4, 0, 0}, {0, 5, 0}, {0, 0, 6}), {4, 5, 6});
    expect(edges(skewed.vectors[0], skewed.vectors[1], skewed.vectors[2]), {5.4, 5.1, 5.7});
    expect(edges({0, 2, 2}, {2, 0, 2}, {2, 2, 0}), {4, 2, 2});        // face-centred
    expect(edges({-2, 2, 2}, {2, -2, 2}, {2, 2, -2}), {4, 4, 2});     // body-centred
    expect(edges({0, 0, 5}, {0, 4, 1.3}, {3, 0.7, 0.2}), {3, 4, 5});  // along z first
    const double s = std::sqrt(0.75);
    expect(edges({3, 0, 0}, {-1.5, 3 * s, 0}, {0, 0, 7}), {3, 3 * s, 7});
    expect(edges({3, 0.1, 0.2}, {0.3, 4, 0.1}, {0.5, 0.2, 5}), {});  // turned
}

TEST(Periodic, GridsOfACellNeedOne) {
    io::Wavefunction frame = test::two_atoms(true), other = frame;
    OrbitalInput input;
    input.cell_grid = true;
    expect_part(message_of([&] { make_grid(input, {&frame}); }), "has no cell");
    frame.lattice = skewed;
    other.lattice = Lattice{{Vec3{6, 0, 0}, Vec3{0, 6, 0}, Vec3{0, 0, 6}}};
    expect_part(message_of([&] { make_grid(input, {&frame, &other}); }), "has another cell");
    other.lattice = Lattice{{Vec3{6, 1, 1}, Vec3{-1, 6, 1.1}, Vec3{0.7, 0.3, 6}}};
    expect_part(message_of([&] { make_grid(input, {&other}); }), "turn the system");
}

TEST(Periodic, ManyImagesAndPotentialsAreRefused) {
    io::Wavefunction frame = test::one_shell(0, false, {1e-7}, {1});
    frame.lattice = Lattice{{Vec3{2, 0, 0}, Vec3{0, 2, 0}, Vec3{0, 0, 2}}};
    kernels::OrbitalProblem problem;
    expect_part(message_of([&] { fold_orbitals(frame, {0}, problem); }), "too many functions");
    expect_part(message_of([&] { overlap_matrix(frame); }), "too many functions");
    frame.shells[0].exponents = {1};
    expect_part(message_of([&] { potential_problem(frame, {2}, 1e-6); }), "--isolated");
    io::isolate(frame);
    EXPECT_EQ(potential_problem(frame, {2}, 1e-6).charges.size(), 1u);
}

}  // namespace
