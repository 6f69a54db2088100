#include "io/wavefunctions/trexio_density.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/text/whole_number.hpp"

namespace tessera::io {

void read_trexio_density(const TrexioValues& values, const std::string& wanted,
                         Wavefunction& frame) {
    auto found = values.arrays.find("rdm_1e");
    if (found == values.arrays.end()) found = values.arrays.find("rdm_one_e");
    const bool has_it = found != values.arrays.end();
    if (!has_it || (wanted != "1e" && wanted != "one_e"))
        throw Error("'" + one_line(frame.path) + "' has no density matrix '" +
                        one_line(wanted, 30) + "'",
                    has_it ? "it has 1e" : "it has none",
                    has_it ? "name this one" : "write the file with rdm.1e");
    const std::vector<double>& d = found->second;
    const std::size_t orbitals = frame.orbitals.size();
    if (d.size() != orbitals * orbitals ||
        !std::ranges::all_of(d, [](double value) { return std::isfinite(value); }))
        throw Error("cannot read wavefunction '" + one_line(frame.path) + "'",
                    "'" + found->first + "' is no matrix of its " + counted(orbitals, "orbital"),
                    "give a complete file of TREXIO");
    const auto n = static_cast<std::size_t>(frame.basis_functions());
    constexpr std::size_t most_functions = 40000;  ///< 13 GB
    if (n > most_functions)
        throw Error("'" + one_line(frame.path) + "' has " + std::to_string(n) + " basis functions",
                    "density matrices of up to " + std::to_string(most_functions) + " are read",
                    "leave --natural-orbitals out", ExitCode::resources);
    DensityMatrix density{found->first == "rdm_1e" ? "'rdm.1e'" : "'rdm.one_e'",
                          std::vector<double>(n * n, 0.0)};
    for (std::size_t a = 0; a < orbitals; ++a) {
        std::vector<double> row(n, 0.0);  // of D C, where D is made symmetric
        for (std::size_t b = 0; b < orbitals; ++b) {
            const double factor = 0.5 * (d[a * orbitals + b] + d[b * orbitals + a]);
            for (std::size_t j = 0; j < n; ++j)
                row[j] += factor * frame.orbitals[b].coefficients[j];
        }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                density.values[i * n + j] += frame.orbitals[a].coefficients[i] * row[j];
    }
    frame.density_matrix = std::move(density);
}

// [state][state][orbital][orbital]. A file may have only one of two states' two matrices.
void read_trexio_transition(const TrexioValues& values, const std::string& wanted,
                            Wavefunction& frame) {
    const auto found = values.arrays.find("rdm_1e_transition");
    const std::size_t m = frame.orbitals.size();
    std::size_t states = 0;
    if (found != values.arrays.end()) {
        const std::size_t pairs = found->second.size() / std::max<std::size_t>(m * m, 1);
        states = static_cast<std::size_t>(std::llround(std::sqrt(pairs)));
        if (states * states * m * m != found->second.size() ||
            !std::ranges::all_of(found->second, [](double value) { return std::isfinite(value); }))
            throw Error("cannot read wavefunction '" + one_line(frame.path) + "'",
                        "'rdm_1e_transition' has no matrices of its " + std::to_string(m) +
                            " orbitals between states",
                        "give a complete file of TREXIO");
    }
    const std::size_t state = whole_number(wanted);
    if (state < 1 || state >= states)
        throw Error("'" + one_line(frame.path) + "' has no transition density of state " +
                        one_line(wanted, 30),
                    states < 2
                        ? "it has none"
                        : "it has those from state 0 to states 1 to " + std::to_string(states - 1),
                    states < 2 ? "write rdm.1e_transition, or give a file with the matrix"
                               : "name one of these");
    const auto matrix = [&](std::size_t from, std::size_t to) {
        return found->second.begin() + static_cast<std::ptrdiff_t>((from * states + to) * m * m);
    };
    const auto size = static_cast<std::ptrdiff_t>(m * m);
    auto begin = matrix(0, state);
    if (std::all_of(begin, begin + size, [](double value) { return value == 0; }))
        begin = matrix(state, 0);
    TransitionDensity transition{"state " + std::to_string(state), true, {}};
    for (const Spin row : {Spin::alpha, Spin::beta})
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m && frame.orbitals[i].spin == row; ++j)
                if (frame.orbitals[j].spin == row)
                    transition.spins[row == Spin::beta].push_back(
                        begin[static_cast<std::ptrdiff_t>(i * m + j)]);
    frame.transition = std::move(transition);
}

}  // namespace tessera::io
