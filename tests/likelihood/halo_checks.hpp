// What tests of backgrounds compare: both integrations, and the compressed one with plain sums.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "io/streams/stream_parameters.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "point_sums.hpp"
#include "support/test_device.hpp"

namespace tessera::test {

/// Of the exact integration, or of the compressed one with its gradient.
inline likelihood::Evaluation evaluated(const io::StreamModel& model,
                                        const std::vector<io::Star>& stars, bool exact,
                                        likelihood::EvaluatorOptions options = {}) {
    const auto make =
        exact ? likelihood::make_exact_evaluator : likelihood::make_compressed_evaluator;
    return make(model, stars, options, test_device().backend)
        ->evaluate({&model, 1}, {.gradient = !exact})
        .at(0);
}

/// The compressed sums are the plain ones within their estimates.
inline void expect_within_estimates(const io::StreamModel& model,
                                    const std::vector<io::Star>& stars) {
    SCOPED_TRACE(io::to_toml(model));
    const likelihood::Evaluation found = evaluated(model, stars, false);
    const PointSums sums(model);
    const Real integral = sums.integrals()[0], search = sums.search_likelihood(stars);
    const auto relative = [](double value, Real exact) {
        return static_cast<double>(std::abs((value - exact) / exact));
    };
    EXPECT_LE(relative(found.background_integral, integral), 1e-11);
    EXPECT_LE(relative(found.background_integral, integral), found.error_estimates.at(0));
    EXPECT_LE(relative(found.search_likelihood, search), 1e-11);
    EXPECT_LE(relative(found.search_likelihood, search), found.error_estimates.back());
    EXPECT_TRUE(found.exact_components.empty());
}

/// The exact integration in single precision differs by less than 2e-8.
inline void expect_eight_digits(const io::StreamModel& model) {
    const double exact = evaluated(model, {}, true).background_integral;
    const double single =
        evaluated(model, {}, true, {.precision = kernels::Precision::single_compensated})
            .background_integral;
    EXPECT_NEAR(single / exact, 1, 2e-8);
    EXPECT_NE(single, exact);
}

}  // namespace tessera::test
