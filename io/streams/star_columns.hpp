// Which columns of a table hold the stars.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

struct StarTableColumn {
    std::string name;
    std::string unit = {};  ///< empty if the table does not say
};

/// The columns of l, b and r, in this order, and their factors to degrees, degrees and kpc.
struct StarColumns {
    std::array<std::size_t, 3> index{};
    std::array<double, 3> factor{1, 1, 1};
    /// Columns of the numbers of Star::observed. A number without a column is 0.
    std::vector<std::optional<std::size_t>> observed = {};

    Star star(const std::array<double, 3>& values) const {
        return {values[0] * factor[0], values[1] * factor[1], values[2] * factor[2]};
    }
};

/// A problem of a table or a star.
struct StarProblem {
    std::string why, what_to_do;
};

/// The columns of the numbers of Star::observed; empty names where there are none.
std::vector<std::string> column_names(std::span<const Observable> observables);

/// Finds the columns by their names, in upper or lower case: l, glon or l_degree; b, glat or
/// b_degree; r, distance or r_kpc. A prefix that ends with a point, as in "position.l", does not
/// count. Columns of observables have exactly the names that these give. Sets `problem` if there
/// are none, or if they have an unknown unit.
std::optional<StarColumns> find_star_columns(const std::vector<StarTableColumn>& columns,
                                             std::span<const Observable> observables,
                                             StarProblem& problem);

/// Why a star cannot be used: its distance is not positive, its position is not in the sky, or a
/// value has no error.
std::optional<StarProblem> problem_of(const Star& star,
                                      std::span<const Observable> observables = {});

/// Throws Error if there are observables: the file at the scanner has no columns for them.
void require_no_observables(const TextScanner& scanner, std::span<const Observable> observables);

}  // namespace tessera::io
