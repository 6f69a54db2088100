// Evaluates the likelihood of parameter sets for one wedge and its stars, on the device of this
// rank.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"
#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

enum class Quadrature { milkyway, gauss };

struct EvaluatorOptions {
    Quadrature quadrature = Quadrature::milkyway;
    double tolerance = 1e-11;  ///< largest relative error of each integral and of the likelihood
    /// Whether the compressed integration may sum a component point by point if it cannot meet the
    /// tolerance. This takes minutes. Otherwise the result is used as it is, or as 0 if there is
    /// none.
    bool fall_back = true;
    /// Whether a stream without an integral gets weight 0 (is_empty() in model/combine.hpp).
    bool allow_empty_streams = false;
    /// Precision of the exact integration.
    kernels::Precision precision = kernels::Precision::double_precision;
};

/// Optional parts of an evaluation.
struct Wanted {
    bool star_densities = false, gradient = false, memberships = false;
};

class WedgeEvaluator {
  public:
    virtual ~WedgeEvaluator() = default;
    /// Returns one evaluation for each parameter set. All sets must have the wedge, model, areas
    /// and number of streams that the evaluator was made for. An evaluation depends on its set, not
    /// on the batch. Results may be infinite or NaN, which the caller must handle: a likelihood run
    /// ends with an error, a fit rejects the point.
    virtual std::vector<Evaluation> evaluate(std::span<const StreamModel> sets, Wanted wanted) = 0;
};

/// The evaluators of the wedges of a fit.
using WedgeEvaluators = std::vector<std::shared_ptr<WedgeEvaluator>>;

/// The compressed integration (docs/method/likelihood.md). `like` gives wedge, model and areas, and
/// the tables for them are made here. Its numbers do not matter.
std::unique_ptr<WedgeEvaluator> make_compressed_evaluator(const StreamModel& like,
                                                          std::span<const Star> stars,
                                                          const EvaluatorOptions& options,
                                                          kernels::Backend backend);

/// The exact integration, which sums every point in one call on one device. It is slow and serves
/// as the reference.
std::unique_ptr<WedgeEvaluator> make_exact_evaluator(const StreamModel& like,
                                                     std::span<const Star> stars,
                                                     const EvaluatorOptions& options,
                                                     kernels::Backend backend);

}  // namespace tessera::likelihood
