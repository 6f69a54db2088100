// Runs of the samplers on densities that a test makes up.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "likelihood/sample/diagnostics.hpp"
#include "likelihood/sample/ensemble.hpp"
#include "likelihood/sample/nuts_chains.hpp"

namespace tessera::test {

using namespace likelihood;

using Target = std::function<Density(const Point&)>;
using Draws = std::vector<std::vector<Draw>>;  // [chain][draw]

inline State state_at(const Target& target, const Point& at) { return {at, target(at)}; }

inline Image as_it_is(const State& state) { return {state.at, state.density.gradient}; }

inline Draws by_nuts(const Target& target, const Point& start, int chains, NutsOptions options) {
    const std::vector<State> starts(static_cast<std::size_t>(chains), state_at(target, start));
    NutsChains all(options, starts, Matrix(start.size(), 1.0), as_it_is);
    while (!all.over()) {
        std::vector<Density> densities;
        for (const Point& point : all.proposals()) densities.push_back(target(point));
        all.accept(densities);
    }
    return all.draws();
}

inline Draws by_ensemble(const Target& target, const Point& start, std::size_t walkers,
                         EnsembleOptions options) {
    std::vector<State> states;
    for (std::size_t w = 0; w < walkers; ++w) {
        RandomStream random{9, w};
        Point at = start;
        for (double& x : at) x += 0.5 * random.normal();
        states.push_back(state_at(target, at));
    }
    Ensemble ensemble(options, std::move(states));
    while (!ensemble.over()) {
        std::vector<Density> densities;
        for (const Point& point : ensemble.proposals()) densities.push_back(target(point));
        ensemble.accept(densities);
    }
    return ensemble.draws();
}

inline Chains function_of(const Draws& draws, const std::function<double(const Point&)>& function) {
    Chains chains;
    for (const auto& chain : draws) {
        auto& values = chains.emplace_back();
        for (const Draw& draw : chain) values.push_back(function(draw.state.at));
    }
    return chains;
}

/// The mean of a function over the draws is `expected` to within five of its standard errors.
inline void expect_mean(const Draws& draws, const std::function<double(const Point&)>& function,
                        double expected) {
    const Summary found = summarise(function_of(draws, function));
    EXPECT_LT(found.r_hat, 1.02);
    EXPECT_GT(found.bulk_ess, 300);
    EXPECT_NEAR(found.mean, expected, 5 * found.sd / std::sqrt(found.bulk_ess));
}

}  // namespace tessera::test
