#include "likelihood/sample/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "likelihood/sample/normal_quantile.hpp"

namespace tessera::likelihood {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool are_usable(const Chains& chains) {
    return !chains.empty() && chains.front().size() >= 4 &&
           std::ranges::all_of(chains, [&](const auto& chain) {
               return chain.size() == chains.front().size() &&
                      std::ranges::all_of(chain, [](double x) { return std::isfinite(x); });
           });
}

/// Each half of each chain. The middle draw of an odd number is left out.
Chains split(const Chains& chains) {
    Chains halves;
    for (const auto& chain : chains) {
        const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
        halves.emplace_back(chain.begin(), chain.begin() + half);
        halves.emplace_back(chain.end() - half, chain.end());
    }
    return halves;
}

std::vector<double> sorted(const Chains& chains) {
    std::vector<double> all;
    for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
    std::ranges::sort(all);
    return all;
}

Chains changed(Chains chains, const std::function<double(double)>& change) {
    for (auto& chain : chains)
        for (double& x : chain) x = change(x);
    return chains;
}

/// Normal scores of the ranks (equation 14); equal draws have their mean rank.
Chains rank_normalised(const Chains& chains) {
    const auto all = sorted(chains);
    const auto count = static_cast<double>(all.size());
    return changed(chains, [&](double x) {
        const auto [first, last] = std::ranges::equal_range(all, x);
        const double rank = (static_cast<double>(first - all.begin()) +
                             static_cast<double>(last - all.begin()) + 1) /
                            2;
        return normal_quantile((rank - 0.375) / (count + 0.25));
    });
}

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(const std::vector<double>& values) {
    const double mean = mean_of(values);
    double sum = 0;
    for (const double x : values) sum += (x - mean) * (x - mean);
    return sum / (static_cast<double>(values.size()) - 1);
}

/// Variances within and between chains.
struct Variances {
    double within = 0, total = 0;  ///< total: equation 3
};

Variances variances_of(const Chains& chains) {
    std::vector<double> means, variances;
    for (const auto& chain : chains) {
        means.push_back(mean_of(chain));
        variances.push_back(variance_of(chain));
    }
    const auto draws = static_cast<double>(chains.front().size());
    const double within = mean_of(variances);
    return {within, within * (draws - 1) / draws + (means.size() > 1 ? variance_of(means) : 0)};
}

/// Equation 4. Draws that are all equal have converged.
double plain_r_hat(const Chains& chains) {
    const Variances variances = variances_of(chains);
    if (variances.within > 0) return std::sqrt(variances.total / variances.within);
    return variances.total > 0 ? std::numeric_limits<double>::infinity() : nan;
}

/// Mean over the chains of the autocovariance at a lag, with the number of draws as the divisor.
class Autocovariance {
  public:
    explicit Autocovariance(Chains chains) : chains_(std::move(chains)) {
        for (auto& chain : chains_) {
            const double mean = mean_of(chain);
            for (double& x : chain) x -= mean;
        }
    }
    double at(std::size_t lag) const {
        double sum = 0;
        for (const auto& chain : chains_)
            for (std::size_t i = lag; i < chain.size(); ++i) sum += chain[i] * chain[i - lag];
        return sum / static_cast<double>(chains_.size() * chains_.front().size());
    }

  private:
    Chains chains_;
};

/// Effective sample size by Geyer's initial monotone sequence (equations 10 to 13).
double plain_ess(const Chains& chains) {
    const std::size_t draws = chains.front().size();
    const auto count = static_cast<double>(draws * chains.size());
    const auto all = sorted(chains);
    if (all.back() - all.front() < 1e-15) return count;
    const Variances variances = variances_of(chains);
    const Autocovariance covariance(chains);
    const auto correlation = [&](std::size_t lag) {
        return 1 - (variances.within - covariance.at(lag)) / variances.total;
    };
    // Sums of neighbouring correlations, as long as they are positive, and made to decrease.
    double even = 1, pair = 1 + correlation(1), smallest = pair, sum = 0;
    for (std::size_t lag = 2; lag + 2 < draws && pair > 0; lag += 2) {
        smallest = std::min(smallest, pair);
        sum += smallest;
        even = correlation(lag);
        pair = even + correlation(lag + 1);
    }
    // Of the pair after them, the first one counts once.
    const double tau = std::max(2 * sum - 1 + std::max(0.0, even), 1 / std::log10(count));
    return count / tau;
}

double quantile_ess(const Chains& chains, double share) {
    const double level = quantile(sorted(chains), share);
    return plain_ess(split(changed(chains, [&](double x) { return x <= level ? 1.0 : 0.0; })));
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double r_hat(const Chains& chains) {
    if (!are_usable(chains)) return nan;
    const Chains halves = split(chains);
    const double median = quantile(sorted(halves), 0.5);
    const Chains folded = changed(halves, [&](double x) { return std::abs(x - median); });
    return std::max(plain_r_hat(rank_normalised(halves)), plain_r_hat(rank_normalised(folded)));
}

double bulk_ess(const Chains& chains) {
    return are_usable(chains) ? plain_ess(rank_normalised(split(chains))) : nan;
}

double tail_ess(const Chains& chains) {
    if (!are_usable(chains)) return nan;
    return std::min(quantile_ess(chains, 0.05), quantile_ess(chains, 0.95));
}

Summary summarise(const Chains& chains) {
    const auto all = sorted(chains);
    return {mean_of(all),        std::sqrt(variance_of(all)),
            quantile(all, 0.05), quantile(all, 0.5),
            quantile(all, 0.95), r_hat(chains),
            bulk_ess(chains),    tail_ess(chains)};
}

}  // namespace tessera::likelihood
