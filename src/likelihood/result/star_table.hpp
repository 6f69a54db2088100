// The stars of a result, in its file and as a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "io/text/value_table.hpp"

namespace tessera::likelihood {

/// A row of the dataset `stars` of a wedge.
struct StarRow {
    double l = 0, b = 0;  ///< degree
    double r = 0;         ///< kpc
    double log10_density = 0;
};

/// The columns of that dataset.
const std::vector<io::h5::Column>& star_columns();

/// The group of a wedge, counted from 0, in a file with `wedges` wedges.
std::string wedge_group(std::size_t wedge, std::size_t wedges);

/// The probabilities of the components of each star [star][component] in the group of a wedge that
/// has `stars` stars, or nothing if the run did not store them. Throws Error if they are damaged.
std::vector<double> read_memberships(const io::h5::Group& group, std::uint64_t stars);

/// A row for each star of each wedge, with at most `most` rows of each wedge. `file` counts the
/// star files of the run from 1, and `star` the stars of that file. With memberships, there are
/// also a column for the probability of each component and one for the most likely component.
/// Throws Error if the file is damaged.
io::ValueTable star_table(const io::h5::Group& root, std::int64_t most);

}  // namespace tessera::likelihood
