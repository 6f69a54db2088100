#include "likelihood/result/star_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "likelihood/result/result.hpp"

namespace tessera::likelihood {

namespace {

struct WedgeStars {
    std::int64_t wedge = 0;
    std::int64_t first_row = 0;  ///< of the table
    std::vector<StarRow> stars;
};

std::vector<StarRow> read_stars(const io::h5::Group& group) {
    auto stars = group.open_dataset("stars").read_table<StarRow>(star_columns());
    for (const StarRow& star : stars)
        if (!std::isfinite(star.l + star.b + star.r + star.log10_density))
            group.refuse("'" + group.name() + "/stars'", "a number in it is not finite");
    return stars;
}

}  // namespace

const std::vector<io::h5::Column>& star_columns() {
    using Kind = io::h5::Column::Kind;
    static const std::vector<io::h5::Column> columns{
        {"l", Kind::real, offsetof(StarRow, l), 0, "degree"},
        {"b", Kind::real, offsetof(StarRow, b), 0, "degree"},
        {"r", Kind::real, offsetof(StarRow, r), 0, "kpc"},
        {"log10_density", Kind::real, offsetof(StarRow, log10_density), 0, ""}};
    return columns;
}

std::string wedge_group(std::size_t wedge, std::size_t wedges) {
    return wedges == 1 ? "likelihood" : fmt::format("likelihood/{}", wedge + 1);
}

io::ValueTable star_table(const io::h5::Group& root, std::int64_t most) {
    const LikelihoodResult result = read_likelihood_result(root);
    const std::size_t count = result.wedges.size();
    using Kind = io::TableColumn::Kind;
    io::ValueTable table{{{"wedge", Kind::whole},
                          {"file", Kind::whole},
                          {"star", Kind::whole},
                          {"l_degree", Kind::real, "degree"},
                          {"b_degree", Kind::real, "degree"},
                          {"r_kpc", Kind::real, "kpc"},
                          {"log10_density"}},
                         0,
                         {}};
    auto wedges = std::make_shared<std::vector<WedgeStars>>();
    for (std::size_t w = 0; w < count; ++w) {
        wedges->push_back({result.wedges[w].wedge, table.rows,
                           read_stars(root.open_group(wedge_group(w, count)))});
        table.rows += std::min(most, std::ssize(wedges->back().stars));
    }
    table.row = [wedges](std::int64_t row) {
        const auto after = std::ranges::upper_bound(*wedges, row, {}, &WedgeStars::first_row);
        const WedgeStars& part = *std::prev(after);
        const std::int64_t i = row - part.first_row;
        const StarRow& star = part.stars[static_cast<std::size_t>(i)];
        return std::vector<io::Cell>{part.wedge, after - wedges->begin(), i + 1, star.l, star.b,
                                     star.r,     star.log10_density};
    };
    return table;
}

}  // namespace tessera::likelihood
