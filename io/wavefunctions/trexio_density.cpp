#include "io/wavefunctions/trexio_density.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/text/one_line.hpp"

namespace tessera::io {

void read_trexio_density(const TrexioValues& values, const std::string& wanted,
                         Wavefunction& frame) {
    const auto found = values.arrays.find("rdm_one_e");
    const bool has_it = found != values.arrays.end();
    if (!has_it || wanted != "one_e")
        throw Error("'" + one_line(frame.path) + "' has no density matrix '" +
                        one_line(wanted, 30) + "'",
                    has_it ? "it has one_e" : "it has none",
                    has_it ? "name this one" : "write the file with rdm.one_e");
    const std::vector<double>& d = found->second;
    const std::size_t orbitals = frame.orbitals.size();
    if (d.size() != orbitals * orbitals ||
        !std::ranges::all_of(d, [](double value) { return std::isfinite(value); }))
        throw Error("cannot read wavefunction '" + one_line(frame.path) + "'",
                    "'rdm_one_e' is no matrix of its " + std::to_string(orbitals) + " orbitals",
                    "give a complete file of TREXIO");
    const auto n = static_cast<std::size_t>(frame.basis_functions());
    constexpr std::size_t most_functions = 40000;  ///< 13 GB
    if (n > most_functions)
        throw Error("'" + one_line(frame.path) + "' has " + std::to_string(n) + " basis functions",
                    "density matrices of up to " + std::to_string(most_functions) + " are read",
                    "leave --natural-orbitals out", ExitCode::resources);
    DensityMatrix density{"'rdm.one_e'", std::vector<double>(n * n, 0.0)};
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

}  // namespace tessera::io
