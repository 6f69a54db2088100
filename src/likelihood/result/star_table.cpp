#include "likelihood/result/star_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "io/hdf5/result_values.hpp"
#include "likelihood/model/memberships.hpp"
#include "likelihood/result/result.hpp"

namespace tessera::likelihood {

namespace {

struct WedgeStars {
    std::int64_t wedge = 0;
    std::int64_t first_row = 0;  ///< of the table
    std::vector<StarRow> stars;
    std::vector<double> memberships;  ///< [star][component] or empty

    std::size_t components() const { return memberships.size() / stars.size(); }
    std::span<const double> memberships_of(std::size_t star) const {
        return std::span(memberships).subspan(star * components(), components());
    }
};

/// The stars of all wedges, and the largest number of components that have memberships.
struct AllStars {
    std::vector<WedgeStars> wedges;
    std::vector<std::string> labels;
};

std::vector<StarRow> read_stars(const io::h5::Group& group) {
    auto stars = group.open_dataset("stars").read_table<StarRow>(star_columns());
    for (const StarRow& star : stars)
        if (!std::isfinite(star.l + star.b + star.r + star.log10_density))
            group.refuse("'" + group.name() + "/stars'", "a number in it is not finite");
    return stars;
}

void add_membership_columns(const AllStars& all, io::ValueTable& table) {
    using Kind = io::TableColumn::Kind;
    if (all.labels.empty()) return;
    const bool optional = std::ranges::any_of(all.wedges, [&all](const WedgeStars& wedge) {
        return wedge.memberships.empty() || wedge.components() < all.labels.size();
    });
    for (const std::string& label : all.labels)
        table.columns.push_back({"p_" + label, Kind::real, "", optional});
    table.columns.push_back({"most_likely", Kind::text, "", optional});
}

/// The cells of a star's probabilities and of its most likely component. Wedges with fewer
/// components leave cells empty.
void add_memberships(const AllStars& all, std::span<const double> row, std::vector<io::Cell>& to) {
    if (all.labels.empty()) return;
    for (std::size_t k = 0; k < all.labels.size(); ++k)
        if (k < row.size())
            to.emplace_back(row[k]);
        else
            to.emplace_back();
    if (row.empty()) {
        to.emplace_back();
        return;
    }
    const auto most = std::ranges::max_element(row) - row.begin();
    to.emplace_back(all.labels[static_cast<std::size_t>(most)]);
}

AllStars read_all_stars(const io::h5::Group& root) {
    const LikelihoodResult result = read_likelihood_result(root);
    AllStars all;
    for (std::size_t w = 0; w < result.wedges.size(); ++w) {
        const io::h5::Group group = root.open_group(wedge_group(w, result.wedges.size()));
        WedgeStars wedge{result.wedges[w].wedge, 0, read_stars(group), {}};
        wedge.memberships = read_memberships(group, wedge.stars.size());
        if (!wedge.memberships.empty() && wedge.components() > all.labels.size())
            all.labels = component_labels(wedge.components());
        all.wedges.push_back(std::move(wedge));
    }
    return all;
}

}  // namespace

std::vector<double> read_memberships(const io::h5::Group& group, std::uint64_t stars) {
    if (!group.contains("memberships")) return {};
    return io::read_within<double>(group, "memberships",
                                   {stars, 1 + io::length_of(group, "stream_integrals")}, 0.0, 1.0);
}

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
    const auto all = std::make_shared<AllStars>(read_all_stars(root));
    for (WedgeStars& wedge : all->wedges) {
        wedge.first_row = table.rows;
        table.rows += std::min(most, std::ssize(wedge.stars));
    }
    add_membership_columns(*all, table);
    table.row = [all](std::int64_t row) {
        const auto after = std::ranges::upper_bound(all->wedges, row, {}, &WedgeStars::first_row);
        const WedgeStars& part = *std::prev(after);
        const std::int64_t i = row - part.first_row;
        const auto at = static_cast<std::size_t>(i);
        const StarRow& star = part.stars[at];
        std::vector<io::Cell> cells{part.wedge, after - all->wedges.begin(), i + 1, star.l, star.b,
                                    star.r,     star.log10_density};
        add_memberships(*all, part.memberships_of(at), cells);
        return cells;
    };
    return table;
}

}  // namespace tessera::likelihood
