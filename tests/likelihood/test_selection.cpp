// Selection functions: sums cell by cell, cuts along the edges of cells, both integrations, slopes,
// and the stars.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "likelihood/model/random_stream.hpp"
#include "likelihood/model/selected_areas.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "plain_evaluator.hpp"
#include "simulated_stars.hpp"
#include "small_wedge.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

/// Completeness by a function of mu, nu and magnitude that is constant between these magnitudes.
class MadeUpSelection final : public io::Selection {
  public:
    using Function = double (*)(const io::SeenPlace&);
    MadeUpSelection(Function function, std::vector<double> edges)
        : function_(function), edges_(std::move(edges)) {}
    double at(const io::SeenPlace& place) const override { return function_(place); }
    const std::vector<double>& magnitudes() const override { return edges_; }

  private:
    Function function_;
    std::vector<double> edges_;
};

double turned(double mu) { return mu - 360 * std::floor(mu / 360); }

/// Rough in all directions, with holes, and another one beyond magnitude 19.3.
double rough(const io::SeenPlace& place) {
    const auto cell = static_cast<std::uint64_t>(turned(place.mu) / 1.7) * 100 +
                      static_cast<std::uint64_t>((place.nu + 5) / 0.31);
    const double share = RandomStream{7, cell, place.magnitude < 19.3 ? 1u : 2u}.uniform();
    return share < 0.2 ? 0 : share;
}

/// A pixel of the sky is complete or half so.
double pixels(const io::SeenPlace& place) {
    return io::Healpix{32, false}.pixel_of(place.equatorial) % 3 == 0 ? 0.5 : 1;
}

double half(const io::SeenPlace&) { return 0.5; }

/// No stars in a block.
double without_cut(const io::SeenPlace& place) {
    const double mu = turned(place.mu);
    return mu > 12 && mu < 24 && place.nu < 0 && place.magnitude > 18.7 && place.magnitude < 20.45
               ? 0
               : 1;
}

StreamModel selected(StreamModel model, MadeUpSelection::Function function,
                     std::vector<double> edges = {}) {
    model.selection = std::make_shared<MadeUpSelection>(function, std::move(edges));
    return model;
}

Evaluation evaluated(const StreamModel& model, const std::vector<Star>& stars, bool exact,
                     bool gradient = false) {
    const auto make = exact ? make_exact_evaluator : make_compressed_evaluator;
    EvaluatorOptions options;
    options.quadrature = Quadrature::gauss;
    return make(model, stars, options, test_device().backend)
        ->evaluate({&model, 1}, {.star_densities = true, .gradient = gradient})
        .at(0);
}

std::vector<Star> stars_of(const StreamModel& model, std::int64_t number) {
    std::vector<Star> stars;
    for (const auto& one : simulate_stars(model, number, 4)) stars.push_back(one.star);
    return stars;
}

std::vector<double> integrals_of(const Evaluation& e) {
    std::vector<double> integrals{e.background_integral};
    integrals.insert(integrals.end(), e.stream_integrals.begin(), e.stream_integrals.end());
    return integrals;
}

/// Cell by cell, each with the completeness in its middle.
std::vector<double> plain_integrals(StreamModel model) {
    const io::Area area = model.areas[0];
    std::vector<double> sums(1 + model.streams.size());
    const auto cell = [](const io::Cells& cells, int i) {
        return io::Cells{cells.min + i * cells.step(), cells.min + (i + 1) * cells.step(), 1};
    };
    for (int k = 0; k < area.r.steps; ++k)
        for (int j = 0; j < area.mu.steps; ++j)
            for (int i = 0; i < area.nu.steps; ++i) {
                const double mu = cell_centre(area.mu, j), nu = cell_centre(area.nu, i);
                const Vec3 unit = direction(model.wedge, mu, nu).unit;
                const double share = model.selection->at(
                    {mu, nu, cell_centre(area.r, k), unit, equatorial_direction(unit)});
                if (share == 0) continue;
                model.areas = {{cell(area.r, k), cell(area.mu, j), cell(area.nu, i)}};
                const auto here = test::PlainEvaluator(model, {}).integrals(model, 0);
                for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += share * here[c][0];
            }
    return sums;
}

StreamModel fine_wedge() {
    StreamModel model = test::small_wedge();
    model.areas = {{{16, 22.5, 26}, {0, 60, 90}, {-1.25, 1.25, 24}}};
    return model;
}

TEST(Selection, IntegralsAreSumsCellByCell) {
    StreamModel model = selected(test::small_wedge(), rough, {19.3});
    model.areas = {{{16, 22.5, 8}, {0, 60, 24}, {-1.25, 1.25, 18}}};
    const std::vector<double> expected = plain_integrals(model);
    for (const bool exact : {true, false}) {
        const auto found = integrals_of(evaluated(model, {}, exact));
        for (std::size_t k = 0; k < expected.size(); ++k)
            EXPECT_NEAR(found[k] / expected[k], 1, exact ? 1e-12 : 1e-10) << exact << k;
    }
}

TEST(Selection, BothIntegrationsAgreeWithinTheEstimates) {
    for (const auto& model :
         {selected(fine_wedge(), rough, {19.3}), selected(fine_wedge(), pixels)}) {
        const std::vector<Star> stars = stars_of(model, 50);
        const Evaluation exact = evaluated(model, stars, true),
                         compressed = evaluated(model, stars, false);
        const auto expected = integrals_of(exact), found = integrals_of(compressed);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            EXPECT_NEAR(found[k] / expected[k], 1, 1e-13 + compressed.error_estimates[k]);
            EXPECT_LT(compressed.error_estimates[k], 2e-11);
        }
        EXPECT_NEAR(compressed.search_likelihood, exact.search_likelihood, 1e-11);
        EXPECT_TRUE(compressed.exact_components.empty());
    }
}

