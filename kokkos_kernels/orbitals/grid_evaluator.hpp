// Orbitals of one precision on one kind of device: memory, launches, copies.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.hpp"
#include "kokkos_kernels/orbitals/box_passes.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/evaluate_products.hpp"
#include "kokkos_kernels/orbitals/evaluate_tiles.hpp"
#include "kokkos_kernels/orbitals/grid_output.hpp"
#include "kokkos_kernels/orbitals/kernel_clock.hpp"
#include "kokkos_kernels/orbitals/loaded_problem.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/partial_sums.hpp"
#include "kokkos_kernels/orbitals/surface_maker.hpp"

namespace tessera::kernels {

template <class Real>
struct RoundValues {
    const Real* from;
    float* to;
    KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = static_cast<float>(from[i]); }
};

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
    void load(const OrbitalProblem& problem) override { problem_.load(space_, problem, products); }

    std::vector<CompensatedSum<double>> evaluate(const PointBlock& block,
                                                 std::span<const int> orbitals, void* out,
                                                 std::size_t part_of = 0) override {
        many_ = std::max(part_of, orbitals.size());
        return problem_.rounded && out != nullptr
                   ? run_rounded<false>(block, orbitals, {}, static_cast<float*>(out))
                   : run<false>(block, orbitals, {}, static_cast<Real*>(out));
    }

    CompensatedSum<double> density(const PointBlock& block, std::span<const int> orbitals,
                                   std::span<const double> weights, void* out) override {
        return (problem_.rounded && out != nullptr
                    ? run_rounded<true>(block, orbitals, weights, static_cast<float*>(out))
                    : run<true>(block, orbitals, weights, static_cast<Real*>(out)))
            .at(0);
    }

    SurfaceView isosurface(const PointBlock& block, int orbital, double level) override {
        Real* values = values_.get(space_, "tessera::orbitals::values", block.size());
        many_ = 1;
        run_rows<false>(block, std::span(&orbital, 1), {}, values);
        if constexpr (host)
            return make_surface<HostTile>(block, values, orbital, level);
        else
            return problem_.large ? make_surface<LargeTile>(block, values, orbital, level)
                                  : make_surface<SmallTile>(block, values, orbital, level);
    }

    bool computed_in_double(int /*orbital*/) const override {
        return sizeof(Real) == sizeof(double);
    }

    double kernel_seconds() const override { return clock_.seconds(); }

  private:
    template <class Shape>
    TileFrame frame(const PointBlock& block) const {
        return {problem_.grid,
                block,
                {Shape::box * Shape::x, Shape::box * Shape::y, Shape::box * Shape::z}};
    }

    /// Calls run() in batches and rounds the values to single precision.
    template <bool Density>
    std::vector<CompensatedSum<double>> run_rounded(const PointBlock& block,
                                                    std::span<const int> orbitals,
                                                    std::span<const double> weights, float* out) {
        const std::int64_t points = block.size();
        const bool in_place = host || on_device(out);
        const auto count = static_cast<std::int64_t>(orbitals.size());
        const std::int64_t batch = Density ? count : grids_at_once<Real>(count, points);
        std::vector<CompensatedSum<double>> sums;
        for (std::int64_t first = 0; first < count; first += batch) {
            const auto rows = orbitals.subspan(first, std::min(batch, count - first));
            const std::int64_t size = Density ? points : std::ssize(rows) * points;
            Real* wide = values_.get(space_, "tessera::orbitals::values", size);
            const auto parts = run<Density>(block, rows, weights, wide);
            sums.insert(sums.end(), parts.begin(), parts.end());
            float* to = in_place ? out + first * points
                                 : rounded_.get(space_, "tessera::orbitals::rounded", size);
            Kokkos::parallel_for(
                "tessera::orbitals::round_values",
                Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, size),
                RoundValues<Real>{wide, to});
            if (!in_place) rounded_.download(space_, out + first * points, size);
            space_.fence("tessera::orbitals: rounded values are read");
        }
        return sums;
    }

    template <bool Density>
    std::vector<CompensatedSum<double>> run(const PointBlock& block, std::span<const int> orbitals,
                                            std::span<const double> weights, Real* out) {
        if constexpr (products && !Density)
            if (many_ >= Cuts::products_from && ProductsOn<LargeTile>::can(block) &&
                ProductsOn<SmallTile>::can(block))
                return problem_.large ? run_products<LargeTile>(block, orbitals, out)
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
                if (many_ >= Cuts::many_from)
                    return problem_.large
                               ? run_on<LargeTile, typename Cuts::LargeMany, false>(block, orbitals,
                                                                                    {}, out)
                               : run_on<SmallTile, typename Cuts::SmallMany, false>(block, orbitals,
                                                                                    {}, out);
            return problem_.large
                       ? run_on<LargeTile, typename Cuts::Large, Density>(block, orbitals, weights,
                                                                          out)
                       : run_on<SmallTile, typename Cuts::Small, Density>(block, orbitals, weights,
                                                                          out);
        }
    }

    /// Evaluates with one product of rows and columns per orbital.
    template <class Shape, class Cut, bool Density>
    std::vector<CompensatedSum<double>> run_on(const PointBlock& block,
                                               std::span<const int> orbitals,
                                               std::span<const double> weights, Real* out) {
        using Kernel = EvaluateTiles<Real, Shape, Cut, Density>;
        const auto count = orbitals.size();
        const int* rows =
            orbitals_.upload(space_, "tessera::orbitals::rows", orbitals.data(), count);
        const double* weight =
            Density ? weights_.upload(space_, "tessera::orbitals::weights", weights.data(), count)
                    : nullptr;
        return run_batches<Shape, Kernel, Density>(block, orbitals, out,
                                                   [&](const TileFrame& where,
                                                       const PassLists& passes, int first, int some,
                                                       Real* to, double* partials) {
                                                       return Kernel{where,
                                                                     problem_.bounds,
                                                                     problem_.groups,
                                                                     problem_.degrees,
                                                                     problem_.coefficients,
                                                                     problem_.stride,
                                                                     0,
                                                                     0,
                                                                     problem_.group_count,
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
        const int* rows =
            orbitals_.upload(space_, "tessera::orbitals::rows", orbitals.data(), orbitals.size());
        return run_batches<Shape, Kernel, false>(
            block, orbitals, out,
            [&](const TileFrame& where, const PassLists& passes, int first, int some, Real* to,
                double* partials) {
                const int pitch = (some + Cut::rows - 1) / Cut::rows * Cut::rows;
                const std::int64_t size = std::int64_t{problem_.pair_count} * pitch;
                std::uint32_t* pairs = pairs_.get(space_, "tessera::orbitals::pairs", 2 * size);
                Kokkos::parallel_for(
                    "tessera::orbitals::pack_pairs",
                    Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, size),
                    PackPairs<typename Cut::Product>{problem_.coefficients, problem_.stride,
                                                     problem_.pair_sources, problem_.row_scale,
                                                     rows + first, some, pitch, pairs});
                return Kernel{where,
                              problem_.bounds,
                              problem_.groups,
                              problem_.functions,
                              pairs,
                              pitch,
                              problem_.pair_count - 1,
                              0,
                              0,
                              problem_.group_count,
                              passes.lists,
                              passes.lengths,
                              passes.threshold,
                              problem_.row_scale,
                              rows + first,
                              some,
                              PaddedRows(block),
                              to,
                              partials};
            });
    }

    /// Evaluates orbitals in the output's batches, and boxes in passes whose lists fit into memory.
    /// make(..) gives the kernel of a batch.
    template <class Shape, class Kernel, bool Density, class Make>
    std::vector<CompensatedSum<double>> run_batches(const PointBlock& block,
                                                    std::span<const int> orbitals, Real* out,
                                                    const Make& make) {
        const TileFrame where = frame<Shape>(block);
        const int count = static_cast<int>(orbitals.size()), rows = Density ? 1 : count;
        if (rows == 0 || block.size() == 0) return std::vector<CompensatedSum<double>>(rows);
        constexpr bool padded = requires { &Kernel::rows; };
        const GridOutput<Real, Device, padded> output(space_, values_, block, rows, out);
        const int batch = Density ? count : output.batch();
        const int tiles = Kernel::tiles(where);
        double* partials = partials_.get(space_, "tessera::orbitals::partials",
                                         static_cast<std::size_t>(rows) * tiles);
        const PassLists passes = passes_.begin(space_, problem_, where);
        for (int first = 0; first < count; first += batch) {
            const bool last = first + batch >= count;
            clock_.begin(space_);
            Kernel kernel = make(where, passes, first, std::min(batch, count - first),
                                 output.grids(first), partials + std::int64_t{first} * tiles);
            for (int box = 0; box < where.box_count(); box += passes.boxes) {
                kernel.first_box = box;
                kernel.box_count = std::min(passes.boxes, where.box_count() - box);
                if constexpr (requires { kernel.batch; })
                    kernel.batch =
                        orbitals_per_block<Shape, Density>(kernel.orbital_count, kernel.box_count);
                if (first == 0 || passes.boxes < where.box_count())
                    passes_.template build<Shape>(space_, problem_, where, box, kernel.box_count);
                launch_blocks("tessera::orbitals::evaluate_tiles", space_, kernel.blocks(), kernel);
            }
            if (last) launch_sums(partials, rows, tiles);
            clock_.end(space_);
            output.deliver(first, Density ? 1 : kernel.orbital_count);
        }
        return read_sums(rows, orbitals);
    }

    void launch_sums(const double* partials, int rows, int tiles) {
        const SumPartials<host ? 1 : 512> kernel{
            partials, tiles, sums_.get(space_, "tessera::orbitals::sums", rows)};
        launch_blocks("tessera::orbitals::sum_partials", space_, rows, kernel);
    }

    std::vector<CompensatedSum<double>> read_sums(int rows, std::span<const int> orbitals) {
        std::vector<CompensatedSum<double>> sums(rows);
        sums_.download(space_, sums.data(), sums.size());
        space_.fence("tessera::orbitals: sums are read");
        clock_.collect();
        for (int row = 0; row < rows; ++row)
            if (!std::isfinite(sums[row].result()))
                throw TileFailure(TileFailure::Reason::not_finite,
                                  rows == 1 && orbitals.size() > 1
                                      ? "a density"
                                      : "values of orbital " + std::to_string(orbitals[row]));
        return sums;
    }

    /// A block does many orbitals, so that it uses a tile's list and tables often. It does fewer if
    /// the tiles alone would not fill the device.
    template <class Shape, bool Density>
    static int orbitals_per_block(int orbitals, int boxes) {
        constexpr int enough = 8192;
        int batch = orbitals;
        while (!Density && !host && batch > 8 &&
               boxes * Shape::tiles_per_box * (orbitals / batch) < enough)
            batch = (batch / 2 + 3) / 4 * 4;
        return batch;
    }

    template <class Shape>
    SurfaceView make_surface(const PointBlock& block, const Real* values, int orbital,
                             double level) {
        const TileFrame where = frame<Shape>(block);
        const LevelGrid<Real> grid{values, block.shape[0], block.shape[1], block.shape[2],
                                   static_cast<Real>(level)};
        clock_.begin(space_);
        surface_.extract(space_, grid, where);
        make_normals<Shape>(where, grid, orbital);
        clock_.end(space_);
        const SurfaceView view = surface_.download(space_);
        space_.fence("tessera::orbitals: the surface is read");
        clock_.collect();
        return view;
    }

    template <class Shape>
    void make_normals(const TileFrame& where, const LevelGrid<Real>& grid, int orbital) {
        const PassLists passes = passes_.begin(space_, problem_, where);
        VertexNormals<Real, Shape> kernel{where,
                                          problem_.groups,
                                          problem_.coefficients + orbital * problem_.stride,
                                          passes.lists,
                                          passes.lengths,
                                          problem_.group_count,
                                          0,
                                          0,
                                          0,
                                          grid.nx,
                                          grid.ny,
                                          nullptr,
                                          nullptr,
                                          nullptr};
        for (int box = 0; box < where.box_count(); box += passes.boxes) {
            kernel.first_box = box;
            kernel.box_count = std::min(passes.boxes, where.box_count() - box);
            // If there is only one pass, the evaluation of values has left its lists.
            if (passes.boxes < where.box_count())
                passes_.template build<Shape>(space_, problem_, where, box, kernel.box_count);
            surface_.normals(space_, kernel);
        }
    }

    Space space_;
    LoadedProblem<Real, Device> problem_;
    Buffer<std::uint32_t, Device> pairs_;
    Buffer<Real, Device> values_;
    Buffer<int, Device> orbitals_;
    Buffer<float, Device> rounded_;
    BoxPasses<Device> passes_;
    Buffer<double, Device> partials_, weights_;
    Buffer<CompensatedSum<double>, Device> sums_;
    SurfaceMaker<Real, Device> surface_;
    KernelClock<Device> clock_;
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
