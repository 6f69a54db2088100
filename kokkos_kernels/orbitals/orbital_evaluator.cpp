#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

#include "kokkos_kernels/orbitals/grid_evaluator.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"

namespace tessera::kernels {

namespace {

/// The evaluator of the precision that the loaded problem asks for, or needs.
class EitherPrecision final : public OrbitalEvaluator {
  public:
    explicit EitherPrecision(Backend backend) : backend_(backend) {}

    void load(const OrbitalProblem& problem) override {
        check_groups(problem);
        const bool in_double = problem.double_precision || !single_precision_suffices(problem);
        auto& evaluator = in_double ? double_ : single_;
        if (!evaluator)
            evaluator =
                in_double ? make_double_evaluator(backend_) : make_single_evaluator(backend_);
        evaluator->load(problem);
        loaded_ = evaluator.get();
    }

    std::vector<CompensatedSum<double>>
    evaluate(const GridBlock& block, std::span<const int> orbitals, void* out) override {
        return loaded_->evaluate(block, orbitals, out);
    }

    CompensatedSum<double> density(const GridBlock& block, std::span<const int> orbitals,
                                   std::span<const double> weights, void* out) override {
        return loaded_->density(block, orbitals, weights, out);
    }

    SurfaceView isosurface(const GridBlock& block, int orbital, double level) override {
        return loaded_->isosurface(block, orbital, level);
    }

    double kernel_seconds() const override {
        return (single_ ? single_->kernel_seconds() : 0) +
               (double_ ? double_->kernel_seconds() : 0);
    }

  private:
    Backend backend_;
    std::unique_ptr<OrbitalEvaluator> single_, double_;
    OrbitalEvaluator* loaded_ = nullptr;
};

}  // namespace

std::unique_ptr<OrbitalEvaluator> make_orbital_evaluator(Backend backend) {
    return std::make_unique<EitherPrecision>(backend);
}

}  // namespace tessera::kernels
