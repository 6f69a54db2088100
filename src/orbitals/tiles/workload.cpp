#include "orbitals/tiles/workload.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "orbitals/tiles/stopwatch.hpp"

namespace tessera::orbitals {

namespace {

/// The items [first, first + count), as a whole or in parts of eight.
std::vector<std::vector<int>> parts_of(int first, int count, bool in_parts) {
    std::vector<std::vector<int>> parts;
    const int step = in_parts ? 8 : count;
    for (int from = first; from < first + count; from += step) {
        auto& part = parts.emplace_back(std::min(step, first + count - from));
        std::iota(part.begin(), part.end(), from);
    }
    return parts;
}

}  // namespace

void OrbitalWorkload::fold(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                           kernels::OrbitalProblem& problem) {
    const Stopwatch watch(folding_seconds_);
    problem.grid = prepared_.grid;
    problem.tolerance = input_.tolerance;
    problem.double_precision = input_.double_precision;
    if (!basis_ || !basis_->is_of(wavefunction)) basis_.emplace(wavefunction);
    basis_->fold(wavefunction, orbitals, problem);
}

void OrbitalWorkload::load_frame(std::int32_t frame) {
    if (frame == loaded_frame_) return;
    loaded_frame_ = -1;
    combined_.reset();
    const OrbitalFrame& source = prepared_.frames[static_cast<std::size_t>(frame)];
    std::vector<int> orbitals;
    for (const TrackedOrbital& item : source.items) orbitals.push_back(item.orbital);
    const auto add_weighted = [&](bool of_spin, std::vector<int>& rows,
                                  std::vector<double>& weights) {
        rows.clear();
        weights.clear();
        const auto all = density_weights(source.wavefunction, of_spin);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] == 0) continue;
            rows.push_back(static_cast<int>(orbitals.size()));
            weights.push_back(all[i]);
            orbitals.push_back(static_cast<int>(i));
        }
    };
    if (needs_density(input_)) add_weighted(false, density_rows_, density_weights_);
    if (input_.spin_density) add_weighted(true, spin_rows_, spin_weights_);

    kernels::OrbitalProblem problem;
    fold(source.wavefunction, orbitals, problem);
    for (std::size_t i = 0; i < source.items.size(); ++i)
        if (source.items[i].sign < 0)
            for (double& coefficient : problem.coefficients[i]) coefficient = -coefficient;
    const Stopwatch watch(evaluation_seconds_);
    evaluator_.load(problem);
    loaded_frame_ = frame;
}

TilePartial<OrbitalSum> OrbitalWorkload::run(const Tile& tile, bool one_by_one) {
    const OrbitalWork& work = prepared_.tiles[static_cast<std::size_t>(tile.id.value)];
    TilePartial<OrbitalSum> partial{tile.id, {}};
    if (work.kind == TileKind::potential_points) {
        const Stopwatch watch(evaluation_seconds_);
        sinks_.potentials(tile.id, sinks_.potential->at_points_of(work));
        return partial;
    }
    if (work.kind == TileKind::fields)
        load_fields(work.frame);
    else if (work.kind == TileKind::combination || work.kind == TileKind::combination_surface)
        load_combination(work.frame, work.first);
    else if (work.kind != TileKind::potential)
        load_frame(work.frame);
    if (is_surface(work.kind)) {
        if (work.kind == TileKind::surface)
            make_surface(work, one_by_one);
        else if (work.kind == TileKind::combination_surface)
            make_combination_surface(work, one_by_one);
        else
            make_density_surface(work, one_by_one);
        return partial;
    }
    io::GridWriter* const writer = sinks_.writer;
    std::vector<io::GridBlock> blocks;
    if (writer) blocks = grid_blocks_of(work, prepared_, sinks_.targets);
    io::GridBuffer buffer = blocks.empty() ? io::GridBuffer() : writer->acquire();
    if (work.kind == TileKind::orbitals)
        evaluate_orbitals(work, buffer.data(), one_by_one, partial.records);
    else if (work.kind == TileKind::overlaps)
        evaluate_overlaps(work, one_by_one, partial.records);
    else if (work.kind == TileKind::mean_density)
        add_densities(tile, work, partial.records);
    else if (work.kind == TileKind::fields)
        evaluate_fields(work, buffer.data(), partial.records);
    else if (work.kind == TileKind::potential)
        evaluate_potential(work, buffer.data());
    else if (work.kind == TileKind::combination)
        evaluate_combination(work, buffer.data(), partial.records);
    else
        evaluate_density(work, buffer.data(), partial.records);
    if (!blocks.empty()) writer->submit(std::move(blocks), std::move(buffer));
    return partial;
}

