#include "plan/orbital_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/hermite_density.hpp"
#include "orbitals/tiles/combined_rows.hpp"
#include "orbitals/tiles/combined_sources.hpp"
#include "plan/grid_trial.hpp"
#include "plan/loaded_orbitals.hpp"

namespace tessera::plan {

namespace {

using orbitals::OrbitalInput;
using orbitals::PreparedOrbitals;

// Seconds to write a file of labels and norms, to write one surface, and to close the file.
constexpr double orbital_write_seconds = 0.004, surface_write_seconds = 2e-3, close_seconds = 0.01;
constexpr double pinned_rate = 20e9;  // bytes/s from a GPU to pinned memory, assumed

/// The number of frames, and the quantities and points of each frame.
struct Counts {
    double frames = 0, items = 0, densities = 0, spins = 0, surfaces = 0;
    double density_surfaces = 0;  ///< whose values count among the densities and spins
    double fields = 0;            ///< derived fields, which are computed together
    double combinations = 0;
    double planes = 0, points = 0;
    double potential_points = 0;  ///< of a frame, on the grid, in lists and on vertices
    double values() const {
        return frames * (points * (items + densities + spins + surfaces + fields + combinations) +
                         potential_points);
    }
};

/// Where the potential is computed in a frame. A surface has about as many vertices as the faces of
/// its box have points.
double potential_points(const PreparedOrbitals& prepared) {
    const auto& shape = prepared.grid.shape;
    const auto x = static_cast<double>(shape[0]), y = static_cast<double>(shape[1]),
               z = static_cast<double>(shape[2]);
    double points = static_cast<double>(prepared.points.size());
    if (prepared.potential) points += x * y * z;
    using Kind = orbitals::VertexField::Kind;
    const bool on_vertices = std::ranges::count(prepared.vertex_fields, Kind::potential,
                                                &orbitals::VertexField::kind) > 0;
    const auto surfaces = std::ranges::count_if(
        prepared.tiles, [](const auto& tile) { return is_surface(tile.kind); });
    if (on_vertices)
        points += 2 * (x * y + y * z + z * x) * static_cast<double>(surfaces) /
                  static_cast<double>(prepared.frames.size());
    return points;
}

Counts counts_of(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    const auto& shape = prepared.grid.shape;
    Counts count;
    count.frames = static_cast<double>(prepared.frames.size());
    const auto selected = static_cast<double>(prepared.selection.size());
    count.items = selected;
    count.surfaces = prepared.orbital_level > 0 ? selected : 0;
    const double times = prepared.density_level > 0 ? 2 : 1;  // for the grid and for its surface
    count.densities = (input.density ? times : 0) + (input.mean_density ? 1 : 0);
    count.spins = input.spin_density ? times : 0;
    count.density_surfaces = (times - 1) * ((input.density ? 1 : 0) + (input.spin_density ? 1 : 0));
    count.fields = static_cast<double>(prepared.density_fields.size());
    count.potential_points = potential_points(prepared);
    const auto combined = surfaces_of_combinations(prepared);
    count.combinations = static_cast<double>(prepared.combinations.size() + combined.size());
    count.density_surfaces += static_cast<double>(combined.size());
    count.planes = static_cast<double>(shape[2]);
    count.points = static_cast<double>(shape[0]) * static_cast<double>(shape[1]) * count.planes;
    return count;
}

/// The problem of the first frame, folded as the workload does it.
kernels::OrbitalProblem first_problem(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    kernels::OrbitalProblem problem;
    problem.grid = prepared.grid;
    problem.tolerance = input.tolerance;
    problem.double_precision = input.double_precision;
    orbitals::fold_orbitals(prepared.frames.front().wavefunction, loaded_orbitals(input, prepared),
                            problem);
    return problem;
}

/// Operations for the potential at a point: the recursion and the sum of each product, and about 60
/// for its Boys functions.
double potential_flops(const kernels::PotentialProblem& problem) {
    double flops = 0;
    for (const kernels::HermiteProduct& product : problem.products) {
        const int d = product.degree;
        flops +=
            60 + 2.0 * kernels::hermite_count(d) + 4.0 * kernels::hermite_count(d) * (d + 4) / 4;
    }
    return flops;
}

double frame_seconds(const Counts& count, const OrbitalSample& sample) {
    return count.planes *
               (count.items * sample.orbital_plane + sample.overlap_plane + sample.fields_plane +
                count.densities * sample.density_plane + count.spins * sample.spin_plane +
                count.combinations * sample.combination_plane) +
           count.surfaces * sample.surface + count.potential_points * sample.potential_point;
}

/// Share of the items (the first orbitals of the problem) that are computed in both precisions.
double share_in_double(const kernels::OrbitalProblem& problem, double items) {
    const auto rows = kernels::rows_for_double(problem);
    return static_cast<double>(std::ranges::count_if(rows, [&](int row) { return row < items; })) /
           items;
}

/// A combination on the whole grid. Its rows are evaluated one after another, in double precision
/// if they are squared.
double table_combination_seconds(const DeviceDescription& gpu, const OrbitalInput& input,
                                 const PreparedOrbitals& prepared, std::size_t combination) {
    const orbitals::CombinedRows rows = combine(prepared, 0, combination);
    std::vector<int> all(rows.weights.size());
    std::iota(all.begin(), all.end(), 0);
    if (all.empty()) return 0;
    kernels::OrbitalProblem problem;
    problem.grid = prepared.grid;
    problem.tolerance = input.tolerance;
    orbitals::fold_orbitals(rows.wavefunction, all, problem);
    return static_cast<double>(all.size()) *
           table_kernel_seconds(gpu, kernels::screened_work(problem, 1024), 1,
                                rows.of_squares || input.double_precision);
}

/// The times of a sample for a GPU of the table, from the work that remains after screening.
OrbitalSample table_sample(const DeviceDescription& gpu, const OrbitalInput& input,
                           const PreparedOrbitals& prepared, const Counts& count) {
    const kernels::OrbitalProblem problem = first_problem(input, prepared);
    const kernels::ScreenedWork work = kernels::screened_work(problem, 1024);
    const auto all = static_cast<double>(problem.coefficients.size());
    const double batch = std::max(1.0, std::min(count.items, 96.0));
    const bool in_double = input.double_precision;
    OrbitalSample sample;
    sample.load = 1e-3 + static_cast<double>(problem.groups.size()) * all * 10 * 8 / 5e9;
    sample.cold = 3e-3;  // loading the kernels in a run on an H200
    const auto items = static_cast<double>(prepared.frames.front().items.size());
    const double one = table_kernel_seconds(gpu, work, 1, in_double);
    sample.orbital_plane = table_kernel_seconds(gpu, work, batch, in_double) / count.planes;
    if (!in_double && items > 0)
        sample.orbital_plane += share_in_double(problem, items) *
                                table_kernel_seconds(gpu, work, 1, true) / count.planes;
    const double weighted = all - items;
    sample.density_plane = sample.spin_plane = one * weighted / count.planes;
    if (count.fields > 0) {
        constexpr double times_density = 6;  // assumed: products of rows and columns
        sample.fields_plane =
            times_density * weighted * table_kernel_seconds(gpu, work, 1, true) / count.planes;
    }
    for (std::size_t c = 0; c < prepared.combinations.size(); ++c)
        sample.combination_plane += table_combination_seconds(gpu, input, prepared, c) /
                                    static_cast<double>(prepared.combinations.size()) /
                                    count.planes;
    sample.surface = 3 * one + 1e-3;
    if (count.potential_points > 0) {
        const auto& frame = prepared.frames.front().wavefunction;
        const double flops = potential_flops(orbitals::potential_problem(
            frame, orbitals::density_weights(frame, false), input.potential_tolerance));
        constexpr double share_of_peak = 0.05;  // assumed
        sample.potential_point = flops / (gpu.fp64_flops * share_of_peak);
    }
    if (input.overlap_matrix) {
        constexpr double share_of_peak = 0.2;  // assumed
        const double sums = count.items * (count.items + 1) * count.points / count.planes;
        sample.overlap_plane = sums / (gpu.fp64_flops * share_of_peak) +
                               count.items * sample.orbital_plane * (1 + count.items / batch) / 2;
    }
    return sample;
}

/// Fills `plan` for one device. The run writes `grids` bytes of grids.
void plan_device(const OrbitalInput& input, const PreparedOrbitals& prepared,
                 const PlannedDevice& device, const std::string& output, double grids,
                 LocalPlan& plan) {
    RankPlan& rank = plan.rank;
    const Counts count = counts_of(input, prepared);
    const auto tile_shape = orbitals::choose_tile_shape(
        static_cast<std::int64_t>(prepared.selection.size()), prepared.grid.shape, input.grids);
    rank.memory_bytes = device_bytes(input, prepared);
    rank.arrangement = fmt::format(
        "up to {} and {} per tile; {:.2f} GiB planned", io::counted(tile_shape.batch, "orbital"),
        io::counted(tile_shape.planes, "plane"), static_cast<double>(rank.memory_bytes) / 0x1p30);
    if (rank.memory_bytes > rank.device.free_bytes) {
        rank.why_not = fmt::format(
            "the tiles of this grid do not fit on the device (they need {:.2f} GiB, {:.2f} GiB are "
            "free): use a coarser --spacing or another device",
            static_cast<double>(rank.memory_bytes) / 0x1p30,
            static_cast<double>(rank.device.free_bytes) / 0x1p30);
        return;
    }
    const OrbitalSample sample = device.is_here()
                                     ? sample_orbitals(rank.device.backend, input, prepared)
                                     : table_sample(rank.device, input, prepared, count);
    double seconds = count.frames * frame_seconds(count, sample);
    GridTrial trial;
    if (device.is_here() && grids > 0) {
        trial = try_grids(rank.device.backend, input, prepared, sample, output);
        seconds += grids * trial.byte_seconds;
    } else {  // A thread writes while the device computes. The slower of the two decides the time.
        seconds = std::max(seconds + grids / pinned_rate, grids * assumed_byte_seconds(input));
    }
    rank.item_seconds = seconds / std::max(plan.job.items, 1.0);
    rank.first_tile_seconds = count.frames * (sample.load + sample.potential_load) + sample.cold;
    rank.basis = device.is_here() ? Basis::sampled : Basis::table;
    plan.writes = {grids, trial.synced_rate};
    if (device.is_here()) plan.writes.cached = bytes_kept_in_memory();
}

}  // namespace

LocalPlan plan_orbitals(const OrbitalInput& input, const PlanRequest& request) {
    LocalPlan plan;
    orbitals::FramesRead frames;
    PreparedOrbitals prepared;
    const double reading = seconds_of([&] { frames = orbitals::read_frames(input, plan.notes); });
    const double planning =
        seconds_of([&] { prepared = orbitals::prepare(input, std::move(frames)); });
    plan.notes.insert(plan.notes.end(), prepared.messages.begin(), prepared.messages.end());
    plan.before = {{"start program", request.program_start_seconds, Basis::measured},
                   {"reading", reading, Basis::measured},
                   {"planning", planning, Basis::measured}};
    const orbitals::GridOutput grids = orbitals::grids_of(input, prepared);
    plan.job = {"orbital", "grid points", counts_of(input, prepared).values(),
                std::ssize(prepared.tiles), "tiles"};
    plan.rank.precision = input.double_precision ? "double" : "single";
    if (!request.output.empty()) {
        try {
            require_disk(request.output, grids);
        } catch (const Error& error) {
            plan.rank.why_not = error.what();
        }
    }
    const std::string disk_full = plan.rank.why_not;
    const PlannedDevice device = start_device(request, plan.rank);
    if (!disk_full.empty()) plan.rank.why_not = disk_full;
    if (!plan.rank.can_run()) return plan;
    plan_device(input, prepared, device, request.output, grid_bytes(grids), plan);
    const Counts count = counts_of(input, prepared);
    plan.after = {
        {"write result",
         orbital_write_seconds +
             count.frames * (count.surfaces + count.density_surfaces) * surface_write_seconds,
         Basis::table},
        {"close file", close_seconds, Basis::table}};
    return plan;
}

}  // namespace tessera::plan
