#include "io/wavefunctions/fchk_matrices.hpp"

#include <algorithm>
#include <cctype>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/text/whole_number.hpp"

namespace tessera::io {

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

}  // namespace

// Rows of the lower triangle, one after the other.
DensityMatrix read_fchk_density(const FchkEntries& entries, const TextSource& source,
                                const std::string& wanted, const std::vector<std::size_t>& order) {
    std::string list;
    std::string name;
    for (const std::string& one : entries.between("Total ", " Density")) {
        list += (list.empty() ? "" : ", ") + one;
        if (lower(one) == lower(wanted)) name = "Total " + one + " Density";
    }
    if (name.empty())
        throw Error("'" + one_line(source.path) + "' has no density matrix '" +
                        one_line(wanted, 30) + "'",
                    list.empty() ? "it has none" : "it has " + one_line(list, 200),
                    list.empty() ? "write the checkpoint with its density" : "name one of these");
    const std::size_t n = order.size();
    const auto values = entries.array<double>(name, n * (n + 1) / 2);
    DensityMatrix density{"'" + name + "'", std::vector<double>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t a = std::max(order[i], order[j]), b = std::min(order[i], order[j]);
            density.values[i * n + j] = values[a * (a + 1) / 2 + b];
        }
    return density;
}

// [state][alpha, beta][function][function], whole matrices. A second half, of left and right
// transition densities, belongs to methods whose states are not orthogonal.
TransitionDensity read_fchk_transition(const FchkEntries& entries, const TextSource& source,
                                       const std::string& wanted,
                                       const std::vector<std::size_t>& order) {
    constexpr const char *count = "Number of g2e trans dens", *name = "G to E trans densities";
    constexpr const char* sides = "Excited state NLR";
    const bool has_any = entries.find(name) && entries.find(count);
    const auto states = has_any ? static_cast<std::size_t>(entries.scalar(count)) : 0;
    const std::size_t state = whole_number(wanted);
    if (state < 1 || state > states)
        throw Error("'" + one_line(source.path) + "' has no transition density of state " +
                        one_line(wanted, 30),
                    states == 0 ? "it has none" : "it has states 1 to " + std::to_string(states),
                    states == 0 ? "write the checkpoint with them, or give a file with the matrix"
                                : "name one of these");
    if (entries.find(sides) && entries.scalar(sides) > 1)
        TextScanner(source).fail_at(entries.needed(sides).line,
                                    "left and right transition densities",
                                    "those of one kind are read");
    const std::size_t n = order.size();
    const auto values = entries.array<double>(name, 0);
    if (values.size() % (2 * n * n) != 0 || values.size() / (2 * n * n) != states)
        TextScanner(source).fail_at(entries.needed(name).line,
                                    "'" + std::string(name) + "' has " +
                                        counted(values.size(), "value") + ", which are not " +
                                        counted(states, "pair") + " of matrices of " +
                                        counted(n, "function"),
                                    fchk_advice);
    TransitionDensity transition{"state " + std::to_string(state), false, {}};
    for (std::size_t spin = 0; spin < 2; ++spin) {
        const double* const matrix = values.data() + ((state - 1) * 2 + spin) * n * n;
        std::vector<double>& to = transition.spins[spin];
        to.reserve(n * n);
        for (const std::size_t i : order)
            for (const std::size_t j : order) to.push_back(matrix[i * n + j]);
    }
    return transition;
}

}  // namespace tessera::io
