#include <gtest/gtest.h>

#include "bench/c60_case.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "plan/loaded_orbitals.hpp"
#include "plan/orbital_plan.hpp"

namespace tessera::plan {
namespace {

using kernels::OrbitalProblem;
using kernels::ScreenedWork;

constexpr int all_boxes = 1 << 30;

OrbitalProblem c60(bool fine, int orbitals = 1) {
    OrbitalProblem problem = bench::Molecule(orbitals).fold();
    problem.grid = bench::paper_grid(fine);
    return problem;
}

TEST(ScreenedWork, WithoutScreeningEveryGroupIsLeftEverywhere) {
    OrbitalProblem problem = c60(false);
    problem.grid.shape = {33, 17, 9};  // 2 x 2 x 2 tiles of 32 x 16 x 8
    problem.tolerance = 0;
    double columns = 0;
    for (const kernels::PrimitiveGroup& group : problem.groups) columns += group.l + 1;
    const ScreenedWork work = kernels::screened_work(problem, all_boxes);
    EXPECT_EQ(work.tile_points, 8 * 4096);
    EXPECT_EQ(work.products, 8 * 4096 * columns);
}

TEST(ScreenedWork, ALooserToleranceLeavesLess) {
    OrbitalProblem problem = c60(false);
    const double strict = kernels::screened_work(problem, all_boxes).products;
    problem.tolerance = 1e-3;
    const double loose = kernels::screened_work(problem, all_boxes).products;
    EXPECT_LT(loose, 0.8 * strict);
    EXPECT_GT(loose, 0);
}

TEST(ScreenedWork, ASampleTellsTheWhole) {
    const OrbitalProblem problem = c60(true);
    const double all = kernels::screened_work(problem, all_boxes).products;
    const double some = kernels::screened_work(problem, 1024).products;
    EXPECT_NEAR(some / all, 1, 0.1);
}

/// docs/method/benchmarks.md: kernel times of C60 on one H200.
TEST(OrbitalModel, MeetsWhatAnH200Took) {
    const DeviceDescription gpu = require_known_gpu("H200");
    const ScreenedWork coarse = kernels::screened_work(c60(false), all_boxes);
    const ScreenedWork fine = kernels::screened_work(c60(true), all_boxes);
    EXPECT_NEAR(table_kernel_seconds(gpu, coarse, 1, false) / 0.083e-3, 1, 0.15);
    EXPECT_NEAR(table_kernel_seconds(gpu, coarse, 1, true) / 0.174e-3, 1, 0.15);
    EXPECT_NEAR(table_kernel_seconds(gpu, fine, 1, false) / 1.04e-3, 1, 0.15);
    const ScreenedWork many = kernels::screened_work(c60(false, 192), all_boxes);
    EXPECT_NEAR(192 * table_kernel_seconds(gpu, many, 96, false) / 6.51e-3, 1, 0.3);
}

TEST(OrbitalModel, ASlowerDeviceTakesLonger) {
    const ScreenedWork work = kernels::screened_work(c60(false), all_boxes);
    EXPECT_GT(table_kernel_seconds(require_known_gpu("A100"), work, 1, false),
              table_kernel_seconds(require_known_gpu("H200"), work, 1, false));
}

/// A crystal with all orbitals and its density.
TEST(CoefficientBytes, CountTheImagesOfACell) {
    orbitals::OrbitalInput input;
    input.paths = {TESSERA_SOURCE_DIR "/tests/orbitals/references/periodic/triclinic.molden.gz"};
    input.orbitals = "all";
    input.density = input.cell_grid = true;
    std::vector<std::string> messages;
    const auto crystal = orbitals::prepare(input, orbitals::read_frames(input, messages));
    const auto rows = loaded_orbitals(input, crystal);
    EXPECT_GT(rows.size(), crystal.selection.size());
    OrbitalProblem problem;
    problem.grid = crystal.grid;
    problem.tolerance = input.tolerance;
    orbitals::fold_orbitals(crystal.frames[0].wavefunction, rows, problem);
    const auto held =
        static_cast<double>(8 * rows.size() * problem.coefficients[0].size());  // by the problem
    const auto planned = static_cast<double>(coefficient_bytes(input, crystal));
    EXPECT_GT(planned, 2 * held);
    EXPECT_LT(planned, 4 * held + 300 * static_cast<double>(problem.groups.size()));

    input.orbitals.clear();
    input.density = false;
    input.combine = {"twice = 2*density"};
    auto combined = orbitals::prepare(input, orbitals::read_frames(input, messages));
    const auto with_images = coefficient_bytes(input, combined);
    EXPECT_GT(static_cast<double>(with_images), planned / 10);
    combined.frames[0].wavefunction.lattice.reset();  // a molecule
    EXPECT_LT(coefficient_bytes(input, combined), with_images / 10);
}

}  // namespace
}  // namespace tessera::plan
