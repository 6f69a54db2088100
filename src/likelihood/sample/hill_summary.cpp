#include "likelihood/sample/hill_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "likelihood/sample/diagnostics.hpp"
#include "likelihood/sample/sample_result.hpp"

namespace tessera::likelihood {

namespace {

/// 1 for the draws on a hill, and else 0.
Chains on_hill(const Samples& samples, std::size_t hill) {
    Chains chains;
    for (const auto& chain : samples.draws) {
        auto& values = chains.emplace_back();
        for (const Draw& draw : chain)
            values.push_back(draw.hill == static_cast<std::int32_t>(hill) ? 1 : 0);
    }
    return chains;
}

}  // namespace

bool HillsSummary::agreed() const {
    std::ptrdiff_t visited = 0;
    for (const HillSummary& hill : hills) {
        if (hill.weight > 0) ++visited;
        if (hill.r_hat >= largest_r_hat) return false;
    }
    return visited < 2 || changes > 0;
}

HillsSummary summarise_hills(const Samples& samples, const Posterior& posterior) {
    HillsSummary summary;
    double highest = rejected;
    for (const FoundHill& hill : samples.hills) highest = std::max(highest, hill.log_density);
    for (std::size_t k = 0; k < samples.hills.size(); ++k) {
        const FoundHill& found = samples.hills[k];
        const Chains share = on_hill(samples, k);
        const Summary numbers = summarise(share);
        const double spread = numbers.mean * (1 - numbers.mean);
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        const bool changes = std::ranges::any_of(share, [](const auto& chain) {
            return std::ranges::count(chain, chain[0]) < std::ssize(chain);
        });
        summary.hills.push_back({posterior.values(posterior.cube(found.at)),
                                 found.log_density - highest, numbers.mean,
                                 changes ? std::sqrt(spread / numbers.bulk_ess) : unknown,
                                 changes ? numbers.r_hat : unknown});
    }
    if (!summary.known()) return summary;
    for (const auto& chain : samples.draws)
        for (std::size_t d = 1; d < chain.size(); ++d)
            summary.changes += chain[d].hill != chain[d - 1].hill;
    return summary;
}

}  // namespace tessera::likelihood
