// Probabilities that stars belong to components: against the formula in long double, and against
// the components from which simulated stars were drawn.
#include "likelihood/model/memberships.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "brute_force.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "simulated_stars.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

/// Two streams that overlap in stripe 82. Their members are mixed with many background stars.
StreamModel mixed_model(io::Model kind) {
    StreamModel model;
    model.wedge = 82;
    model.convolve = 20;
    model.model = kind;
    model.background.epsilon = kind == io::Model::classic ? 0.2 : 0.99;
    model.background.q = 0.6;
    model.background.r0 = 12;
    model.streams = {{-0.9, 32, 27, 1.9, 0.55, 3.2}, {-0.6, 26, 22, 0.9, 2.3, 4.1}};
    model.areas = {{{16, 22.5, 30}, {0, 50, 20}, {-1.25, 1.25, 4}}};
    return model;
}

std::vector<double> memberships(const StreamModel& model, std::span<const Star> stars,
                                bool exact = false) {
    const auto make = exact ? make_exact_evaluator : make_compressed_evaluator;
    return make(model, stars, {}, test_device().backend)
        ->evaluate({&model, 1}, {.memberships = true})
        .at(0)
        .memberships;
}

void expect_formula(const StreamModel& model, const std::vector<double>& found,
                    std::span<const Star> stars) {
    const test::BruteForce brute(model, true);
    const auto integrals = brute.integrals(), weights = brute.weights();
    const std::size_t components = weights.size();
    ASSERT_EQ(found.size(), stars.size() * components);
    for (std::size_t s = 0; s < stars.size(); ++s) {
        auto terms = brute.densities(stars[s]);
        long double density = 0, sum = 0;
        for (std::size_t k = 0; k < components; ++k)
            density += terms[k] *= weights[k] / integrals[k];
        for (std::size_t k = 0; k < components; ++k) {
            const double one = found[s * components + k];
            EXPECT_NEAR(one, static_cast<double>(terms[k] / density), 1e-11) << s << " " << k;
            sum += one;
        }
        EXPECT_NEAR(static_cast<double>(sum - 1), 0, 1e-14) << s;
    }
}

TEST(Memberships, AreTheSharesOfTheFormula) {
    for (const io::Model kind : {io::Model::classic, io::Model::model2018}) {
        StreamModel model = mixed_model(kind);
        model.areas[0] = {{16, 22.5, 10}, {10, 40, 6}, {-1.25, 1.25, 3}};
        model.areas.push_back({{17, 20, 4}, {20, 23, 2}, {-1, 0.5, 2}});
        std::vector<Star> stars;
        for (const SimulatedStar& one : simulate_stars(model, 30, 5)) stars.push_back(one.star);
        expect_formula(model, memberships(model, stars, true), stars);
        expect_formula(model, memberships(model, stars), stars);
    }
}

TEST(Memberships, OfASetDoNotDependOnTheBatch) {
    const StreamModel model = mixed_model(io::Model::model2018);
    std::vector<Star> stars;
    for (const SimulatedStar& one : simulate_stars(model, 150, 6)) stars.push_back(one.star);
    std::vector<StreamModel> sets(3, model);
    sets[1].streams[0].sigma = 2.5;
    sets[2].streams[1].epsilon = -3;
    const auto made = make_compressed_evaluator(model, stars, {}, test_device().backend);
    const Wanted wanted{.star_densities = true, .gradient = true, .memberships = true};
    const auto together = made->evaluate(sets, wanted);
    for (std::size_t i = 0; i < sets.size(); ++i)
        EXPECT_EQ(together[i].memberships, made->evaluate({&sets[i], 1}, wanted).at(0).memberships);
    EXPECT_NE(together[0].memberships, together[1].memberships);
    EXPECT_TRUE(made->evaluate({&model, 1}, {}).at(0).memberships.empty());
}

/// Stars of one component in a bin of its probability.
struct Bin {
    double stars = 0, members = 0, expected = 0, variance = 0;
    double deviation() const { return std::abs(members - expected) / std::sqrt(variance); }
};

/// Bins of width 0.1 of every component [component * 10 + bin].
std::vector<Bin> bins_of(const std::vector<double>& found,
                         const std::vector<SimulatedStar>& stars) {
    const std::size_t components = found.size() / stars.size();
    std::vector<Bin> bins(10 * components);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t star = i / components, component = i % components;
        const double p = found[i];
        Bin& bin =
            bins[component * 10 + std::min<std::size_t>(9, static_cast<std::size_t>(p * 10))];
        ++bin.stars;
        bin.members += stars[star].component == static_cast<int>(component);
        bin.expected += p;
        bin.variance += p * (1 - p);
    }
    return bins;
}

double largest_deviation(const std::vector<Bin>& bins) {
    double largest = 0;
    for (const Bin& bin : bins)
        if (bin.stars >= 1000) largest = std::max(largest, bin.deviation());
    return largest;
}

/// The number of stars that a component really has in a bin of probability is that of the sum of
/// the probabilities, within three standard deviations of independent draws.
TEST(Memberships, AreCalibratedOnSimulatedStars) {
    for (const io::Model kind : {io::Model::classic, io::Model::model2018}) {
        StreamModel model = mixed_model(kind);
        const auto drawn = simulate_stars(model, 100000, 2029);
        std::vector<Star> stars;
        for (const SimulatedStar& one : drawn) stars.push_back(one.star);
        const auto bins = bins_of(memberships(model, stars), drawn);
        const auto full = std::ranges::count_if(bins, [](const Bin& b) { return b.stars >= 1000; });
        EXPECT_GE(full, 15);
        for (std::size_t b = 0; b < bins.size(); ++b) {
            if (bins[b].stars < 1000) continue;
            EXPECT_LT(bins[b].deviation(), 3)
                << "component " << b / 10 << ", bin " << b % 10 << ": " << bins[b].members << " of "
                << bins[b].stars << " stars, expected " << bins[b].expected;
        }
        // The test sees a model whose first stream has a weight that is 5 % too large.
        model.streams[0].epsilon += 0.05;
        EXPECT_GT(largest_deviation(bins_of(memberships(model, stars), drawn)), 3);
    }
}

TEST(Memberships, AddUpToTheExpectedStars) {
    const std::vector<double> found{0.25, 0.75, 1, 0, 0.5, 0.5};
    EXPECT_EQ(expected_stars(found, 2), (std::vector<double>{1.75, 1.25}));
    EXPECT_EQ(memberships_of({1, 3, 2, 0, 5, 5}, 2), found);
    EXPECT_EQ(component_labels(3), (std::vector<std::string>{"background", "stream1", "stream2"}));
}

}  // namespace
}  // namespace tessera::likelihood