void OrbitalWorkload::evaluate_orbitals(const OrbitalWork& work, void* out, bool one_by_one,
                                        std::vector<OrbitalSum>& sums) {
    const Stopwatch watch(evaluation_seconds_);
    const auto block = slab(prepared_.grid, work.first_plane, work.planes);
    std::vector<int> rows(static_cast<std::size_t>(work.count));
    std::iota(rows.begin(), rows.end(), work.first);
    const std::size_t step = one_by_one ? 1 : rows.size();
    auto* bytes = static_cast<std::byte*>(out);
    for (std::size_t begin = 0; begin < rows.size(); begin += step) {
        const auto part = std::span<const int>(rows).subspan(begin, step);
        const auto found = evaluator_.evaluate(block, part, bytes, rows.size());
        for (std::size_t i = 0; i < part.size(); ++i)
            sums.push_back({TileKind::orbitals, work.frame, part[i],
                            evaluator_.computed_in_double(part[i]) ? 1 : 0, found[i]});
        if (bytes) bytes += step * static_cast<std::size_t>(block.size()) * value_bytes(input_);
    }
}

void OrbitalWorkload::evaluate_density(const OrbitalWork& work, void* out,
                                       std::vector<OrbitalSum>& sums) {
    const Stopwatch watch(evaluation_seconds_);
    const bool of_spin = work.kind == TileKind::spin_density;
    const auto& rows = of_spin ? spin_rows_ : density_rows_;
    const auto& weights = of_spin ? spin_weights_ : density_weights_;
    const auto block = slab(prepared_.grid, work.first_plane, work.planes);
    if (rows.empty()) {  // a closed shell has no spin density
        if (out)
            std::fill_n(static_cast<std::byte*>(out),
                        block.size() * static_cast<std::int64_t>(value_bytes(input_)),
                        std::byte{0});
        sums.push_back({work.kind, work.frame, 0, 0, {}});
        return;
    }
    const auto in_double =
        std::ranges::count_if(rows, [&](int row) { return evaluator_.computed_in_double(row); });
    sums.push_back({work.kind, work.frame, 0, static_cast<std::int32_t>(in_double),
                    evaluator_.density(block, rows, weights, out)});
}

void OrbitalWorkload::add_densities(const Tile& tile, const OrbitalWork& work,
                                    std::vector<OrbitalSum>& sums) {
    const auto block = slab(prepared_.grid, work.first_plane, work.planes);
    {
        const Stopwatch watch(evaluation_seconds_);
        sinks_.mean->begin(block.size(), !input_.double_precision);
    }
    for (std::int32_t frame = work.frame; frame < work.frame + work.count; ++frame) {
        load_frame(frame);
        const Stopwatch watch(evaluation_seconds_);
        CompensatedSum<double> sum = add_density(block, false);
        sum.add(add_density(block, true));
        const auto in_double = std::ranges::count_if(
            density_rows_, [&](int row) { return evaluator_.computed_in_double(row); });
        sums.push_back({work.kind, frame, 0, static_cast<std::int32_t>(in_double), sum});
    }
    const Stopwatch watch(evaluation_seconds_);
    sinks_.sums(tile.id, sinks_.mean->finish());
}

/// Adds the density of the loaded frame's orbitals that are computed in one precision.
CompensatedSum<double> OrbitalWorkload::add_density(const kernels::PointBlock& block,
                                                    bool in_double) {
    std::vector<int> rows;
    std::vector<double> weights;
    for (std::size_t i = 0; i < density_rows_.size(); ++i)
        if (evaluator_.computed_in_double(density_rows_[i]) == in_double) {
            rows.push_back(density_rows_[i]);
            weights.push_back(density_weights_[i]);
        }
    if (rows.empty()) return {};
    const auto sum = evaluator_.density(block, rows, weights, sinks_.mean->density());
    sinks_.mean->add();
    return sum;
}

void OrbitalWorkload::evaluate_overlaps(const OrbitalWork& work, bool in_parts,
                                        std::vector<OrbitalSum>& sums) {
    const Stopwatch watch(evaluation_seconds_);
    const auto block = slab(prepared_.grid, work.first_plane, work.planes);
    const auto items = static_cast<std::int32_t>(prepared_.selection.size());
    // Batches as for norms and grids, so that the same kernels run.
    const auto batch = choose_tile_shape(items, prepared_.grid.shape, input_.grids).batch;
    const auto part_of = [&](std::int64_t first) {
        return static_cast<std::size_t>(std::min(batch, items - first / batch * batch));
    };
    const auto add = [&](std::span<const int> rows, std::span<const int> columns) {
        const auto found = evaluator_.overlaps(block, {rows, part_of(work.first)},
                                               {columns, part_of(work.other_first)});
        auto sum = found.begin();
        for (const int row : rows)
            for (const int column : columns) {
                if (row <= column)
                    sums.push_back({TileKind::overlaps, work.frame, row * items + column, 0, *sum});
                ++sum;
            }
    };
    const auto columns = parts_of(work.other_first, work.other_count, in_parts);
    for (const std::vector<int>& rows : parts_of(work.first, work.count, in_parts))
        for (const std::vector<int>& some : columns)
            if (rows.front() <= some.front()) add(rows, some);
}

}  // namespace tessera::orbitals
