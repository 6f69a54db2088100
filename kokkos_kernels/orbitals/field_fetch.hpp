// Fetches the memory of the fields of a part while a host still adds up its orbitals.
#pragma once

#include <cstdint>

#include "kokkos_kernels/orbitals/fetch_ahead.hpp"

namespace tessera::kernels {

/// The rows of all fields that FieldOutput will write for a part of a tile. They are fetched a few
/// at each step of the work, because a processor waits if it has asked for too many lines at once.
template <class Output>
class FieldFetch {
    using Cut = typename Output::Cut;
    using Shape = typename Cut::Shape;

  public:
    /// All rows are fetched after `steps` steps.
    KOKKOS_FUNCTION FieldFetch(const Output& output, int part_y, int part_z, int steps)
        : output_(output),
          y_(part_y),
          z_(part_z),
          rows_(output.kernel.out == nullptr ? 0 : output.kernel.field_count * Cut::rows),
          per_step_((rows_ + steps - 1) / steps) {}

    KOKKOS_FUNCTION void step() {
        for (int left = per_step_; left > 0 && next_ < rows_; --left, ++next_) {
            const int row = next_ % Cut::rows, y = y_ + row % Cut::part_y,
                      z = z_ + row / Cut::part_y;
            if (!output_.has_row(y, z)) continue;
            const double* const to = output_.grid(next_ / Cut::rows) + output_.place(0, y, z);
            for (int x = 0; x < Shape::x; x += numbers_of_line) fetch_for_writing(to + x);
            fetch_for_writing(to + Shape::x - 1);
        }
    }

  private:
    const Output& output_;
    int y_, z_, rows_, per_step_, next_ = 0;
};

}  // namespace tessera::kernels
