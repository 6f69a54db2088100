// Evaluates the likelihood of parameter sets for one wedge and its stars, on this rank's device.
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
    double tolerance = 1e-11;  ///< relative, on every integral and on the likelihood
    /// Whether the compressed mode may integrate a component point by point where it cannot meet the
    /// tolerance: minutes. Otherwise what it has is taken, or nothing (integral 0).
    bool fall_back = true;
    kernels::Precision precision = kernels::Precision::double_precision;  ///< of the exact mode
};

/// What an evaluation shall hold beside integrals and likelihoods.
struct Wanted {
    bool star_densities = false, gradient = false;
};

class WedgeEvaluator {
  public:
    virtual ~WedgeEvaluator() = default;
    /// One evaluation per parameter set; all must share wedge, model, areas and number of streams with
    /// the ones the evaluator was made for. An evaluation depends on its set alone, not on the batch.
    /// What is not finite stays not finite: the caller decides (contract: error; fit: rejected).
    virtual std::vector<Evaluation> evaluate(std::span<const StreamModel> sets, Wanted wanted) = 0;
};

/// The compressed quadrature (docs/method/likelihood.md). `like` gives wedge, model, areas; its numbers do
/// not matter. Tables that depend on them alone are made here.
std::unique_ptr<WedgeEvaluator> make_compressed_evaluator(const StreamModel& like,
                                                          std::span<const Star> stars,
                                                          const EvaluatorOptions& options,
                                                          kernels::Backend backend);

/// Every point of the quadrature, in one call on one device: the reference, slow.
std::unique_ptr<WedgeEvaluator> make_exact_evaluator(const StreamModel& like,
                                                     std::span<const Star> stars,
                                                     const EvaluatorOptions& options,
                                                     kernels::Backend backend);

}  // namespace tessera::likelihood
