#include "orbital_evaluation.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/error.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/norm_repair.hpp"
#include "orbitals/selection/orbital_list.hpp"
#include "orbitals/tiles/grid.hpp"
#include "point_values.hpp"
#include "process_device.hpp"

namespace tessera::python {

namespace {

kernels::PointBlock slab(const UniformGrid& grid, const orbitals::OrbitalWork& work) {
    return {{0, 0, work.first_plane}, {grid.shape[0], grid.shape[1], work.planes}};
}

/// The orbitals with a weight in the density, and their weights.
struct Weighted {
    std::vector<int> orbitals;
    std::vector<double> weights;
};

Weighted weighted_orbitals(const io::Wavefunction& wavefunction, bool of_spin) {
    Weighted found;
    const auto weights = orbitals::density_weights(wavefunction, of_spin);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        found.orbitals.push_back(static_cast<int>(i));
        found.weights.push_back(weights[i]);
    }
    return found;
}

std::vector<int> numbered(int first, int count) {
    std::vector<int> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), first);
    return rows;
}

}  // namespace

OrbitalEvaluation::OrbitalEvaluation(const std::string& path, int frame, bool double_precision,
                                     double tolerance, bool repair_norms) {
    input_.paths = {path};
    input_.frames = std::to_string(frame);
    input_.double_precision = double_precision;
    input_.tolerance = tolerance;
    orbitals::validate(input_);
    read_ = orbitals::read_frames(input_, messages_);
    if (repair_norms) orbitals::repair_norms(read_.frames[0].wavefunction);
    const auto backend = running_device().backend;
    compute([&] { evaluator_ = kernels::kept_if_lost(kernels::make_orbital_evaluator(backend)); });
}

std::vector<std::string> OrbitalEvaluation::warnings() const {
    auto messages = messages_;
    const auto of_orbitals = orbitals::prepare(input_, read_).messages;
    messages.insert(messages.end(), of_orbitals.begin(), of_orbitals.end());
    std::erase_if(messages, [](const std::string& line) { return !line.starts_with("warning: "); });
    return messages;
}

UniformGrid OrbitalEvaluation::grid_around(Vec3 spacing, double padding) const {
    auto input = input_;
    input.spacing = spacing;
    input.padding = padding;
    orbitals::validate(input);
    return orbitals::make_grid(input, {&wavefunction()});
}

std::vector<int> OrbitalEvaluation::find(const std::string& list) const {
    std::vector<int> found;
    for (const auto& item :
         orbitals::select_orbitals(wavefunction(), orbitals::parse_orbital_list(list), {}))
        found.push_back(item.orbital);
    return found;
}

orbitals::PreparedOrbitals OrbitalEvaluation::prepared_for(orbitals::OrbitalInput input,
                                                           const UniformGrid& grid) const {
    input.origin = grid.origin;
    input.spacing = grid.spacing;
    input.shape = grid.shape;
    orbitals::validate(input);
    return orbitals::prepare(input, read_);
}

void OrbitalEvaluation::load(const orbitals::PreparedOrbitals& prepared,
                             const std::vector<int>& rows) {
    kernels::OrbitalProblem problem;
    problem.grid = prepared.grid;
    problem.tolerance = input_.tolerance;
    problem.double_precision = input_.double_precision;
    orbitals::fold_orbitals(prepared.frames[0].wavefunction, rows, problem);
    evaluator_->load(problem);
}

void OrbitalEvaluation::orbitals_on_grid(const std::string& list, const UniformGrid& grid,
                                         std::byte* out) {
    auto input = input_;
    input.orbitals = list;
    const auto prepared = prepared_for(input, grid);
    std::vector<int> chosen;
    for (const auto& item : prepared.frames[0].items) chosen.push_back(item.orbital);
    const std::size_t plane =
        static_cast<std::size_t>(grid.shape[0] * grid.shape[1]) * value_bytes();
    const std::size_t whole = plane * static_cast<std::size_t>(grid.shape[2]);
    compute([&] {
        load(prepared, chosen);
        std::vector<std::byte> buffer;
        for (const auto& work : prepared.tiles) {  // those of the program, which decide the bits
            const auto rows = numbered(work.first, work.count);
            const std::size_t bytes = plane * static_cast<std::size_t>(work.planes);
            std::byte* const place = out + static_cast<std::size_t>(work.first) * whole +
                                     static_cast<std::size_t>(work.first_plane) * plane;
            if (bytes == whole || rows.size() == 1) {
                evaluator_->evaluate(slab(grid, work), rows, place, rows.size());
                continue;
            }
            buffer.resize(bytes * rows.size());
            evaluator_->evaluate(slab(grid, work), rows, buffer.data(), rows.size());
            for (std::size_t row = 0; row < rows.size(); ++row)
                std::memcpy(place + row * whole, buffer.data() + row * bytes, bytes);
        }
    });
}

void OrbitalEvaluation::density_on_grid(bool of_spin, const UniformGrid& grid, std::byte* out) {
    auto input = input_;
    input.density = !of_spin;
    input.spin_density = of_spin;
    const auto prepared = prepared_for(input, grid);
    const Weighted weighted = weighted_orbitals(prepared.frames[0].wavefunction, of_spin);
    const std::size_t plane =
        static_cast<std::size_t>(grid.shape[0] * grid.shape[1]) * value_bytes();
    if (weighted.orbitals.empty()) {  // a closed shell has no spin density
        std::memset(out, 0, plane * static_cast<std::size_t>(grid.shape[2]));
        return;
    }
    const auto rows = numbered(0, static_cast<int>(weighted.orbitals.size()));
    compute([&] {
        load(prepared, weighted.orbitals);
        for (const auto& work : prepared.tiles)
            evaluator_->density(slab(grid, work), rows, weighted.weights,
                                out + static_cast<std::size_t>(work.first_plane) * plane);
    });
}

orbitals::SurfaceMesh OrbitalEvaluation::isosurface(const std::string& orbital, double isovalue,
                                                    const UniformGrid& grid) {
    auto input = input_;
    input.orbitals = orbital;
    input.isosurface = isovalue;
    const auto prepared = prepared_for(input, grid);
    const auto& items = prepared.frames[0].items;
    if (items.size() != 1)
        throw Error("'" + orbital + "' names " + std::to_string(items.size()) + " orbitals",
                    "a surface belongs to one", "name one orbital");
    orbitals::SurfaceMesh mesh;
    compute([&] {
        load(prepared, {items[0].orbital});
        orbitals::make_surface(
            *evaluator_, grid.shape, 0, isovalue, orbitals::choose_surface_planes(grid.shape),
            [&](const kernels::SurfaceView& view) { mesh = orbitals::SurfaceMesh(view); });
    });
    return mesh;
}

void OrbitalEvaluation::orbitals_at(const std::string& list, std::span<const double> points,
                                    std::span<double> out) const {
    kernels::OrbitalProblem problem;
    orbitals::fold_orbitals(wavefunction(), find(list), problem);
    compute([&] { values_at_points(problem, points, out); });
}

void OrbitalEvaluation::density_at(bool of_spin, std::span<const double> points,
                                   std::span<double> out) const {
    const Weighted weighted = weighted_orbitals(wavefunction(), of_spin);
    kernels::OrbitalProblem problem;
    orbitals::fold_orbitals(wavefunction(), weighted.orbitals, problem);
    compute([&] { density_at_points(problem, weighted.weights, points, out); });
}

}  // namespace tessera::python
