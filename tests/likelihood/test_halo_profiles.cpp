// The profiles of the background that are not the application's: the exact integration in single
// precision, the compressed one, the simulation and the free parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "halo_checks.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/halo.hpp"
#include "random_models.hpp"
#include "star_spread.hpp"

namespace tessera::likelihood {
namespace {

class HaloProfiles : public testing::TestWithParam<io::Profile> {
  protected:
    StreamModel small_model() const {
        StreamModel model;
        model.wedge = 82;
        model.model = io::Model::model2018;
        model.convolve = 30;
        model.background.q = 0.6;
        model.areas = {{{16, 22.5, 30}, {350, 400, 24}, {-1.25, 1.25, 8}}};
        test::set_own_profile(model, GetParam());
        return model;
    }

    /// Numbers with which the density is above zero all over the wedge.
    void draw(test::RandomModels& random, StreamModel& model) const {
        test::set_own_profile(model, GetParam());
        io::Background& b = model.background;
        b.r0 = random.between(8, 60);
        if (GetParam() == io::Profile::nfw) b.alpha = random.between(0, 2);
        if (GetParam() == io::Profile::einasto) b.alpha = random.between(0.1, 1);
        if (GetParam() == io::Profile::continuous_broken_power_law) {
            b.alpha = random.between(0.1, 5);
            b.delta = random.between(0.1, 8);
        }
    }
};

TEST_P(HaloProfiles, SinglePrecisionKeepsEightDigits) {
    StreamModel model = small_model();
    model.background.r0 = 17.3;
    test::expect_eight_digits(model);
}

TEST_P(HaloProfiles, CompressedSumsAreThoseOfAllPointsWithinTheirEstimates) {
    test::RandomModels random(29);
    for (int i = 0; i < 3; ++i) {
        SCOPED_TRACE(i);
        StreamModel model = random.model(1);
        draw(random, model);
        test::expect_within_estimates(model, random.stars(20));
    }
}

TEST_P(HaloProfiles, StarsAreSpreadAsTheIntegralsSay) {
    test::expect_stars_as_integrals(small_model(), 40000, {.mu = 4, .depth = 5});
}

TEST_P(HaloProfiles, NumbersWithoutEffectCannotBeFitted) {
    const StreamModel model = small_model();
    const auto free = free_parameters(model, {});
    const auto is_free = [&](const std::string& name) {
        return std::ranges::find(free, name, &FreeParameter::name) != free.end();
    };
    EXPECT_TRUE(is_free("background.q") && is_free("background.r0"));
    EXPECT_EQ(is_free("background.alpha"), GetParam() != io::Profile::nfw);
    EXPECT_EQ(is_free("background.delta"), GetParam() == io::Profile::continuous_broken_power_law);
    io::FitSettings settings;
    settings.free = {"background.epsilon"};
    EXPECT_THROW(free_parameters(model, settings), Error);
    for (const FixedParameter& one : fixed_parameters(model, free))
        EXPECT_EQ(one.name, "background.alpha");
}

TEST_P(HaloProfiles, TheDensityOfOneRadiusIsThatOfThePapers) {
    const StreamModel model = small_model();
    for (const double rg : {0.3, 7.0, 18.999, 19.0, 60.0}) {
        const long double expected = test::own_density(model.background, rg);
        EXPECT_NEAR(static_cast<double>(kernels::halo_density(halo_of(model), rg) / expected), 1,
                    1e-14);
    }
}

INSTANTIATE_TEST_SUITE_P(Own, HaloProfiles, testing::ValuesIn(test::own_profiles()),
                         [](const auto& one) {
                             std::string name = io::name_of(one.param);
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace tessera::likelihood
