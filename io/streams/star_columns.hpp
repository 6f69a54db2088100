// Which columns of a table hold the stars.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::io {

struct StarTableColumn {
    std::string name;
    std::string unit = {};  ///< empty if the table does not say
};

/// The columns of l, b and r, in this order, and their factors to degrees, degrees and kpc.
struct StarColumns {
    std::array<std::size_t, 3> index{};
    std::array<double, 3> factor{1, 1, 1};

    Star star(const std::array<double, 3>& values) const {
        return {values[0] * factor[0], values[1] * factor[1], values[2] * factor[2]};
    }
};

/// A problem of a table or a star.
struct StarProblem {
    std::string why, what_to_do;
};

/// Finds the columns by their names, in upper or lower case: l, glon or l_degree; b, glat or
/// b_degree; r, distance or r_kpc. A prefix that ends with a point, as in "position.l", does not
/// count. Sets `problem` if there are none, or if they have an unknown unit.
std::optional<StarColumns> find_star_columns(const std::vector<StarTableColumn>& columns,
                                             StarProblem& problem);

/// Why a star cannot be used: its distance is not positive, or its position is not in the sky.
std::optional<StarProblem> problem_of(const Star& star);

}  // namespace tessera::io
