#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/run_tiles.hpp"
#include "likelihood/exact/kernel_tables.hpp"
#include "likelihood/exact/workload.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Two wedges, the first with a cut; several tiles each.
std::vector<WedgeInput> two_wedges() {
    StreamModel model;
    model.wedge = 11;
    model.convolve = 40;
    model.background.q = 0.6;
    model.streams = {{-1.4, 178, 24, 1.2, -1.6, 5.5}};
    model.areas = {{{16, 22.5, 60}, {150, 229, 50}, {-1.25, 1.25, 12}},
                   {{16, 20, 10}, {170, 172, 4}, {0, 0.5, 4}}};
    StreamModel other = model;
    other.wedge = 82;
    other.model = io::Model::model2018;
    other.background.epsilon = 0.99;
    other.streams.push_back({-0.3, 370, 30, 1.3, 0.5, 2});
    other.areas = {{{16, 22.5, 50}, {350, 400, 30}, {-1.25, 1.25, 10}}};
    std::vector<Star> stars;
    for (int i = 0; i < 300; ++i) stars.push_back({200 + 0.1 * i, 60 - 0.05 * i, 8 + 0.1 * i});
    return {{model, stars}, {other, std::vector<Star>(stars.begin(), stars.begin() + 57)}};
}

struct TilesInOrder {
    std::vector<Tile> tiles;
    std::size_t next_tile = 0;
    std::optional<Tile> next() {
        if (next_tile == tiles.size()) return std::nullopt;
        return tiles[next_tile++];
    }
};

std::vector<Evaluation> evaluate_by_tiles(const std::vector<WedgeInput>& wedges, bool backwards) {
    ExactWorkload workload(wedges, {}, test_device().backend);
    TilesInOrder source{cut_into_tiles(static_cast<std::int64_t>(workload.tiles().size()), 1)};
    if (backwards) std::reverse(source.tiles.begin(), source.tiles.end());
    NoJournal<ExactWorkload::Payload> journal;
    auto partials = run_tiles(workload, source, journal).partials;
    std::sort(partials.begin(), partials.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    return combine_exact(wedges, partials, {});
}

void expect_same_bits(const Evaluation& a, const Evaluation& b) {
    EXPECT_EQ(bits(a.background_integral), bits(b.background_integral));
    EXPECT_EQ(bits(a.search_likelihood), bits(b.search_likelihood));
    EXPECT_EQ(bits(a.background_likelihood), bits(b.background_likelihood));
    ASSERT_EQ(a.stream_integrals.size(), b.stream_integrals.size());
    for (std::size_t s = 0; s < a.stream_integrals.size(); ++s) {
        EXPECT_EQ(bits(a.stream_integrals[s]), bits(b.stream_integrals[s]));
        EXPECT_EQ(bits(a.stream_only_likelihoods[s]), bits(b.stream_only_likelihoods[s]));
    }
}

TEST(ExactWorkload, TilesCoverEveryColumnAndStarOnce) {
    const auto wedges = two_wedges();
    std::vector<std::int64_t> columns(3), stars(2);
    for (const ExactTile& tile : cut_exact_tiles(wedges)) {
        EXPECT_GT(tile.count, 0);
        auto& covered = tile.area == ExactTile::stars
                            ? stars[static_cast<std::size_t>(tile.wedge)]
                            : columns[static_cast<std::size_t>(2 * tile.wedge + tile.area)];
        EXPECT_EQ(tile.first, covered) << "tiles of one kind follow each other";
        covered += tile.count;
    }
    EXPECT_EQ(columns, (std::vector<std::int64_t>{600, 16, 300}));
    EXPECT_EQ(stars, (std::vector<std::int64_t>{300, 57}));
}

TEST(ExactWorkload, AFullWedgeHasEnoughTilesForSeveralDevices) {
    std::vector<WedgeInput> wedges(1);
    wedges[0].model.areas = {{{16, 22.5, 700}, {350, 400, 800}, {-1.25, 1.25, 320}}};
    const std::size_t tiles = cut_exact_tiles(wedges).size();
    EXPECT_GE(tiles, 40u);
    EXPECT_LE(tiles, 100u);
}

TEST(ExactWorkload, TheOrderOfTilesAndTheNumberOfWedgesDoNotChangeABit) {
    const auto wedges = two_wedges();
    const auto forwards = evaluate_by_tiles(wedges, false);
    const auto backwards = evaluate_by_tiles(wedges, true);
    ASSERT_EQ(forwards.size(), 2u);
    for (std::size_t w = 0; w < 2; ++w) {
        EXPECT_TRUE(std::isfinite(forwards[w].search_likelihood));
        expect_same_bits(forwards[w], backwards[w]);
        expect_same_bits(forwards[w], evaluate_by_tiles({wedges[w]}, false)[0]);
        const auto evaluator =
            make_exact_evaluator(wedges[w].model, wedges[w].stars, {}, test_device().backend);
        expect_same_bits(forwards[w], evaluator->evaluate(std::span(&wedges[w].model, 1), {})[0]);
    }
}

TEST(ExactWorkload, TablesMadeBeforehandChangeNoBit) {
    const auto wedges = two_wedges();
    ExactWorkload prepared(wedges, {}, test_device().backend);
    prepared.prepare();
    ExactWorkload fresh(wedges, {}, test_device().backend);
    const auto tiles =
        cut_into_tiles(static_cast<std::int64_t>(fresh.tiles().size()), 1);  // of both wedges
    for (const Tile& tile : tiles) {
        const auto a = prepared.run(tile).records, b = fresh.run(tile).records;
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(bits(a[i].value), bits(b[i].value));
            EXPECT_EQ(bits(a[i].compensation), bits(b[i].compensation));
        }
    }
    ExactWorkload nothing({}, {}, test_device().backend);
    nothing.prepare();
}

