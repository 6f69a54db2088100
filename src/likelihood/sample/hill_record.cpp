// The hills of a result in its file, as text and as JSON (declared in hill_summary.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/hdf5/result_values.hpp"
#include "io/text/counted.hpp"
#include "likelihood/sample/hill_summary.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::size_t most_named = 3;  // parameters in which a hill differs from the first one

/// The parameters of which a hill has the most different values: "stream1.theta 2.85 (2.48)".
std::string differences(const HillSummary& hill, const HillSummary& first,
                        const std::vector<std::string>& names, const std::vector<double>& scales) {
    std::vector<std::size_t> order(names.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) {
        return scales[i] > 0 ? std::abs(hill.top[i] - first.top[i]) / scales[i] : 0;
    });
    std::string text;
    for (std::size_t k = 0; k < std::min(most_named, order.size()); ++k)
        text += fmt::format("{}{} {:.4g} ({:.4g})", k == 0 ? "" : ", ", names[order[k]],
                            hill.top[order[k]], first.top[order[k]]);
    return text;
}

}  // namespace

void write_hills(io::h5::Group& sample, const HillsSummary& summary) {
    if (!summary.known()) return;
    io::h5::Group group = sample.group("hills");
    group.write_attribute("changes", summary.changes);
    std::vector<double> tops, densities, weights, errors, r_hats;
    for (const HillSummary& hill : summary.hills) {
        tops.insert(tops.end(), hill.top.begin(), hill.top.end());
        densities.push_back(hill.log_density);
        weights.push_back(hill.weight);
        errors.push_back(hill.weight_error);
        r_hats.push_back(hill.r_hat);
    }
    const auto parameters = static_cast<std::uint64_t>(summary.hills.front().top.size());
    group.write("tops", tops, {static_cast<std::uint64_t>(summary.hills.size()), parameters});
    group.write("log_densities", densities);
    group.write("weights", weights);
    group.write("weight_errors", errors);
    group.write("r_hat", r_hats);
}

HillsSummary read_hills(const io::h5::Group& sample, std::uint64_t parameters) {
    HillsSummary summary;
    if (!sample.contains("hills")) return summary;
    const io::h5::Group group = sample.open_group("hills");
    const std::uint64_t count = io::length_of(group, "weights");
    summary.changes =
        io::attribute_within(group, "changes", 0, std::numeric_limits<std::int64_t>::max());
    const auto tops = io::read_finite(group, "tops", {count, parameters});
    const auto densities = io::read_finite(group, "log_densities", {count});
    const auto weights = io::read_within<double>(group, "weights", {count}, 0, 1);
    const auto errors = io::read_shaped<double>(group, "weight_errors", {count});
    const auto r_hats = io::read_shaped<double>(group, "r_hat", {count});
    for (std::size_t k = 0; k < count; ++k) {
        const auto top = tops.begin() + static_cast<std::ptrdiff_t>(k * parameters);
        summary.hills.push_back({{top, top + static_cast<std::ptrdiff_t>(parameters)},
                                 densities[k],
                                 weights[k],
                                 errors[k],
                                 r_hats[k]});
    }
    return summary;
}

std::string hills_text(const HillsSummary& summary, const std::vector<std::string>& names,
                       const std::vector<double>& scales) {
    if (!summary.known()) return "";
    std::string text = fmt::format("  {}, between which chains changed {}:\n",
                                   io::counted(summary.hills.size(), "hill"),
                                   io::counted(summary.changes, "time"));
    for (std::size_t k = 0; k < summary.hills.size(); ++k) {
        const HillSummary& hill = summary.hills[k];
        text += fmt::format("    hill {}: weight {:.4f}", k + 1, hill.weight);
        if (!std::isnan(hill.weight_error))
            text += fmt::format(" ± {:.4f}, R-hat {:.4f}", hill.weight_error, hill.r_hat);
        text += fmt::format(", density e^{:.1f}", hill.log_density);
        if (k > 0) text += ", " + differences(hill, summary.hills.front(), names, scales);
        text += '\n';
    }
    if (summary.changes == 0)
        text += "  chains NEVER changed the hill, so the weights are not those of the posterior\n";
    return text;
}

std::string hills_json(const HillsSummary& summary) {
    auto hills = nlohmann::ordered_json::array();
    for (const HillSummary& hill : summary.hills)
        hills.push_back({{"weight", hill.weight},
                         {"weight_error", hill.weight_error},
                         {"r_hat", hill.r_hat},
                         {"log_density", hill.log_density},
                         {"top", hill.top}});
    return hills.dump();
}

}  // namespace tessera::likelihood
