// Tiles of combinations (OrbitalWorkload, declared in workload.hpp).
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "orbitals/tiles/stopwatch.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

namespace {

std::vector<int> all_rows(const CombinedRows& rows) {
    std::vector<int> all(rows.weights.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

/// A difference of densities loses digits. Squares are therefore added in double precision, and
/// rounded at the end if the run asks for single precision.
void OrbitalWorkload::load_combination(std::int32_t frame, std::int32_t combination) {
    if (combined_ && frame == combined_frame_ && combination == loaded_combination_) return;
    loaded_frame_ = -1;
    combined_.reset();
    CombinedRows rows =
        combine(prepared_, static_cast<std::size_t>(frame), static_cast<std::size_t>(combination));
    if (!rows.weights.empty()) {
        kernels::OrbitalProblem problem;
        fold(rows.wavefunction, all_rows(rows), problem);
        if (rows.of_squares) problem.double_precision = true;
        const Stopwatch watch(evaluation_seconds_);
        evaluator_.load(problem);
    }
    combined_ = std::move(rows);
    combined_frame_ = frame;
    loaded_combination_ = combination;
}

void OrbitalWorkload::evaluate_combination(const OrbitalWork& work, void* out,
                                           std::vector<OrbitalSum>& sums) {
    const Stopwatch watch(evaluation_seconds_);
    const auto block = slab(prepared_.grid, work.first_plane, work.planes);
    const std::vector<int> rows = all_rows(*combined_);
    OrbitalSum sum{work.kind, work.frame, work.first, 0, {}};
    if (rows.empty()) {  // densities that cancel
        if (out)
            std::fill_n(static_cast<std::byte*>(out),
                        block.size() * static_cast<std::int64_t>(value_bytes(input_)),
                        std::byte{0});
    } else if (combined_->of_squares) {
        sum.sum = add_squares(block, rows, out);
    } else {
        sum.sum = evaluator_.evaluate(block, rows, out)[0];
    }
    if (!rows.empty() && evaluator_.computed_in_double(0)) sum.in_double = 1;
    sums.push_back(sum);
}

/// Evaluates in double precision. `out` takes the values in the precision of the run.
CompensatedSum<double> OrbitalWorkload::add_squares(const kernels::PointBlock& block,
                                                    std::span<const int> rows, void* out) {
    if (!out || input_.double_precision)
        return evaluator_.density(block, rows, combined_->weights, out);
    std::vector<double> values(static_cast<std::size_t>(block.size()));
    const auto sum = evaluator_.density(block, rows, combined_->weights, values.data());
    std::ranges::transform(values, static_cast<float*>(out),
                           [](double value) { return static_cast<float>(value); });
    return sum;
}

void OrbitalWorkload::make_combination_surface(const OrbitalWork& work, bool one_by_one) {
    const std::int32_t item = combination_item(work.first);
    if (!combined_->of_squares) return surface_of_orbital(work, item, 0, one_by_one);
    const std::vector<int> rows = all_rows(*combined_);
    surface_of_density(work, item, {rows, combined_->weights}, true, one_by_one);
}

}  // namespace tessera::orbitals
