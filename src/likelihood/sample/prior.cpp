#include "likelihood/sample/prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::likelihood {

namespace {

using io::Distribution;

constexpr double nearest_to_bound = 1e-4;  // of the cube, where a chain may start

/// 1 / (1 + e^-y) without overflow.
double logistic(double y) {
    const double e = std::exp(-std::abs(y));
    return y >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double logit(double share) {
    const double inside = std::clamp(share, nearest_to_bound, 1 - nearest_to_bound);
    return std::log(inside / (1 - inside));
}

/// log(s (1 - s)) of the logistic s of y.
double log_spread(double y) { return -std::abs(y) - 2 * std::log1p(std::exp(-std::abs(y))); }

}  // namespace

Prior::Prior(const io::PriorSetting& setting, const FreeParameter& free, bool goes_round)
    : distribution_(setting.distribution),
      goes_round_(goes_round),
      lower_(free.lower),
      width_(free.width()),
      mean_(setting.mean),
      sd_(setting.sd) {}

Rise Prior::cube(double y) const {
    if (goes_round_) return {y / (2 * std::numbers::pi), 1 / (2 * std::numbers::pi)};
    if (distribution_ == Distribution::normal)
        return {(mean_ + sd_ * y - lower_) / width_, sd_ / width_};
    const double s = logistic(y), spread = s * logistic(-y);
    if (distribution_ != Distribution::log_uniform) return {s, spread};
    const double range = std::log1p(width_ / lower_);
    const double cube = lower_ * std::expm1(range * s) / width_;
    return {cube, value(cube) / width_ * range * spread};
}

double Prior::line(double cube) const {
    if (goes_round_) return 2 * std::numbers::pi * cube;
    if (distribution_ == Distribution::normal) return (value(cube) - mean_) / sd_;
    if (distribution_ != Distribution::log_uniform) return logit(cube);
    return logit(std::log1p(width_ * cube / lower_) / std::log1p(width_ / lower_));
}

Rise Prior::log_density_on_line(double y) const {
    if (goes_round_) return {0, 0};
    if (distribution_ == Distribution::normal) return {-y * y / 2, -y};
    Rise density{log_spread(y), logistic(-y) - logistic(y)};
    if (distribution_ != Distribution::truncated_normal) return density;
    const Rise place = cube(y);
    const Rise bell = log_density(place.value);
    return {density.value + bell.value, density.slope + bell.slope * place.slope};
}

Rise Prior::log_density(double cube) const {
    if (distribution_ == Distribution::uniform) return {0, 0};
    const double x = value(cube);
    if (distribution_ == Distribution::log_uniform) return {-std::log(x), -width_ / x};
    const double z = (x - mean_) / sd_;
    return {-z * z / 2, -z / sd_ * width_};
}

io::FitSettings with_prior_bounds(io::FitSettings settings,
                                  const std::vector<io::PriorSetting>& priors) {
    for (const io::PriorSetting& prior : priors) {
        std::erase_if(settings.bounds, [&](const auto& one) { return one.name == prior.name; });
        const bool is_normal = prior.distribution == Distribution::normal;
        io::ParameterBounds bounds{prior.name, prior.lower, prior.upper, prior.place, prior.place};
        if (is_normal) {
            bounds.lower = prior.mean - normal_reach * prior.sd;
            bounds.upper = prior.mean + normal_reach * prior.sd;
        }
        if (prior.distribution != Distribution::uniform) bounds.prior = describe(prior);
        settings.bounds.push_back(bounds);
    }
    return settings;
}

std::vector<io::PriorSetting> complete_priors(const std::vector<io::PriorSetting>& priors,
                                              const std::vector<FreeParameter>& free) {
    for (const io::PriorSetting& prior : priors)
        if (std::ranges::find(free, prior.name, &FreeParameter::name) == free.end())
            throw Error(fmt::format("the prior of {} has no effect", io::one_line(prior.name, 40)),
                        "it is not free, '" + io::one_line(prior.place) + "'",
                        "name it in [fit] free or --free, or remove its prior");
    std::vector<io::PriorSetting> all;
    for (const FreeParameter& one : free) {
        const auto found = std::ranges::find(priors, one.name, &io::PriorSetting::name);
        if (found != priors.end()) {
            all.push_back(*found);
            continue;
        }
        io::PriorSetting uniform;
        uniform.name = one.name;
        uniform.lower = one.lower;
        uniform.upper = one.upper;
        all.push_back(uniform);
    }
    return all;
}

std::string describe(const io::PriorSetting& prior) {
    std::string text = io::name_of(prior.distribution);
    if (prior.sd > 0) text += fmt::format(", mean {:g}, sd {:g}", prior.mean, prior.sd);
    if (prior.lower < prior.upper) text += fmt::format(", {:g} to {:g}", prior.lower, prior.upper);
    return text;
}

}  // namespace tessera::likelihood
