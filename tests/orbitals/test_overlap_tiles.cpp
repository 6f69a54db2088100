// Overlaps on a grid, tile by tile, against the analytic ones of the same orbitals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "orbitals/basis/overlap.hpp"
#include "orbitals/tiles/workload.hpp"
#include "small_frames.hpp"
#include "support/test_device.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;

/// The five orbitals of a frame four times, so that some tiles have rows and columns of their own.
PreparedOrbitals prepared_of(const io::Wavefunction& frame) {
    PreparedOrbitals result;
    result.frames.push_back({frame, 1, {}});
    for (int item = 0; item < 20; ++item) {
        result.frames[0].items.push_back({item % 5, item < 5 ? -1 : 1});
        result.selection.emplace_back();
    }
    const double h = 0.2;
    result.grid = {{-7, -7, -8}, {h, h, h}, {76, 75, 77}};
    result.tiles = cut_tiles({1, 20, false, false, false, false, result.grid.shape, true});
    // A batch is larger than this selection.
    OrbitalWork across = result.tiles.back();
    across.count = 12;
    across.other_first = 12;
    across.other_count = 8;
    result.tiles.push_back(across);
    return result;
}

/// C^T S C between two items.
double analytic(const PreparedOrbitals& prepared, const std::vector<double>& s, int row,
                int column) {
    const OrbitalFrame& frame = prepared.frames[0];
    const TrackedOrbital& i = frame.items[static_cast<std::size_t>(row)];
    const TrackedOrbital& j = frame.items[static_cast<std::size_t>(column)];
    const auto& a = frame.wavefunction.orbitals[static_cast<std::size_t>(i.orbital)].coefficients;
    const auto& b = frame.wavefunction.orbitals[static_cast<std::size_t>(j.orbital)].coefficients;
    double sum = 0;
    for (std::size_t m = 0; m < a.size(); ++m)
        for (std::size_t n = 0; n < b.size(); ++n) sum += a[m] * s[m * b.size() + n] * b[n];
    return sum * i.sign * j.sign;
}

TEST(OverlapTiles, AddUpToTheAnalyticOverlapsAndNorms) {
    const io::Wavefunction frame = test::two_atoms(true);
    const std::vector<double> s = overlap_matrix(frame);
    PreparedOrbitals prepared = prepared_of(frame);
    prepared.tiles.pop_back();
    OrbitalInput input;
    input.grids = false;
    input.double_precision = true;
    const auto evaluator = kernels::make_orbital_evaluator(test_device().backend);
    OrbitalWorkload workload(*evaluator, input, prepared);
    std::vector<CompensatedSum<double>> overlaps(400), norms(20);
    for (std::size_t id = 0; id < prepared.tiles.size(); ++id)
        for (const OrbitalSum& record :
             workload.run({{static_cast<std::int64_t>(id)}, 0, 1}).records)
            (record.kind == TileKind::overlaps ? overlaps
                                               : norms)[static_cast<std::size_t>(record.item)]
                .add(record.sum);
    const Vec3 h = prepared.grid.spacing;
    for (int row = 0; row < 20; ++row)
        for (int column = row; column < 20; ++column) {
            const double found =
                overlaps[static_cast<std::size_t>(20 * row + column)].result() * h.x * h.y * h.z;
            EXPECT_NEAR(found, analytic(prepared, s, row, column), 1e-7) << row << " " << column;
            if (row == column) {
                EXPECT_NEAR(found / (h.x * h.y * h.z),
                            norms[static_cast<std::size_t>(row)].result(),
                            1e-12 * norms[static_cast<std::size_t>(row)].result());
            }
        }
}

TEST(OverlapTiles, HaveTheSameBitsInSmallerLaunches) {
    const PreparedOrbitals prepared = prepared_of(test::two_atoms(false));
    OrbitalInput input;
    input.grids = false;
    const auto evaluator = kernels::make_orbital_evaluator(test_device().backend);
    OrbitalWorkload workload(*evaluator, input, prepared);
    for (std::size_t id = 0; id < prepared.tiles.size(); ++id) {
        if (prepared.tiles[id].kind != TileKind::overlaps) continue;
        const Tile tile{{static_cast<std::int64_t>(id)}, 0, 1};
        auto whole = workload.run(tile).records, parts = workload.run_smaller(tile).records;
        ASSERT_EQ(whole.size(), prepared.tiles[id].other_first > 0 ? 96U : 210U);
        ASSERT_EQ(whole.size(), parts.size());
        for (auto* records : {&whole, &parts}) std::ranges::sort(*records, {}, &OrbitalSum::item);
        EXPECT_EQ(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(OrbitalSum)), 0);
    }
}

}  // namespace
