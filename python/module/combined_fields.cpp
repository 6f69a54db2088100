// Combinations of densities and orbitals (declared in orbital_evaluation.hpp).
#include <string>
#include <utility>

#include "array_pool.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbital_evaluation.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/tiles/combined_values.hpp"
#include "point_values.hpp"
#include "process_device.hpp"

namespace tessera::python {

namespace {

/// The wavefunction that an expression calls `name`.
const OrbitalEvaluation& named(const OrbitalEvaluation::CombinationRequest& request,
                               const std::string& name) {
    if (orbitals::is_frame_number(name))
        throw Error("the expression names frame " + name, "a Wavefunction is one frame",
                    "give other frames a name in others");
    for (const auto& [known, other] : request.others)
        if (known == name) return *other;
    throw Error("there is no wavefunction '" + io::one_line(name) + "'",
                "others has none of this name", "add it, or correct the expression");
}

}  // namespace

orbitals::PreparedOrbitals
OrbitalEvaluation::prepared_combination(const CombinationRequest& request,
                                        orbitals::OrbitalInput input,
                                        const UniformGrid& grid) const {
    input.combine = {"combination = " + request.expression};
    input.different_geometries = request.different_geometries;
    auto read = read_;
    for (const std::string& name :
         orbitals::sources_of(orbitals::parse_combinations(input.combine).front())) {
        if (name.empty()) continue;  // this wavefunction
        const OrbitalEvaluation& other = named(request, name);
        input.with.push_back(name + "=" + other.wavefunction().path);
        read.sources.push_back({name, other.read_.frames});
    }
    return prepared_for(std::move(input), grid, std::move(read));
}

void OrbitalEvaluation::load_combination(const UniformGrid& grid,
                                         const orbitals::CombinedRows& rows) {
    load(grid, rows.wavefunction, orbitals::all_rows(rows),
         orbitals::needs_double(rows, input_.double_precision));
}

void OrbitalEvaluation::combination_on_grid(const CombinationRequest& request,
                                            const UniformGrid& grid, const MakeMemory& make) {
    const auto prepared = prepared_combination(request, input_, grid);
    const auto rows = orbitals::combine(prepared, 0, 0);
    const GridMemory out = make(1);
    const std::size_t plane =
        static_cast<std::size_t>(grid.shape[0] * grid.shape[1]) * value_bytes();
    compute([&] {
        if (!rows.weights.empty()) load_combination(grid, rows);
        // Squares are rounded on the host.
        std::vector<std::byte> of_host(
            out.on_device ? plane * static_cast<std::size_t>(grid.shape[2]) : 0);
        std::byte* const values = out.on_device ? of_host.data() : out.data;
        for (const orbitals::OrbitalWork& work : prepared.tiles)
            orbitals::combined_values(
                *evaluator_, rows,
                {{0, 0, work.first_plane}, {grid.shape[0], grid.shape[1], work.planes}},
                in_double(), values + static_cast<std::size_t>(work.first_plane) * plane);
        if (out.on_device) copy_memory(out.data, values, of_host.size());
    });
}

void OrbitalEvaluation::combination_at(const CombinationRequest& request,
                                       std::span<const double> points,
                                       std::span<double> out) const {
    const UniformGrid unused{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
    const auto rows = orbitals::combine(prepared_combination(request, input_, unused), 0, 0);
    kernels::OrbitalProblem problem = problem_around(points);
    orbitals::fold_orbitals(rows.wavefunction, orbitals::all_rows(rows), problem);
    compute([&] {
        if (rows.of_squares)
            density_at_points(problem, rows.weights, points, out);
        else
            values_at_points(problem, points, out);
    });
}

}  // namespace tessera::python
