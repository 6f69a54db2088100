// Fields made of the sums over orbitals, and where they go.
#pragma once

#include <cstdint>
#include <cstring>

#include "kokkos_kernels/orbitals/field_formulas.hpp"

namespace tessera::kernels {

/// Writes the fields of a part of a tile.
template <class Kernel, class Block>
struct FieldOutput {
    using Cut = typename Kernel::Sizes;
    using Shape = typename Cut::Shape;
    static constexpr bool host = Block::size == 1;
    static constexpr int lanes = host ? Shape::x : 1;
    using Totals = double[derived_fields][lanes];

    const Kernel& kernel;
    const Block& block;
    const double* sums;         ///< [Cut::SumsAt::count][Cut::points]
    const std::int64_t* first;  ///< grid point of the tile, by axis
    const int *low, *high;      ///< requested points of the tile, by axis

    /// Makes the fields of the requested points of a part, and adds them to the totals of this
    /// thread.
    KOKKOS_FUNCTION void write(int part_y, int part_z, Totals& totals) const {
        if constexpr (host)
            write_rows(part_y, part_z, totals);
        else
            write_points(part_y, part_z, totals);
    }

    /// The grid of a field, [z][y][x].
    KOKKOS_FUNCTION double* grid(int field) const {
        return kernel.out + field * length(0) * length(1) * length(2);
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

  private:
    using Formulas = FieldFormulas<Cut::derivatives, Cut::points>;

    KOKKOS_FUNCTION std::int64_t length(int axis) const {
        return kernel.frame.end[axis] - kernel.frame.begin[axis];
    }

    /// One thread for each point.
    KOKKOS_FUNCTION void write_points(int part_y, int part_z, Totals& totals) const {
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
                    totals[f][0] += value;
                    if (kernel.out != nullptr) kernel.out[f * volume + place(x, y, z)] = value;
                }
            });
    }

    /// The totals of each x are apart, so that the formulas and the sums fill vectors.
    KOKKOS_FUNCTION void write_rows(int part_y, int part_z, Totals& totals) const {
        for (int f = 0; f < kernel.field_count; ++f)
            with_field<Cut::derivatives>(kernel.fields[f], [&]<DerivedField F>() {
                write_field<F>(f, part_y, part_z, totals[f]);
            });
    }

    template <DerivedField F>
    KOKKOS_FUNCTION void write_field(int field, int part_y, int part_z,
                                     double (&totals)[lanes]) const {
        const Formulas formulas{sums, kernel.polarised};
        const int begin = low[0], end = high[0];
        alignas(64) double values[Cut::points];
        for (int i = 0; i < Cut::points; ++i) values[i] = formulas.template value<F>(i);
        double added[lanes];
        for (int x = 0; x < lanes; ++x) added[x] = totals[x];
        const std::int64_t pitch_y = length(0), pitch_z = length(0) * length(1);
        double* const out =
            kernel.out == nullptr ? nullptr : grid(field) + place(0, part_y, part_z);
        for (int row = 0; row < Cut::rows; ++row) {
            const int y = row % Cut::part_y, z = row / Cut::part_y;
            if (!has_row(part_y + y, part_z + z)) continue;
            const double* const from = values + row * Shape::x;
            double* const to = out == nullptr ? nullptr : out + z * pitch_z + y * pitch_y;
            if (begin == 0 && end == Shape::x) {
                for (int x = 0; x < lanes; ++x) added[x] += from[x];
                if (out != nullptr) std::memcpy(to, from, lanes * sizeof *from);
            } else {
                for (int x = begin; x < end; ++x) {
                    added[x] += from[x];
                    if (out != nullptr) to[x] = from[x];
                }
            }
        }
        for (int x = 0; x < lanes; ++x) totals[x] = added[x];
    }
};

}  // namespace tessera::kernels
