#include "plan/loaded_orbitals.hpp"

#include <algorithm>
#include <numeric>

#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/periodic_images.hpp"
#include "orbitals/tiles/combined_values.hpp"

namespace tessera::plan {

namespace {

using orbitals::OrbitalInput;
using orbitals::PreparedOrbitals;

// The host has a coefficient in the problem, in the table that it makes of it and in the table that
// kernels read, and once more where some orbitals are computed in double precision.
constexpr std::int64_t coefficient = 4 * 8, group = 200;

/// Of some orbitals of a periodic system that are loaded together.
std::int64_t bytes_with_images(const OrbitalInput& input, const UniformGrid& grid,
                               io::Wavefunction wavefunction, const std::vector<int>& chosen,
                               int derivatives) {
    const Lattice lattice = *wavefunction.lattice;
    wavefunction.lattice.reset();
    kernels::OrbitalProblem problem;
    problem.grid = grid;
    problem.tolerance = input.tolerance;
    problem.derivatives = derivatives;
    orbitals::fold_orbitals(wavefunction, chosen, problem);
    const orbitals::ProblemSize size = orbitals::size_with_images(lattice, problem);
    return static_cast<std::int64_t>(size.groups) * group +
           static_cast<std::int64_t>(size.coefficients * chosen.size()) * coefficient;
}

std::int64_t bytes_of_periodic_system(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    const int derivatives = prepared.density_fields.empty() ? 0 : 2;
    std::int64_t bytes =
        bytes_with_images(input, prepared.grid, prepared.frames.front().wavefunction,
                          loaded_orbitals(input, prepared), derivatives);
    for (std::size_t c = 0; c < prepared.combinations.size(); ++c) {
        const orbitals::CombinedRows rows = combine(prepared, 0, c);
        bytes = std::max(
            bytes, bytes_with_images(input, prepared.grid, rows.wavefunction, all_rows(rows), 0));
    }
    return bytes;
}

}  // namespace

std::vector<int> loaded_orbitals(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    const orbitals::OrbitalFrame& frame = prepared.frames.front();
    std::vector<int> chosen;
    for (const orbitals::TrackedOrbital& item : frame.items) chosen.push_back(item.orbital);
    const auto add = [&](bool of_spin) {
        const auto weights = orbitals::density_weights(frame.wavefunction, of_spin);
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights[i] != 0) chosen.push_back(static_cast<int>(i));
    };
    if (needs_density(input) || !prepared.density_fields.empty()) add(false);
    if (input.spin_density) add(true);
    return chosen;
}

std::int64_t coefficient_bytes(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    if (prepared.frames.front().wavefunction.lattice)
        return bytes_of_periodic_system(input, prepared);
    std::int64_t bytes = 0;
    for (const orbitals::OrbitalFrame& frame : prepared.frames) {
        const auto functions = static_cast<std::int64_t>(frame.wavefunction.basis_functions());
        const auto rows = static_cast<std::int64_t>(frame.wavefunction.orbitals.size());
        bytes = std::max(bytes, coefficient * functions * rows);
    }
    return bytes;
}

}  // namespace tessera::plan
