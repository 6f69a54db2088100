// Tiles of combinations (OrbitalWorkload, declared in workload.hpp).
#include <utility>
#include <vector>

#include "orbitals/tiles/combined_values.hpp"
#include "orbitals/tiles/stopwatch.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

void OrbitalWorkload::load_combination(std::int32_t frame, std::int32_t combination) {
    if (combined_ && frame == combined_frame_ && combination == loaded_combination_) return;
    loaded_frame_ = -1;
    combined_.reset();
    CombinedRows rows =
        combine(prepared_, static_cast<std::size_t>(frame), static_cast<std::size_t>(combination));
    if (!rows.weights.empty()) {
        kernels::OrbitalProblem problem;
        fold(rows.wavefunction, all_rows(rows), problem);
        problem.double_precision = needs_double(rows, input_.double_precision);
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
    OrbitalSum sum{work.kind, work.frame, work.first, 0, {}};
    sum.sum = combined_values(evaluator_, *combined_, block, input_.double_precision, out);
    if (!combined_->weights.empty() && evaluator_.computed_in_double(0)) sum.in_double = 1;
    sums.push_back(sum);
}

void OrbitalWorkload::make_combination_surface(const OrbitalWork& work, bool one_by_one) {
    const std::int32_t item = combination_item(work.first);
    if (!combined_->of_squares) return surface_of_orbital(work, item, 0, one_by_one);
    const std::vector<int> rows = all_rows(*combined_);
    surface_of_density(work, item, {rows, combined_->weights}, true, one_by_one);
}

}  // namespace tessera::orbitals
