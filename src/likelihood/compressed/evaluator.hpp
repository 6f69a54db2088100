// The compressed integration of one wedge and its stars (docs/method/likelihood-quadrature.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/likelihood/compressed/device.hpp"
#include "likelihood/compressed/walk.hpp"
#include "likelihood/model/observed_stars.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// The cost of an evaluation, for benchmarks and tests.
struct CompressedCost {
    std::vector<std::size_t> boxes;  ///< [component] number of boxes in all areas
};

class CompressedEvaluator final : public WedgeEvaluator {
  public:
    CompressedEvaluator(const StreamModel& like, std::span<const Star> stars,
                        const EvaluatorOptions& options, kernels::Backend backend);

    std::vector<Evaluation> evaluate(std::span<const StreamModel> sets, Wanted wanted) override;

    /// The cost of the first set of the last call.
    const CompressedCost& cost() const { return cost_; }

  private:
    struct Attempt;  // one parameter set while it is refined

    void evaluate_some(std::span<const StreamModel> sets, Wanted wanted,
                       std::vector<Evaluation>& done);
    void run(std::span<Attempt> attempts, Wanted wanted);
    BoxWalk walk_one(const Attempt& attempt, std::size_t component, std::size_t area) const;
    void take_sums(Attempt& attempt, const kernels::compressed::BatchSums& sums, std::size_t place,
                   Wanted wanted) const;
    bool refine(Attempt& attempt);
    /// Gives weight 0 to streams without an integral. Returns whether it found one that it had not
    /// found before.
    bool drop_empty_streams(Attempt& attempt) const;
    void integrate_exactly(Attempt& attempt, const std::vector<int>& components);

    /// How many sets are evaluated at once.
    std::size_t sets_at_once() const;

    StreamModel like_;
    std::size_t stars_;
    FixedScales scales_;
    EvaluatorOptions options_;
    kernels::Backend backend_;
    PanelRules rules_;
    std::array<Vec3, 3> frame_;
    std::vector<CompressedArea> areas_;  ///< those of the wedge, then those of its cuts
    std::size_t wedge_areas_ = 1;        ///< parts of the wedge: several with a selection function
    std::array<double, 3> auxiliary_{};
    std::unique_ptr<kernels::compressed::Device> device_;
    CompressedCost cost_;
};

}  // namespace tessera::likelihood
