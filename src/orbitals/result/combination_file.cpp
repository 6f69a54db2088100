#include "orbitals/result/combination_file.hpp"

#include "orbitals/result/density_error.hpp"
#include "orbitals/tiles/combined_rows.hpp"

namespace tessera::orbitals {

namespace {

/// Writes what a combination of densities holds by the occupations, and what the grid misses at the
/// nuclei. Products of orbitals do not tell.
void write_expected(io::h5::Group& group, const PreparedOrbitals& prepared,
                    std::size_t combination) {
    std::vector<double> electrons, core_errors;
    for (std::size_t frame = 0; frame < prepared.frames.size(); ++frame) {
        const CombinedRows rows = combine(prepared, frame, combination);
        if (!rows.electrons) return;
        electrons.push_back(*rows.electrons);
        core_errors.push_back(core_grid_error(rows.wavefunction, rows.weights, prepared.grid));
    }
    group.write("electrons", electrons, {"electrons", {}, 0});
    group.write("core_grid_error", core_errors, {"electrons", {}, 0});
}

}  // namespace

void write_combinations(io::h5::Group& group, const PreparedOrbitals& prepared,
                        const std::vector<double>& integrals,
                        const std::vector<std::int32_t>& in_double) {
    const std::size_t count = prepared.combinations.size();
    for (std::size_t c = 0; c < count; ++c) {
        const Combination& combination = prepared.combinations[c];
        io::h5::Group one = group.group(combination.name);
        std::vector<double> own;
        std::vector<std::int8_t> own_in_double;
        for (std::size_t place = c; place < integrals.size(); place += count) {
            own.push_back(integrals[place]);
            own_in_double.push_back(static_cast<std::int8_t>(in_double[place]));
        }
        one.write_attribute("expression", combination.expression);
        one.write_attribute("quantity", combination.of_orbitals() ? "orbital" : "density");
        one.write("computed_in_double", own_in_double);
        if (combination.of_orbitals()) {
            one.write("norm", own);
            continue;
        }
        one.write("integral", own, {"electrons", {}, 0});
        write_expected(one, prepared, c);
    }
}

}  // namespace tessera::orbitals
