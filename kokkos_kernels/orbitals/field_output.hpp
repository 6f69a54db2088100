// Fields made of the sums over orbitals, and where they go.
#pragma once

#include "kokkos_kernels/orbitals/field_formulas.hpp"

namespace tessera::kernels {

/// Writes the fields of a part of a tile.
template <class Kernel, class Block>
struct FieldOutput {
    using Cut = typename Kernel::Sizes;
    using Shape = typename Cut::Shape;
    static constexpr bool host = Block::size == 1;

    const Kernel& kernel;
    const Block& block;
    const double* sums;         ///< [Cut::SumsAt::count][Cut::points]
    const std::int64_t* first;  ///< grid point of the tile, by axis
    const int *low, *high;      ///< requested points of the tile, by axis

    /// Makes the fields of the requested points of a part, and adds them to the totals of this
    /// thread.
    KOKKOS_FUNCTION void write(int part_y, int part_z, double (&totals)[derived_fields]) const {
        using Formulas = FieldFormulas<Cut::derivatives, Cut::points>;
        const Formulas formulas{sums, kernel.polarised};
        const std::int64_t nx = kernel.frame.end[0] - kernel.frame.begin[0],
                           ny = kernel.frame.end[1] - kernel.frame.begin[1],
                           nz = kernel.frame.end[2] - kernel.frame.begin[2];
        constexpr int width = host ? Shape::x : 1;
        for (int f = 0; f < kernel.field_count; ++f)
            with_field<Cut::derivatives>(kernel.fields[f], [&]<DerivedField F>() {
                TESSERA_KEEP_LOOP
                for (int i = block.rank() * width; i < Cut::points; i += block.size * width) {
                    const int x = i % Shape::x, y = part_y + i / Shape::x % Cut::part_y,
                              z = part_z + i / (Shape::x * Cut::part_y);
                    if (y < low[1] || y >= high[1] || z < low[2] || z >= high[2]) continue;
                    double few[width];
                    for (int w = 0; w < width; ++w) few[w] = formulas.template value<F>(i + w);
                    const std::int64_t at = ((f * nz + first[2] - kernel.frame.begin[2] + z) * ny +
                                             first[1] - kernel.frame.begin[1] + y) *
                                                nx +
                                            first[0] - kernel.frame.begin[0] + x;
                    for (int w = 0; w < width; ++w) {
                        if (x + w < low[0] || x + w >= high[0]) continue;
                        totals[f] += few[w];
                        if (kernel.out != nullptr) kernel.out[at + w] = few[w];
                    }
                }
            });
    }
};

}  // namespace tessera::kernels
