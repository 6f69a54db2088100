// Runs a kernel over all tiles and orbitals of a call, and adds up its sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/orbitals/evaluator_parts.hpp"
#include "kokkos_kernels/orbitals/grid_output.hpp"
#include "kokkos_kernels/orbitals/partial_sums.hpp"

namespace tessera::kernels {

template <class Real, class Device>
class TileBatches {
    static constexpr bool host = is_host<Device>;

  public:
    explicit TileBatches(EvaluatorParts<Real, Device>& parts) : parts_(parts) {}

    /// Evaluates orbitals in the output's batches, and boxes in passes whose lists fit into memory.
    /// make(..) gives the kernel of a batch.
    template <class Shape, class Kernel, bool Density, class Make>
    std::vector<CompensatedSum<double>> run(const PointBlock& block, std::span<const int> orbitals,
                                            Real* out, const Make& make) {
        const TileFrame where = parts_.template frame<Shape>(block);
        const int count = static_cast<int>(orbitals.size()), rows = Density ? 1 : count;
        if (rows == 0 || block.size() == 0) return std::vector<CompensatedSum<double>>(rows);
        constexpr bool padded = requires { &Kernel::rows; };
        const GridOutput<Real, Device, padded> output(parts_.space, parts_.values, block, rows,
                                                      out);
        const int batch = Density ? count : output.batch();
        const int tiles = Kernel::tiles(where);
        double* partials = partials_.get(parts_.space, "tessera::orbitals::partials",
                                         static_cast<std::size_t>(rows) * tiles);
        const PassLists passes = parts_.passes.begin(parts_.space, parts_.problem, where);
        for (int first = 0; first < count; first += batch) {
            const bool last = first + batch >= count;
            const int some = std::min(batch, count - first);
            parts_.clock.begin(parts_.space);
            Kernel kernel = make(where, passes, first, some, output.grids(first),
                                 partials + std::int64_t{first} * tiles);
            for (int box = 0; box < where.box_count(); box += passes.boxes) {
                kernel.first_box = box;
                kernel.box_count = std::min(passes.boxes, where.box_count() - box);
                if constexpr (requires { kernel.batch; })
                    kernel.batch = orbitals_per_block<Shape, Density>(some, kernel.box_count);
                if (first == 0 || passes.boxes < where.box_count())
                    parts_.passes.template build<Shape>(parts_.space, parts_.problem, where, box,
                                                        kernel.box_count);
                launch_blocks("tessera::orbitals::evaluate_tiles", parts_.space, kernel.blocks(),
                              kernel);
            }
            if (last) launch_sums(partials, rows, tiles);
            parts_.clock.end(parts_.space);
            output.deliver(first, Density ? 1 : some);
        }
        return read_sums(rows, [&](int row) -> std::string {
            if constexpr (requires { Kernel::what(); }) return Kernel::what();
            return Density && count > 1 ? "a density"
                                        : "values of orbital " + std::to_string(orbitals[row]);
        });
    }

  private:
    void launch_sums(const double* partials, int rows, int tiles) {
        const SumPartials<host ? 1 : 512> kernel{
            partials, tiles, sums_.get(parts_.space, "tessera::orbitals::sums", rows)};
        launch_blocks("tessera::orbitals::sum_partials", parts_.space, rows, kernel);
    }

    /// what(row) names the values of a row.
    template <class What>
    std::vector<CompensatedSum<double>> read_sums(int rows, const What& what) {
        std::vector<CompensatedSum<double>> sums(rows);
        sums_.download(parts_.space, sums.data(), sums.size());
        parts_.space.fence("tessera::orbitals: sums are read");
        parts_.clock.collect();
        for (int row = 0; row < rows; ++row)
            if (!std::isfinite(sums[row].result()))
                throw TileFailure(TileFailure::Reason::not_finite, what(row));
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

    EvaluatorParts<Real, Device>& parts_;
    Buffer<double, Device> partials_;
    Buffer<CompensatedSum<double>, Device> sums_;
};

}  // namespace tessera::kernels
