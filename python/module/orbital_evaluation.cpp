#include "orbital_evaluation.hpp"

#include <numeric>
#include <tuple>
#include <utility>

#include "array_pool.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/natural_transition_orbitals.hpp"
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

/// Grids up to this size are evaluated without slabs.
constexpr std::size_t most_at_once = std::size_t{4} << 30;

/// The orbitals with a weight in the density, and their weights.
std::pair<std::vector<int>, std::vector<double>>
weighted_orbitals(const io::Wavefunction& wavefunction, bool of_spin) {
    std::pair<std::vector<int>, std::vector<double>> found;
    const auto weights = orbitals::density_weights(wavefunction, of_spin);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        found.first.push_back(static_cast<int>(i));
        found.second.push_back(weights[i]);
    }
    return found;
}

std::vector<int> numbered(int first, int count) {
    std::vector<int> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), first);
    return rows;
}

bool same(const UniformGrid& a, const UniformGrid& b) {
    const auto equal = [](Vec3 u, Vec3 v) { return u.x == v.x && u.y == v.y && u.z == v.z; };
    return equal(a.origin, b.origin) && equal(a.spacing, b.spacing) && a.shape == b.shape;
}

}  // namespace

OrbitalEvaluation::OrbitalEvaluation(const std::string& path, int frame, const Options& options) {
    input_.paths = {path};
    input_.frames = std::to_string(frame);
    input_.double_precision = options.double_precision;
    input_.tolerance = options.tolerance;
    input_.isolated = options.isolated;
    input_.natural_orbitals = options.natural_orbitals;
    input_.transition_orbitals = options.transition_orbitals;
    orbitals::validate(input_);
    read_ = orbitals::read_frames(input_, messages_);
    io::Wavefunction& wavefunction = read_.frames[0].wavefunction;
    if (!options.transition_matrices.empty())
        orbitals::take_natural_transition_orbitals(
            wavefunction, {"the given matrix", options.transition_matrices}, messages_);
    if (options.repair_norms) orbitals::repair_norms(wavefunction);
    const auto backend = running_device().backend;
    compute([&] {
        evaluator_ = kernels::kept_if_lost(kernels::make_orbital_evaluator(backend));
        points_ = kernels::kept_if_lost(kernels::make_point_evaluator(backend));
    });
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

UniformGrid OrbitalEvaluation::cell_grid(Vec3 spacing, Vec3 origin) const {
    auto input = input_;
    input.cell_grid = true;
    input.spacing = spacing;
    input.origin = origin;
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
                                                           const UniformGrid& grid,
                                                           orbitals::FramesRead read) const {
    input.origin = grid.origin;
    input.spacing = grid.spacing;
    input.shape = grid.shape;
    orbitals::validate(input);
    return orbitals::prepare(input, std::move(read));
}

std::shared_ptr<const OrbitalEvaluation::Plan>
OrbitalEvaluation::plan_for(Kind kind, const std::string& list, const UniformGrid& grid) {
    if (plan_ && plan_->kind == kind && plan_->list == list && same(plan_->grid, grid))
        return plan_;
    auto input = input_;
    input.orbitals = list;
    input.density = kind == Kind::density;
    input.spin_density = kind == Kind::spin_density;
    const auto prepared = prepared_for(input, grid, read_);
    Plan plan{kind, list, grid, prepared.tiles, {}, {}};
    if (kind == Kind::orbitals)
        for (const auto& item : prepared.frames[0].items) plan.orbitals.push_back(item.orbital);
    else
        std::tie(plan.orbitals, plan.weights) =
            weighted_orbitals(wavefunction(), kind == Kind::spin_density);
    return plan_ = std::make_shared<const Plan>(std::move(plan));
}

void OrbitalEvaluation::load(const UniformGrid& grid, const io::Wavefunction& wavefunction,
                             const std::vector<int>& rows, bool double_precision) {
    loaded_.reset();
    kernels::OrbitalProblem problem;
    problem.grid = grid;
    problem.tolerance = input_.tolerance;
    problem.double_precision = double_precision;
    orbitals::fold_orbitals(wavefunction, rows, problem);
    evaluator_->load(problem);
}

void OrbitalEvaluation::load(const std::shared_ptr<const Plan>& plan) {
    if (loaded_ == plan) return;
    load(plan->grid, wavefunction(), plan->orbitals, input_.double_precision);
    loaded_ = plan;
}

void OrbitalEvaluation::orbitals_on_grid(const std::string& list, const UniformGrid& grid,
                                         const MakeMemory& make) {
    const auto plan = plan_for(Kind::orbitals, list, grid);
    std::byte* const out = make(plan->orbitals.size()).data;
    const std::size_t plane =
        static_cast<std::size_t>(grid.shape[0] * grid.shape[1]) * value_bytes();
    const std::size_t whole = plane * static_cast<std::size_t>(grid.shape[2]);
    compute([&] {
        load(plan);
        // The batches of the program decide the bits, but its slabs do not. The slabs of many rows
        // would not lie in `out` as the evaluator writes them.
        for (const auto& work : plan->tiles) {
            const auto rows = numbered(work.first, work.count);
            const bool at_once = whole <= most_at_once;
            if (at_once && work.first_plane > 0) continue;
            const auto block =
                at_once ? kernels::PointBlock{{0, 0, 0}, grid.shape} : slab(grid, work);
            std::byte* const place = out + static_cast<std::size_t>(work.first) * whole +
                                     static_cast<std::size_t>(work.first_plane) * plane;
            if (at_once) {
                evaluator_->evaluate(block, rows, place, rows.size());
                continue;
            }
            for (std::size_t row = 0; row < rows.size(); ++row)
                evaluator_->evaluate(block, std::span(&rows[row], 1), place + row * whole,
                                     rows.size());
        }
    });
}

void OrbitalEvaluation::write_density(const Plan& plan, std::byte* out) {
    const auto rows = numbered(0, static_cast<int>(plan.orbitals.size()));
    const std::size_t plane =
        static_cast<std::size_t>(plan.grid.shape[0] * plan.grid.shape[1]) * value_bytes();
    for (const auto& work : plan.tiles)
        evaluator_->density(slab(plan.grid, work), rows, plan.weights,
                            out + static_cast<std::size_t>(work.first_plane) * plane);
}

void OrbitalEvaluation::density_on_grid(bool of_spin, const UniformGrid& grid,
                                        const MakeMemory& make) {
    const auto plan = plan_for(of_spin ? Kind::spin_density : Kind::density, "", grid);
    const GridMemory out = make(1);
    const auto count = static_cast<int>(plan->orbitals.size());
    compute([&] {
        if (count > 0) load(plan);
        int in_double = 0;
        for (int row = 0; row < count; ++row) in_double += evaluator_->computed_in_double(row);
        const bool mixed = in_double > 0 && in_double < count;
        if (count > 0 && !(out.on_device && mixed)) return write_density(*plan, out.data);
        // A closed shell has no spin density. Densities of both precisions meet on the host.
        std::vector<std::byte> values(static_cast<std::size_t>(grid.size()) * value_bytes());
        if (count > 0) write_density(*plan, values.data());
        copy_memory(out.data, values.data(), values.size());
    });
}

void OrbitalEvaluation::orbitals_at(const std::string& list, std::span<const double> points,
                                    std::span<double> out) const {
    kernels::OrbitalProblem problem = problem_around(points);
    orbitals::fold_orbitals(wavefunction(), find(list), problem);
    compute([&] { values_at_points(problem, points, out); });
}

void OrbitalEvaluation::density_at(bool of_spin, std::span<const double> points,
                                   std::span<double> out) const {
    const auto [rows, weights] = weighted_orbitals(wavefunction(), of_spin);
    kernels::OrbitalProblem problem = problem_around(points);
    orbitals::fold_orbitals(wavefunction(), rows, problem);
    compute([&, &weights = weights] { density_at_points(problem, weights, points, out); });
}

}  // namespace tessera::python
