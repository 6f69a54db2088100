#include "orbitals/result/stored_combination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/files/file_name.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::orbitals {

namespace {

/// Why the sum over the grid is not what the orbitals hold, for the first frame.
std::string explained(const StoredCombination& one) {
    const double electrons = one.electrons[0], difference = one.integrals[0] - electrons;
    std::string text = fmt::format("; the orbitals hold {:.6f}", electrons);
    if (std::abs(difference) > 1e-3 * std::max(1.0, std::abs(electrons)))
        text += fmt::format("\n  the grid is off by {:+.6f}, {:+.6f} of it at the nuclei; a finer "
                            "--spacing helps there, and a larger --padding elsewhere",
                            difference, one.core_errors[0]);
    return text;
}

}  // namespace

std::vector<StoredCombination> read_combinations(const io::h5::Group& root, std::uint64_t frames) {
    std::vector<StoredCombination> combinations;
    if (!root.contains("combinations")) return combinations;
    constexpr std::array<const char*, 4> of_grid{"origin", "spacing", "shape", "frames"};
    const io::h5::Group group = root.open_group("combinations");
    for (const std::string& name : group.children()) {
        if (std::ranges::count(of_grid, name) > 0) continue;
        io::require_file_name(root.file(), "combination", name);
        const io::h5::Group one = group.open_group(name);
        StoredCombination found{name,
                                one.read_attribute<std::string>("expression"),
                                one.read_attribute<std::string>("quantity") == "orbital",
                                {},
                                {},
                                {}};
        found.integrals = io::read_finite(one, found.of_orbitals ? "norm" : "integral", {frames});
        if (one.contains("electrons")) {
            found.electrons = io::read_finite(one, "electrons", {frames});
            found.core_errors = io::read_finite(one, "core_grid_error", {frames});
        }
        combinations.push_back(std::move(found));
    }
    return combinations;
}

std::string combination_lines(const std::vector<StoredCombination>& combinations) {
    std::string text;
    for (const StoredCombination& one : combinations) {
        if (one.integrals.empty()) continue;
        text += one.of_orbitals
                    ? fmt::format("{}: norm {:.8f}", one.name, one.integrals[0])
                    : fmt::format("{}: {:.6f} electrons in the box", one.name, one.integrals[0]);
        if (!one.electrons.empty()) text += explained(one);
        text += "\n";
    }
    return text;
}

}  // namespace tessera::orbitals
