// Fields made of the sums over orbitals, and where they go.
#pragma once

#include <cstdint>

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
        if constexpr (host)
            write_rows(part_y, part_z, totals);
        else
            write_points(part_y, part_z, totals);
    }

  private:
    using Formulas = FieldFormulas<Cut::derivatives, Cut::points>;

    KOKKOS_FUNCTION std::int64_t length(int axis) const {
        return kernel.frame.end[axis] - kernel.frame.begin[axis];
    }
    KOKKOS_FUNCTION bool has_row(int y, int z) const {
        return y >= low[1] && y < high[1] && z >= low[2] && z < high[2];
    }
    /// The place of a point of the tile in a grid. The first points may lie outside of it.
    KOKKOS_FUNCTION std::int64_t place(int x, int y, int z) const {
        return ((first[2] - kernel.frame.begin[2] + z) * length(1) + first[1] -
                kernel.frame.begin[1] + y) *
                   length(0) +
               first[0] - kernel.frame.begin[0] + x;
    }

    /// One thread for each point.
    KOKKOS_FUNCTION void write_points(int part_y, int part_z,
                                      double (&totals)[derived_fields]) const {
        const Formulas formulas{sums, kernel.polarised};
        const std::int64_t volume = length(0) * length(1) * length(2);
        for (int f = 0; f < kernel.field_count; ++f)
            with_field<Cut::derivatives>(kernel.fields[f], [&]<DerivedField F>() {
                TESSERA_KEEP_LOOP
                for (int i = block.rank(); i < Cut::points; i += block.size) {
                    const int x = i % Shape::x, y = part_y + i / Shape::x % Cut::part_y,
                              z = part_z + i / (Shape::x * Cut::part_y);
                    if (!has_row(y, z) || x < low[0] || x >= high[0]) continue;
                    const double value = formulas.template value<F>(i);
                    totals[f] += value;
                    if (kernel.out != nullptr) kernel.out[f * volume + place(x, y, z)] = value;
                }
            });
    }

    /// All fields of a row of points at once: the formulas fill vectors, and the totals of several
    /// fields are added side by side, each in the order of its points.
    KOKKOS_FUNCTION void write_rows(int part_y, int part_z,
                                    double (&totals)[derived_fields]) const {
        const Formulas formulas{sums, kernel.polarised};
        const std::int64_t volume = length(0) * length(1) * length(2);
        double* const out = kernel.out;
        double values[padded_fields][Shape::x] = {}, added[padded_fields] = {};
        const int count = kernel.field_count, begin = low[0], end = high[0];
        for (int f = 0; f < count; ++f) added[f] = totals[f];
        for (int row = 0; row < Cut::rows; ++row) {
            const int y = part_y + row % Cut::part_y, z = part_z + row / Cut::part_y;
            if (!has_row(y, z)) continue;
            const std::int64_t at = place(begin, y, z);
            for (int f = 0; f < count; ++f) {
                with_field<Cut::derivatives>(kernel.fields[f], [&]<DerivedField F>() {
                    for (int x = 0; x < Shape::x; ++x)
                        values[f][x] = formulas.template value<F>(row * Shape::x + x);
                });
                if (out == nullptr) continue;
                double* const to = out + f * volume + at;
                for (int x = begin; x < end; ++x) to[x - begin] = values[f][x];
            }
            for (int f = 0; f < count; f += together)
                add_side_by_side(values + f, begin, end, added + f);
        }
        for (int f = 0; f < count; ++f) totals[f] = added[f];
    }

    static constexpr int together = 6;  ///< additions that do not wait for each other
    static constexpr int padded_fields = (derived_fields + together - 1) / together * together;

    KOKKOS_FUNCTION static void add_side_by_side(const double (*values)[Shape::x], int begin,
                                                 int end, double* added) {
        double sum[together];
        for (int f = 0; f < together; ++f) sum[f] = added[f];
        for (int x = begin; x < end; ++x)
            for (int f = 0; f < together; ++f) sum[f] += values[f][x];
        for (int f = 0; f < together; ++f) added[f] = sum[f];
    }
};

}  // namespace tessera::kernels
