#include "likelihood/model/observed_stars.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/compensated_sum.hpp"
#include "core/error.hpp"
#include "likelihood/model/observed_density.hpp"
#include "likelihood/model/selected_areas.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::size_t stars_a_block = 1024;  // whose slopes are added up by one thread

/// Logarithms of the shares of the populations in the background.
std::vector<double> log_shares(const std::vector<io::Population>& populations) {
    double most = 0, sum = 0;
    for (const io::Population& one : populations) most = std::max(most, one.epsilon);
    for (const io::Population& one : populations) sum += std::exp(one.epsilon - most);
    std::vector<double> shares;
    shares.reserve(populations.size());
    for (const io::Population& one : populations)
        shares.push_back(one.epsilon - most - std::log(sum));
    return shares;
}

/// The distributions of one star: in each population, their logarithms with those of the shares,
/// and the logarithm of the background.
struct OfBackground {
    std::vector<ObservedNormal> normals;
    std::vector<double> logs;
    double log = 0;
};

OfBackground of_background(const StreamModel& model, const std::vector<double>& shares,
                           std::span<const double> observed, double x) {
    const std::vector<io::Population>& populations = model.background.populations;
    OfBackground of;
    for (std::size_t p = 0; p < populations.size(); ++p) {
        of.normals.emplace_back(populations[p].observables, observed, x);
        of.logs.push_back(shares[p] + of.normals.back().log_density());
    }
    const double most = *std::ranges::max_element(of.logs);
    double sum = 0;
    for (const double log : of.logs) sum += std::exp(log - most);
    of.log = most + std::log(sum);
    return of;
}

bool is_measured(const Star& star, std::size_t observables) {
    const auto first = star.observed.begin();
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(observables),
                       [](double value) { return !std::isnan(value); });
}

/// Adds the slopes of one star. `populations` are their log_shares().
void add_star(const StreamModel& model, const std::vector<double>& populations,
              std::span<const double> observed, double x, std::span<const double> terms,
              std::span<double> to) {
    double density = 0;
    for (const double term : terms) density += term;
    const std::size_t spreads = spread_parameters * model.observables.size();
    const OfBackground background = of_background(model, populations, observed, x);
    double* next = to.data() + halo_numbers(model);
    for (std::size_t p = 0; p < populations.size(); ++p) {
        const double share = terms[0] / density;
        const double of_star = std::exp(background.logs[p] - background.log);
        if (p > 0) *next++ += share * (of_star - std::exp(populations[p]));
        background.normals[p].add_slopes(share * of_star, next);
        next += spreads;
    }
    next = to.data() + background_numbers(model) + stream_parameters * model.streams.size();
    for (std::size_t s = 0; s < model.streams.size(); ++s, next += spreads)
        if (terms[1 + s] != 0)
            ObservedNormal(model.streams[s].observables, observed, x)
                .add_slopes(terms[1 + s] / density, next);
}

}  // namespace

ObservedStars::ObservedStars(const StreamModel& like, std::span<const Star> stars)
    : observables_(like.observables.size()), stars_(stars.size()) {
    const StripeAxes stripe = stripe_axes(like.wedge);
    if (like.selection)
        for (const Star& star : stars)
            log10_completeness_.push_back(std::log10(completeness_at(like, stripe, star)));
    if (empty()) return;
    const std::size_t wanted = io::observed_numbers(observables_);
    for (std::size_t i = 0; i < stars.size(); ++i) {
        if (stars[i].observed.size() != wanted)
            throw Error("the stars have no observables, but the model has",
                        "they were given as l, b and r only",
                        "give a star file with the columns of [[observable]]");
        if (is_measured(stars[i], observables_))
            measured_.push_back({i, place_along(like, stripe, stars[i]), stars[i].observed});
    }
}

ObservedFactors ObservedStars::factors(const StreamModel& model) const {
    ObservedFactors of;
    of.log10_scale = log10_completeness_;
    if (!empty()) add_factors(model, of);
    CompensatedSum<double> sum;
    for (const double scale : of.log10_scale) sum.add(scale);
    if (!of.log10_scale.empty()) of.mean_log10_scale = sum.result() / static_cast<double>(stars_);
    return of;
}

void ObservedStars::add_factors(const StreamModel& model, ObservedFactors& of) const {
    const std::size_t components = 1 + model.streams.size();
    const std::vector<double> shares = log_shares(model.background.populations);
    of.factors.assign(stars_ * components, 1.0);
    of.log10_scale.resize(stars_, 0.0);
#pragma omp parallel for if (measured_.size() > 1024)
    for (std::size_t i = 0; i < measured_.size(); ++i) {
        const auto& [star, x, observed] = measured_[i];
        const std::span<double> row = std::span(of.factors).subspan(star * components, components);
        row[0] = of_background(model, shares, observed, x).log;
        for (std::size_t s = 0; s < model.streams.size(); ++s)
            row[1 + s] = ObservedNormal(model.streams[s].observables, observed, x).log_density();
        const double most = *std::ranges::max_element(row);
        for (double& factor : row) factor = std::exp(factor - most);
        of.log10_scale[star] += most / std::numbers::ln10;
    }
}

void ObservedStars::add_gradient(const StreamModel& model, std::span<const double> terms,
                                 std::span<double> gradient) const {
    if (empty()) return;
    const std::size_t components = 1 + model.streams.size(), numbers = gradient.size();
    const std::vector<double> shares = log_shares(model.background.populations);
    const std::size_t blocks = (measured_.size() + stars_a_block - 1) / stars_a_block;
    std::vector<double> slopes(blocks * numbers, 0.0);
#pragma omp parallel for if (blocks > 1)
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t end = std::min((block + 1) * stars_a_block, measured_.size());
        for (std::size_t i = block * stars_a_block; i < end; ++i)
            add_star(model, shares, measured_[i].observed, measured_[i].along,
                     terms.subspan(measured_[i].star * components, components),
                     std::span(slopes).subspan(block * numbers, numbers));
    }
    const double unit = 1 / (static_cast<double>(stars_) * std::numbers::ln10);
    for (std::size_t k = 0; k < numbers; ++k) {
        CompensatedSum<double> sum;
        for (std::size_t block = 0; block < blocks; ++block) sum.add(slopes[block * numbers + k]);
        gradient[k] += unit * sum.result();
    }
}

}  // namespace tessera::likelihood