TEST(ExactWorkload, ATileThatIsNotFiniteNamesItsComponent) {
    auto wedges = two_wedges();
    wedges[1].model.background.q = std::nan("");
    ExactWorkload workload(wedges, {}, test_device().backend);
    std::vector<std::string> told;
    const auto tiles = static_cast<std::int64_t>(workload.tiles().size());
    for (const Tile& tile : cut_into_tiles(tiles, 1)) {
        EXPECT_NO_THROW(workload.run_unchecked(tile));
        try {
            workload.run(tile);
        } catch (const TileFailure& failure) {
            EXPECT_EQ(failure.reason(), TileFailure::Reason::not_finite);
            told.push_back(failure.what());
        }
    }
    ASSERT_EQ(told.size(), 2u);  // the other wedge's tiles are fine
    EXPECT_EQ(told[0], "the density of the background is nan at star 1 of wedge 82");
    EXPECT_EQ(told[1], "the density of the background is nan over columns of area 0 of wedge 82");
}

TEST(ExactWorkload, PartsOfAnAreaAddUpToIt) {
    const StreamModel model = two_wedges()[0].model;
    const LineOfSight line(model, milkyway_rule(model.convolve));
    const auto integrator =
        kernels::make_wedge_integrator(test_device().backend, kernels::Precision::double_precision);
    integrator->load(wedge_tables(model, line));
    integrator->set_model(density_model(model));
    const auto whole = integrator->integrate(0, 0, 600);
    std::vector<CompensatedSum<double>> parts(whole.size());
    // Groups of a kernel's block, and pieces that are none.
    for (const auto& [first, count] : {std::pair{0, 256}, {256, 1}, {257, 300}, {557, 43}}) {
        const auto part = integrator->integrate(0, first, count);
        for (std::size_t k = 0; k < parts.size(); ++k) parts[k].add(part[k]);
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
        EXPECT_NEAR(parts[k].result() / whole[k].result(), 1, 1e-15);
    for (const auto& sum : integrator->integrate(0, 10, 0)) EXPECT_EQ(sum.result(), 0);
}

TEST(ExactWorkload, AnEvaluationDependsOnItsSetAlone) {
    const auto wedges = two_wedges();
    StreamModel other = wedges[0].model;
    other.streams[0].sigma = 1.5;
    other.background.q = 0.9;
    const std::vector<StreamModel> sets{wedges[0].model, other, wedges[0].model};
    const auto evaluator =
        make_exact_evaluator(wedges[0].model, wedges[0].stars, {}, test_device().backend);
    const auto all = evaluator->evaluate(sets, {});
    ASSERT_EQ(all.size(), 3u);
    expect_same_bits(all[0], all[2]);
    EXPECT_NE(all[0].search_likelihood, all[1].search_likelihood);
    expect_same_bits(all[1], evaluator->evaluate(std::span(&other, 1), {})[0]);
}

TEST(ExactWorkload, AGpuAgreesWithTheHostTo1em13) {
    if (test_device().backend != kernels::Backend::cuda)
        GTEST_SKIP() << "no GPU in use: TESSERA_TEST_DEVICE=cuda with a CUDA build";
    for (const WedgeInput& wedge : two_wedges()) {
        const auto on = [&](kernels::Backend backend) {
            return make_exact_evaluator(wedge.model, wedge.stars, {}, backend)
                ->evaluate(std::span(&wedge.model, 1), {})[0];
        };
        const Evaluation gpu = on(kernels::Backend::cuda), host = on(kernels::Backend::openmp);
        const auto expect_close = [](double a, double b) {
            EXPECT_NEAR(a, b, 1e-13 * std::abs(b));
        };
        expect_close(gpu.background_integral, host.background_integral);
        expect_close(gpu.search_likelihood, host.search_likelihood);
        expect_close(gpu.background_likelihood, host.background_likelihood);
        for (std::size_t s = 0; s < gpu.stream_integrals.size(); ++s) {
            expect_close(gpu.stream_integrals[s], host.stream_integrals[s]);
            expect_close(gpu.stream_only_likelihoods[s], host.stream_only_likelihoods[s]);
        }
    }
}

/// Largest relative error of integrals and of the likelihood against double precision.
double worst_error(const WedgeInput& wedge, kernels::Precision precision) {
    const auto with = [&](kernels::Precision chosen) {
        EvaluatorOptions options;
        options.precision = chosen;
        return make_exact_evaluator(wedge.model, wedge.stars, options, test_device().backend)
            ->evaluate(std::span(&wedge.model, 1), {})[0];
    };
    const Evaluation exact = with(kernels::Precision::double_precision), found = with(precision);
    const auto error = [](double a, double b) { return std::abs(a / b - 1); };
    double worst = std::max(error(found.background_integral, exact.background_integral),
                            error(found.search_likelihood, exact.search_likelihood));
    for (std::size_t s = 0; s < exact.stream_integrals.size(); ++s)
        worst = std::max(worst, error(found.stream_integrals[s], exact.stream_integrals[s]));
    return worst;
}

TEST(ExactWorkload, CompensatedSinglePrecisionIsGoodToTwoParts1e8AndPlainIsNot) {
    WedgeInput wedge = two_wedges()[1];
    wedge.model.convolve = 120;
    wedge.model.areas = {{{16, 22.5, 200}, {350, 400, 64}, {-1.25, 1.25, 16}}};
    const double compensated = worst_error(wedge, kernels::Precision::single_compensated);
    const double plain = worst_error(wedge, kernels::Precision::single_plain);
    EXPECT_LE(compensated, 2e-8);
    EXPECT_GE(plain, 100 * compensated);
    RecordProperty("compensated", std::to_string(compensated * 1e9) + "e-9");
    RecordProperty("plain", std::to_string(plain * 1e9) + "e-9");
    std::printf("single precision: compensated %.1e, plain %.1e\n", compensated, plain);
}

}  // namespace
}  // namespace tessera::likelihood