TEST(Selection, ACutAlongTheCellsIsTheSame) {
    StreamModel cut = fine_wedge();
    // The edges of the cut are those of cells.
    cut.areas = {{{16.2, 22.7, 26}, {0, 60, 30}, {-1.25, 1.25, 20}},
                 {{18.7, 20.45, 7}, {12, 24, 6}, {-1.25, 0, 10}}};
    StreamModel model = selected(cut, without_cut, {18.7, 20.45});
    model.areas.pop_back();
    const std::vector<Star> stars = stars_of(model, 40);
    for (const bool exact : {true, false}) {
        const Evaluation one = evaluated(cut, stars, exact), other = evaluated(model, stars, exact);
        const auto expected = integrals_of(one), found = integrals_of(other);
        for (std::size_t k = 0; k < expected.size(); ++k)
            EXPECT_NEAR(found[k] / expected[k], 1, 1e-11) << exact << k;
        EXPECT_NEAR(other.search_likelihood, one.search_likelihood, 1e-12) << exact;
    }
    // A cut under a selection function takes what that leaves of it.
    StreamModel both = selected(cut, rough, {19.3}), plain = both;
    const auto whole = plain_integrals(plain);
    plain.areas.erase(plain.areas.begin());
    const auto inside = plain_integrals(plain);
    for (const bool exact : {true, false}) {
        const Evaluation e = evaluated(both, {}, exact);
        const auto found = integrals_of(e);
        for (std::size_t k = 0; k < found.size(); ++k) {
            EXPECT_NEAR(found[k] / (whole[k] - inside[k]), 1, 1e-10) << exact << k;
            EXPECT_NEAR(e.uncut_integrals[k] / whole[k], 1, 1e-10) << exact << k;
        }
    }
}

/// Everything is normalised over what the survey sees.
TEST(Selection, AConstantShareChangesNothing) {
    const StreamModel plain = fine_wedge(), model = selected(plain, half);
    const std::vector<Star> stars = stars_of(plain, 40);
    for (const bool exact : {true, false}) {
        const Evaluation one = evaluated(plain, stars, exact),
                         other = evaluated(model, stars, exact);
        EXPECT_NEAR(other.background_integral / one.background_integral, 0.5, 1e-13);
        EXPECT_NEAR(other.search_likelihood, one.search_likelihood, 1e-13);
        for (std::size_t i = 0; i < stars.size(); ++i)
            EXPECT_NEAR(other.star_log10_density[i], one.star_log10_density[i], 1e-12);
    }
}

TEST(Selection, SlopesAreDifferences) {
    for (const bool quadratic : {false, true}) {
        StreamModel model = selected(fine_wedge(), rough, {19.3});
        if (quadratic) {
            model.model = io::Model::classic;
            model.background = {
                .epsilon = 0.8, .q = 0.6, .r0 = 13, .a = 1e-6, .b = -2e-5, .c = 5e-4};
        }
        StreamModel drawn = model;
        drawn.background.a = drawn.background.b = drawn.background.c = 0;
        const std::vector<Star> stars = stars_of(drawn, 30);
        const auto found = evaluated(model, stars, false, true).gradient;
        const std::vector<double> values = parameter_values(model);
        const auto exact = make_exact_evaluator(model, stars, {.quadrature = Quadrature::gauss},
                                                test_device().backend);
        for (const std::size_t i : {0, 1, 9, 13}) {  // epsilon, q, mu and sigma
            const double h = 1e-4 * std::max(1.0, std::abs(values[i]));
            const auto at = [&](double offset) {
                std::vector<double> moved = values;
                moved[i] += offset;
                const StreamModel there = with_values(model, moved);
                return exact->evaluate({&there, 1}, {}).at(0).search_likelihood;
            };
            const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            EXPECT_NEAR(found[i], slope, 1e-7 * (1 + std::abs(slope))) << parameter_names(model)[i];
        }
    }
}

/// With the density p of stars and the completeness S, the mean of 1/S over the stars that are seen
/// is the integral of p where S is not 0 over that of S p.
TEST(Selection, SimulatedStarsHaveIt) {
    const StreamModel plain = test::small_wedge(), model = selected(plain, rough, {19.3});
    const StripeAxes stripe = stripe_axes(model.wedge);
    double visible = 0, seen = 0;  // of all stars of the background
    for (const auto& one : simulate_stars(plain, 20000, 5)) {
        if (one.component != 0) continue;
        const double share = completeness_at(model, stripe, one.star);
        visible += share > 0 ? 1 : 0;
        seen += share;
    }
    double inverse = 0, stars = 0;
    for (const auto& one : simulate_stars(model, 20000, 6)) {
        if (one.component != 0) continue;
        inverse += 1 / completeness_at(model, stripe, one.star);
        stars += 1;
    }
    EXPECT_GT(visible / seen, 1.3);
    EXPECT_NEAR(inverse / stars, visible / seen, 0.03 * visible / seen);
}

TEST(Selection, StarsWhereNothingIsSeenAreRefused) {
    const StreamModel plain = test::small_wedge(), model = selected(plain, rough, {19.3});
    EXPECT_THROW(require_selected(model, stars_of(plain, 200), "s.txt"), Error);
    EXPECT_NO_THROW(require_selected(model, stars_of(model, 200), "s.txt"));
    StreamModel named = plain;
    named.selection_source.file = "map.csv";
    EXPECT_THROW(selected_areas(named), Error);
    const StreamModel blind = selected(plain, [](const io::SeenPlace&) { return 0.0; });
    EXPECT_THROW(selected_areas(blind), Error);
}

}  // namespace
}  // namespace tessera::likelihood
