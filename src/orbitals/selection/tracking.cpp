#include "orbitals/selection/tracking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::orbitals {

namespace {

/// c^T S: how each basis function of the current frame overlaps with an orbital of the previous
/// one.
std::vector<double> projected(const std::vector<double>& coefficients,
                              const std::vector<double>& overlap, std::size_t columns) {
    std::vector<double> row(columns, 0.0);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        if (coefficients[i] == 0) continue;
        const double* const s = overlap.data() + i * columns;
        for (std::size_t j = 0; j < columns; ++j) row[j] += coefficients[i] * s[j];
    }
    return row;
}

struct Candidate {
    double overlap = 0;
    int previous = 0, current = 0;
};

}  // namespace

std::vector<TrackedOrbital> track(const io::Wavefunction& previous,
                                  const std::vector<TrackedOrbital>& previous_items,
                                  const io::Wavefunction& current,
                                  const std::vector<double>& overlap) {
    const auto columns = static_cast<std::size_t>(current.basis_functions());
    std::map<int, int> signs;  // of each orbital that is followed
    for (const TrackedOrbital& item : previous_items) signs[item.orbital] = item.sign;
    std::vector<Candidate> candidates;
    for (const auto& [index, sign] : signs) {
        const auto& before = previous.orbitals[static_cast<std::size_t>(index)];
        const std::vector<double> row = projected(before.coefficients, overlap, columns);
        for (std::size_t m = 0; m < current.orbitals.size(); ++m) {
            const auto& now = current.orbitals[m];
            if (now.spin != before.spin) continue;
            double sum = 0;
            for (std::size_t j = 0; j < columns; ++j) sum += row[j] * now.coefficients[j];
            candidates.push_back({sign * sum, index, static_cast<int>(m)});
        }
    }
    // The sort is stable, so equal overlaps keep the order of the file.
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return std::abs(a.overlap) > std::abs(b.overlap);
    });
    std::map<int, TrackedOrbital> found;
    std::vector<bool> taken(current.orbitals.size(), false);
    for (const Candidate& c : candidates) {
        if (found.contains(c.previous) || taken[static_cast<std::size_t>(c.current)]) continue;
        taken[static_cast<std::size_t>(c.current)] = true;
        found[c.previous] = {c.current, c.overlap < 0 ? -1 : 1, std::abs(c.overlap)};
    }
    std::vector<TrackedOrbital> items;
    for (const TrackedOrbital& item : previous_items) {
        if (!found.contains(item.orbital))
            throw Error(fmt::format("--track: orbital {} is lost in '{}'", item.orbital + 1,
                                    io::one_line(current.path)),
                        "that frame has fewer orbitals of its spin", "leave out --track");
        items.push_back(found[item.orbital]);
    }
    return items;
}

}  // namespace tessera::orbitals
