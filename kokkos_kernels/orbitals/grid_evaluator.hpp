// Orbitals of one precision on one kind of device: memory, launches, copies.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kokkos_kernels/orbitals/evaluate_products.hpp"
#include "kokkos_kernels/orbitals/evaluate_tiles.hpp"
#include "kokkos_kernels/orbitals/grid_output.hpp"
#include "kokkos_kernels/orbitals/grid_surfaces.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/rounded_output.hpp"
#include "kokkos_kernels/orbitals/tile_batches.hpp"

namespace tessera::kernels {

/// The kernels' cuts on a device, for one orbital, a few, or many.
template <class Real>
struct DeviceCuts {
    using Small = SmallCut<Real>;
    using Large = LargeCut<Real>;
    using SmallMany = SmallManyCut<Real>;
    using LargeMany = LargeManyCut<Real>;
    template <class Shape>
    using Products = ManyProductsCut;
    static constexpr int many_from = 4;
    static constexpr int products_from = 48;  ///< single precision only
    static constexpr bool products_on_hosts = false;
};

template <class Real, class Device, class Cuts = DeviceCuts<Real>>
class GridEvaluator final : public OrbitalValues {
    using Space = typename Device::execution_space;
    static constexpr bool host = is_host<Device>;
    static constexpr bool products =
        std::is_same_v<Real, float> && (!host || Cuts::products_on_hosts);

  public:
    void load(const OrbitalProblem& problem) override {
        parts_.problem.load(parts_.space, problem, products);
    }

    std::vector<CompensatedSum<double>> evaluate(const PointBlock& block,
                                                 std::span<const int> orbitals, void* out,
                                                 std::size_t part_of = 0) override {
        many_ = std::max(part_of, orbitals.size());
        return parts_.problem.rounded && out != nullptr
                   ? run_rounded<false>(block, orbitals, {}, static_cast<float*>(out))
                   : run<false>(block, orbitals, {}, static_cast<Real*>(out));
    }

    CompensatedSum<double> density(const PointBlock& block, std::span<const int> orbitals,
                                   std::span<const double> weights, void* out) override {
        return (parts_.problem.rounded && out != nullptr
                    ? run_rounded<true>(block, orbitals, weights, static_cast<float*>(out))
                    : run<true>(block, orbitals, weights, static_cast<Real*>(out)))
            .at(0);
    }

    SurfaceView isosurface(const PointBlock& block, int orbital, double level) override {
        Real* values = parts_.values.get(parts_.space, "tessera::orbitals::values", block.size());
        many_ = 1;
        run_rows<false>(block, std::span(&orbital, 1), {}, values);
        if constexpr (host)
            return surfaces_.template make<HostTile>(block, values, orbital, level);
        else
            return parts_.problem.large
                       ? surfaces_.template make<LargeTile>(block, values, orbital, level)
                       : surfaces_.template make<SmallTile>(block, values, orbital, level);
    }

    bool computed_in_double(int /*orbital*/) const override {
        return sizeof(Real) == sizeof(double);
    }

    double kernel_seconds() const override { return parts_.clock.seconds(); }

  private:
    /// Calls run() and rounds the values to single precision.
    template <bool Density>
    std::vector<CompensatedSum<double>> run_rounded(const PointBlock& block,
                                                    std::span<const int> orbitals,
                                                    std::span<const double> weights, float* out) {
        return rounded_.run(
            parts_.space, parts_.values, block.size(),
            orbitals.first(Density ? std::min<std::size_t>(1, orbitals.size()) : orbitals.size()),
            out, [&](std::span<const int> rows, Real* wide) {
                return run<Density>(block, Density ? orbitals : rows, weights, wide);
            });
    }

    template <bool Density>
    std::vector<CompensatedSum<double>> run(const PointBlock& block, std::span<const int> orbitals,
                                            std::span<const double> weights, Real* out) {
        if constexpr (products && !Density)
            if (many_ >= Cuts::products_from && ProductsOn<LargeTile>::can(block) &&
                ProductsOn<SmallTile>::can(block) && fits<ProductsOn<LargeTile>, Device>() &&
                fits<ProductsOn<SmallTile>, Device>())
                return parts_.problem.large ? run_products<LargeTile>(block, orbitals, out)
                                            : run_products<SmallTile>(block, orbitals, out);
        return run_rows<Density>(block, orbitals, weights, out);
    }

