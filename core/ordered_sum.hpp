// Sums over tiles that have the same bits for any number of ranks and any schedule.
#pragma once

#include <vector>

#include "core/compensated_sum.hpp"
#include "core/tile.hpp"

namespace tessera {

/// Adds term(record), a Real or a CompensatedSum<Real>, over all records of all partials in the
/// given order. Partials must be sorted by TileId, as gather_by_tile returns them.
template <class Real = double, class Payload, class Term>
CompensatedSum<Real> ordered_sum(const std::vector<TilePartial<Payload>>& partials, Term&& term) {
    CompensatedSum<Real> sum;
    for (const auto& partial : partials)
        for (const Payload& record : partial.records) sum.add(term(record));
    return sum;
}

}  // namespace tessera
