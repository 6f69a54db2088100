#include "kokkos_kernels/orbitals/field_evaluator.hpp"

#include <algorithm>

#include "kokkos_kernels/orbitals/evaluate_fields.hpp"
#include "kokkos_kernels/orbitals/rounded_output.hpp"
#include "kokkos_kernels/orbitals/tile_batches.hpp"

namespace tessera::kernels {

namespace {

template <class Device>
class FieldEvaluatorOn final : public FieldEvaluator {
    using Sums = std::vector<CompensatedSum<double>>;

  public:
    void load(const OrbitalProblem& problem, const FieldWeights& weights) override {
        check_groups(problem);
        parts_.problem.load(parts_.space, problem, false);
        rows_ = static_cast<int>(problem.coefficients.size());
        polarised_ = !weights.beta.empty();
        std::vector<double> pairs;
        for (std::size_t row = 0; row < weights.alpha.size(); ++row) {
            pairs.push_back(weights.alpha[row]);
            pairs.push_back(polarised_ ? weights.beta[row] : 0);
        }
        row_weights_ = weights_.upload(parts_.space, "tessera::orbitals::field_weights",
                                       pairs.data(), pairs.size());
        parts_.space.fence("tessera::orbitals: the host weights may go away");
    }

    Sums evaluate(const PointBlock& block, std::span<const DerivedField> fields,
                  void* out) override {
        FieldDerivatives needed = FieldDerivatives::first;
        for (const DerivedField field : fields) needed = std::max(needed, derivatives_of(field));
        const auto run = [&](std::span<const DerivedField> some, double* to) {
            switch (needed) {
                case FieldDerivatives::first:
                    return run_with<FieldDerivatives::first>(block, some, to);
                case FieldDerivatives::laplacian:
                    return run_with<FieldDerivatives::laplacian>(block, some, to);
                default: return run_with<FieldDerivatives::hessian>(block, some, to);
            }
        };
        if (!parts_.problem.rounded || out == nullptr)
            return run(fields, static_cast<double*>(out));
        return rounded_.run(parts_.space, parts_.values, block.size(), fields,
                            static_cast<float*>(out), run);
    }

    double kernel_seconds() const override { return parts_.clock.seconds(); }

  private:
    /// Takes the largest page of tables that the device's shared memory holds.
    template <FieldDerivatives D, int Choice = 0>
    Sums run_with(const PointBlock& block, std::span<const DerivedField> fields, double* out) {
        if constexpr (is_host<Device>) {
            return run_on<HostFieldCut<D>>(block, fields, out);
        } else {
            using Cut = DeviceFieldCut<D, device_field_pages<D>[Choice]>;
            if constexpr (Choice + 1 < device_field_pages<D>.size())
                if (!fits<EvaluateFields<Cut>, Device>())
                    return run_with<D, Choice + 1>(block, fields, out);
            return run_on<Cut>(block, fields, out);
        }
    }

    template <class FieldCut>
    Sums run_on(const PointBlock& block, std::span<const DerivedField> fields, double* out) {
        using Kernel = EvaluateFields<FieldCut>;
        std::vector<int> numbers;
        for (const DerivedField field : fields) numbers.push_back(static_cast<int>(field));
        return batches_.template run<typename FieldCut::Shape, Kernel, false>(
            block, numbers, out,
            [&](const TileFrame& where, const PassLists& passes, int first, int some, double* to,
                double* partials) {
                Kernel kernel{where,
                              parts_.problem.bounds,
                              parts_.problem.groups,
                              parts_.problem.degrees,
                              parts_.problem.coefficients,
                              parts_.problem.stride,
                              0,
                              0,
                              parts_.problem.group_count,
                              passes.lists,
                              passes.lengths,
                              passes.threshold,
                              rows_,
                              row_weights_,
                              polarised_,
                              {},
                              some,
                              to,
                              partials};
                std::ranges::copy(
                    fields.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(some)),
                    kernel.fields);
                return kernel;
            });
    }

    EvaluatorParts<double, Device> parts_;
    TileBatches<double, Device> batches_{parts_};
    RoundedOutput<double, Device> rounded_;
    Buffer<double, Device> weights_;
    const double* row_weights_ = nullptr;
    int rows_ = 0;
    bool polarised_ = false;
};

}  // namespace

std::unique_ptr<FieldEvaluator> make_field_evaluator([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<FieldEvaluatorOn<CudaDevice>>();
#endif
    return std::make_unique<FieldEvaluatorOn<OpenMPDevice>>();
}

}  // namespace tessera::kernels
