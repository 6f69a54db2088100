#include "likelihood/model/observed_stars.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/compensated_sum.hpp"
#include "core/error.hpp"
#include "kokkos_kernels/likelihood/observed/host_factors.hpp"
#include "likelihood/model/observed_density.hpp"
#include "likelihood/model/selected_areas.hpp"

namespace tessera::likelihood {

namespace {

using kernels::ObservedTable;
using kernels::spread_numbers;

int width_of(const StreamModel& model) {
    return kernels::observed_width(static_cast<int>(model.observables.size()));
}

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

/// Observables that the kernel has and the model has not come with zeros.
void add_distribution(double log_share, const std::vector<io::Spread>& spreads, int width,
                      std::vector<double>& to) {
    const std::size_t end =
        to.size() + static_cast<std::size_t>(kernels::distribution_numbers(width));
    to.push_back(log_share);
    for (const io::Spread& s : spreads)
        to.insert(to.end(), {s.mean, s.slope, s.curvature, s.dispersion});
    to.resize(end);
}

/// Fills in the columns of a star; they were those of a star without values.
void set_columns(const Star& star, std::size_t observables, std::size_t place,
                 ObservedTable& table) {
    const auto at = [&](int column) -> double& {
        return table.columns_of[static_cast<std::size_t>(column) * table.stride + place];
    };
    for (std::size_t i = 0; i < observables; ++i) {
        if (std::isnan(star.observed[i])) continue;
        const int row = static_cast<int>(i);
        const double error = star.observed[observables + i];
        at(ObservedTable::value(row)) = star.observed[i];
        at(ObservedTable::covariance(table.width, row, row)) = error * error;
        for (std::size_t j = 0; j < i; ++j)
            if (!std::isnan(star.observed[j]))
                at(ObservedTable::covariance(table.width, row, static_cast<int>(j))) =
                    star.observed[io::correlation_place(observables, i, j)] * error *
                    star.observed[observables + j];
    }
}

std::size_t measured_values(const Star& star, std::size_t observables) {
    const auto first = star.observed.begin();
    return static_cast<std::size_t>(std::count_if(first,
                                                  first + static_cast<std::ptrdiff_t>(observables),
                                                  [](double value) { return !std::isnan(value); }));
}

void require_observables(const StreamModel& like, std::span<const Star> stars) {
    const std::size_t wanted = io::observed_numbers(like.observables.size());
    for (const Star& star : stars)
        if (!like.observables.empty() && star.observed.size() != wanted)
            throw Error("the stars have no observables, but the model has",
                        "they were given as l, b and r only",
                        "give a star file with the columns of [[observable]]");
}

}  // namespace

kernels::ObservedTable observed_table(const StreamModel& like, std::span<const Star> stars) {
    require_observables(like, stars);
    ObservedTable table;
    if (like.observables.empty()) return table;
    table.stars = static_cast<int>(stars.size());
    table.width = width_of(like);
    table.populations = static_cast<int>(like.background.populations.size());
    table.streams = static_cast<int>(like.streams.size());
    table.stride = (stars.size() / ObservedTable::padding + 1) * ObservedTable::padding;
    const auto columns = static_cast<std::size_t>(ObservedTable::columns(table.width));
    table.columns_of.assign(columns * table.stride, 0.0);
    const auto fill = [&](int column, double value) {
        std::fill_n(table.columns_of.begin() + static_cast<std::ptrdiff_t>(
                                                   static_cast<std::size_t>(column) * table.stride),
                    table.stride, value);
    };
    for (int i = 0; i < table.width; ++i) {
        fill(ObservedTable::value(i), std::numeric_limits<double>::quiet_NaN());
        fill(ObservedTable::covariance(table.width, i, i), 1);
    }
    const StripeAxes stripe = stripe_axes(like.wedge);
#pragma omp parallel for if (stars.size() > 4096)
    for (std::size_t i = 0; i < stars.size(); ++i) {
        table.columns_of[i] = place_along(like, stripe, stars[i]);
        set_columns(stars[i], like.observables.size(), i, table);
    }
    return table;
}

std::vector<double> observed_distributions(const StreamModel& model) {
    std::vector<double> all;
    if (model.observables.empty()) return all;
    const std::vector<io::Population>& populations = model.background.populations;
    const std::vector<double> shares = log_shares(populations);
    for (std::size_t p = 0; p < populations.size(); ++p)
        add_distribution(shares[p], populations[p].observables, width_of(model), all);
    for (const io::Stream& stream : model.streams)
        add_distribution(0, stream.observables, width_of(model), all);
    return all;
}

FixedScales::FixedScales(const StreamModel& like, std::span<const Star> stars) {
    require_observables(like, stars);
    if (!like.selection && like.observables.empty()) return;
    const double log10_root = std::log10(2 * std::numbers::pi) / 2;
    const StripeAxes stripe = stripe_axes(like.wedge);
    CompensatedSum<double> sum;
    for (const Star& star : stars) {
        double scale = like.selection ? std::log10(completeness_at(like, stripe, star)) : 0;
        if (!like.observables.empty())
            scale -=
                log10_root * static_cast<double>(measured_values(star, like.observables.size()));
        log10_scale.push_back(scale);
        sum.add(scale);
    }
    if (!stars.empty()) mean = sum.result() / static_cast<double>(stars.size());
}

ObservedFactors observed_factors(const StreamModel& model, std::span<const Star> stars) {
    ObservedFactors of;
    of.log10_scale = FixedScales(model, stars).log10_scale;
    if (model.observables.empty()) return of;
    kernels::HostFactors found =
        kernels::host_factors(observed_table(model, stars), observed_distributions(model));
    of.factors = std::move(found.factors);
    for (std::size_t i = 0; i < stars.size(); ++i)
        of.log10_scale[i] += found.log_scale[i] / std::numbers::ln10;
    return of;
}

void add_observed_gradient(const StreamModel& model, std::span<const double> slopes,
                           std::size_t stars, std::span<double> gradient) {
    if (model.observables.empty()) return;
    const double unit = 1 / (static_cast<double>(stars) * std::numbers::ln10);
    const auto numbers = static_cast<std::size_t>(kernels::slope_numbers(width_of(model)));
    const double* of = slopes.data();
    const auto add_spreads = [&](const std::vector<io::Spread>& spreads, double* to) {
        for (std::size_t i = 0; i < spreads.size() * spread_numbers; ++i) {
            const bool by_dispersion = i % spread_numbers == spread_numbers - 1;
            to[i] +=
                unit * of[1 + i] * (by_dispersion ? spreads[i / spread_numbers].dispersion : 1);
        }
        of += numbers;
        return to + spreads.size() * spread_numbers;
    };
    const std::vector<io::Population>& populations = model.background.populations;
    const std::vector<double> shares = log_shares(populations);
    double background = 0;  // sum of the shares of all populations
    for (std::size_t p = 0; p < populations.size(); ++p) background += slopes[p * numbers];
    double* next = gradient.data() + halo_numbers(model);
    for (std::size_t p = 0; p < populations.size(); ++p) {
        if (p > 0) *next++ += unit * (of[0] - std::exp(shares[p]) * background);
        next = add_spreads(populations[p].observables, next);
    }
    next = gradient.data() + background_numbers(model) + stream_parameters * model.streams.size();
    for (const io::Stream& stream : model.streams) next = add_spreads(stream.observables, next);
}

}  // namespace tessera::likelihood