    template <bool Density>
    std::vector<CompensatedSum<double>> run_rows(const PointBlock& block,
                                                 std::span<const int> orbitals,
                                                 std::span<const double> weights, Real* out) {
        if constexpr (host) {
            return run_on<HostTile, HostCut<Real>, Density>(block, orbitals, weights, out);
        } else {
            if constexpr (!Density)
                if (many_ >= Cuts::many_from && many_fit())
                    return parts_.problem.large
                               ? run_on<LargeTile, typename Cuts::LargeMany, false>(block, orbitals,
                                                                                    {}, out)
                               : run_on<SmallTile, typename Cuts::SmallMany, false>(block, orbitals,
                                                                                    {}, out);
            return parts_.problem.large
                       ? run_on<LargeTile, typename Cuts::Large, Density>(block, orbitals, weights,
                                                                          out)
                       : run_on<SmallTile, typename Cuts::Small, Density>(block, orbitals, weights,
                                                                          out);
        }
    }

    /// Whether the kernel for many orbitals fits into the device.
    bool many_fit() const {
        return parts_.problem.large
                   ? fits<EvaluateTiles<Real, LargeTile, typename Cuts::LargeMany, false>, Device>()
                   : fits<EvaluateTiles<Real, SmallTile, typename Cuts::SmallMany, false>,
                          Device>();
    }

    /// Evaluates with one product of rows and columns per orbital.
    template <class Shape, class Cut, bool Density>
    std::vector<CompensatedSum<double>> run_on(const PointBlock& block,
                                               std::span<const int> orbitals,
                                               std::span<const double> weights, Real* out) {
        using Kernel = EvaluateTiles<Real, Shape, Cut, Density>;
        const auto count = orbitals.size();
        const int* rows =
            orbitals_.upload(parts_.space, "tessera::orbitals::rows", orbitals.data(), count);
        const double* weight = Density ? weights_.upload(parts_.space, "tessera::orbitals::weights",
                                                         weights.data(), count)
                                       : nullptr;
        return batches_.template run<Shape, Kernel, Density>(
            block, orbitals, out,
            [&](const TileFrame& where, const PassLists& passes, int first, int some, Real* to,
                double* partials) {
                return Kernel{where,
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
                              rows + first,
                              weight,
                              some,
                              0,
                              to,
                              partials};
            });
    }

    template <class Shape>
    using ProductsOn = EvaluateProducts<Shape, typename Cuts::template Products<Shape>>;

    /// Evaluates with one product of all orbitals' coefficients and the functions.
    template <class Shape>
    std::vector<CompensatedSum<double>> run_products(const PointBlock& block,
                                                     std::span<const int> orbitals, Real* out) {
        using Cut = typename Cuts::template Products<Shape>;
        using Kernel = ProductsOn<Shape>;
        const int* rows = orbitals_.upload(parts_.space, "tessera::orbitals::rows", orbitals.data(),
                                           orbitals.size());
        return batches_.template run<Shape, Kernel, false>(
            block, orbitals, out,
            [&](const TileFrame& where, const PassLists& passes, int first, int some, Real* to,
                double* partials) {
                const int pitch = (some + Cut::rows - 1) / Cut::rows * Cut::rows;
                const std::int64_t size = std::int64_t{parts_.problem.pair_count} * pitch;
                std::uint32_t* pairs =
                    pairs_.get(parts_.space, "tessera::orbitals::pairs", 2 * size);
                Kokkos::parallel_for("tessera::orbitals::pack_pairs",
                                     Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                                         parts_.space, 0, size),
                                     PackPairs<typename Cut::Product>{
                                         parts_.problem.coefficients, parts_.problem.stride,
                                         parts_.problem.pair_sources, parts_.problem.row_scale,
                                         rows + first, some, pitch, pairs});
                return Kernel{where,
                              parts_.problem.bounds,
                              parts_.problem.groups,
                              parts_.problem.functions,
                              pairs,
                              pitch,
                              parts_.problem.pair_count - 1,
                              0,
                              0,
                              parts_.problem.group_count,
                              passes.lists,
                              passes.lengths,
                              passes.threshold,
                              parts_.problem.row_scale,
                              rows + first,
                              some,
                              PaddedRows(block),
                              to,
                              partials};
            });
    }

    EvaluatorParts<Real, Device> parts_;
    TileBatches<Real, Device> batches_{parts_};
    GridSurfaces<Real, Device> surfaces_{parts_};
    Buffer<std::uint32_t, Device> pairs_;
    Buffer<int, Device> orbitals_;
    RoundedOutput<Real, Device> rounded_;
    Buffer<double, Device> weights_;
    std::size_t many_ = 1;  ///< orbitals of the call, or of the call that it is part of
};

/// Defined in evaluator_single.cpp and evaluator_double.cpp, which take long to compile.
std::unique_ptr<OrbitalValues> make_single_evaluator(Backend backend);
std::unique_ptr<OrbitalValues> make_double_evaluator(Backend backend);

template <class Real>
std::unique_ptr<OrbitalValues> make_grid_evaluator([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<GridEvaluator<Real, CudaDevice>>();
#endif
    return std::make_unique<GridEvaluator<Real, OpenMPDevice>>();
}

}  // namespace tessera::kernels
