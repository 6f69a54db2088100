#include "likelihood/fit/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::likelihood {

namespace {

/// Shares of a normal distribution within one and two standard deviations.
constexpr std::array<double, 2> contents{0.682689492137086, 0.954499736103642};

/// The quantile of values in ascending order.
double quantile(const std::vector<double>& values, double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), values.size() - 1);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

void append_refit(const Refit& refit, std::vector<double>& numbers) {
    numbers.insert(numbers.end(), {refit.value, refit.model_value, refit.converged ? 1.0 : 0.0});
    numbers.insert(numbers.end(), refit.at.begin(), refit.at.end());
}

std::vector<Refit> refits_of(const std::vector<double>& numbers, std::size_t dimension) {
    std::vector<Refit> refits;
    const auto length = static_cast<std::ptrdiff_t>(3 + dimension);
    for (auto next = numbers.begin(); next != numbers.end(); next += length)
        refits.push_back({next[0], next[1], next[2] != 0, Point(next + 3, next + length)});
    return refits;
}

std::vector<Refit> bootstrap(Refitter& refitter, const Candidate& best, int sets,
                             std::int64_t before,
                             const std::function<void(const FitProgress&)>& watch) {
    std::vector<Refit> found;
    for (int first = 0; first < sets; first += sets_in_a_batch) {
        std::vector<Point> questions;
        for (int set = first; set < std::min(first + sets_in_a_batch, sets); ++set)
            questions.emplace_back(best.at).push_back(set);
        for (Refit& refit : refitter.refits(questions)) found.push_back(std::move(refit));
        if (watch) watch({"bootstrap", std::ssize(found), sets, best.value, before});
    }
    return found;
}

BootstrapSummary summary_of(std::vector<double> values) {
    BootstrapSummary summary;
    summary.standard_error = std::numeric_limits<double>::quiet_NaN();
    summary.lower.fill(summary.standard_error);
    summary.upper.fill(summary.standard_error);
    if (values.size() < 2) return summary;
    double mean = 0, squares = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (const double value : values) squares += (value - mean) * (value - mean);
    summary.standard_error = std::sqrt(squares / static_cast<double>(values.size() - 1));
    std::ranges::sort(values);
    for (std::size_t k = 0; k < contents.size(); ++k) {
        summary.lower[k] = quantile(values, (1 - contents[k]) / 2);
        summary.upper[k] = quantile(values, (1 + contents[k]) / 2);
    }
    return summary;
}

}  // namespace tessera::likelihood
