// The tables of the stars: star_tables(), declared in wedge.hpp.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "likelihood/compressed/wedge.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

using kernels::compressed::panel_size;
using kernels::compressed::star_panel_stride;
using kernels::compressed::StarTables;

constexpr int star_levels = 6;             // panels must fit in the bits of a 64-bit number
constexpr double reference_distance = 10;  // kpc; any other would do

/// The convolution nodes of a star, nearest first. In one half of them, the ratios of the weights
/// may depend on the distance.
class StarLine {
  public:
    StarLine(const StreamModel& like, const QuadratureRule& rule)
        : like_(like), centre_(like, {{0.0}, {1.0}}), all_(like, rule) {
        RadialNodes nodes;
        all_.append(reference_distance, 1, nodes);
        order_.resize(nodes.radius.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(),
                  [&](std::size_t a, std::size_t b) { return nodes.radius[a] < nodes.radius[b]; });
        const double unit = factor(reference_distance), g = magnitude_at(reference_distance);
        for (const std::size_t i : order_) {
            ratio.push_back(nodes.radius[i] / reference_distance);
            logarithm.push_back(std::log(ratio.back()));
            weight.push_back(nodes.weight[i] / unit);
            offset.push_back(nodes.magnitude[i] - g);
        }
    }

    /// The weight of a node at the star itself.
    double factor(double kpc) const {
        RadialNodes nodes;
        centre_.append(kpc, 1, nodes);
        return nodes.weight[0];
    }

    /// Weights of all nodes divided by `unit`, which is factor(kpc).
    std::vector<double> weights_at(double kpc, double unit) const {
        RadialNodes nodes;
        all_.append(kpc, 1, nodes);
        std::vector<double> weights;
        for (const std::size_t i : order_)
            weights.push_back(unit == 0 ? 0 : nodes.weight[i] / unit);
        return weights;
    }

    /// The half whose weights depend on the star: the brighter side of the two-sided turnoff, which
    /// is nearer in the 2018 model. -1: none.
    int own_half() const {
        if (like_.turnoff != io::Turnoff::newby2011) return -1;
        return like_.model == io::Model::classic ? 1 : 0;
    }

    std::vector<double> ratio, logarithm, weight, offset;

  private:
    const StreamModel& like_;
    LineOfSight centre_, all_;
    std::vector<std::size_t> order_;
};

bool in_own_half(int panel, int half) {
    int top = 1;
    while (2 * top <= panel) top *= 2;
    return panel == 1 || (panel >= top + top / 2) == (half == 1);
}

/// Index of a panel among the rows of a star with its own weights.
int own_row(int panel, int half) {
    int top = 1;
    while (2 * top <= panel) top *= 2;
    return panel - (panel == 1 || half == 1 ? top : top / 2);
}

void describe_panels(const StarLine& line, const PanelTree& tree, StarTables& tables) {
    tables.panels = tree.size;
    const bool whole = tree.size == 2;
    tables.first_panel = whole ? 1 : 2;
    tables.last_panel = whole ? 1 : 3;
    for (std::size_t p = 0; p < tree.lower.size(); ++p) {
        const bool exact = tree.exact[p] != 0 && tree.end[p] > tree.begin[p];
        for (std::size_t j = 0; j < panel_size; ++j) {
            const auto last = static_cast<std::size_t>(std::max(tree.end[p] - 1, 0));
            const auto point = std::min(static_cast<std::size_t>(tree.begin[p]) + j, last);
            tables.ratio.push_back(exact ? line.ratio[point]
                                         : std::exp(tree.node[p * panel_size + j]));
        }
        tables.lower.push_back(std::exp(tree.lower[p]));
        tables.upper.push_back(std::exp(tree.upper[p]));
        tables.middle.push_back(std::exp((tree.lower[p] + tree.upper[p]) / 2));
        tables.half_width.push_back(tree.exact[p] != 0 ? 0 : (tree.upper[p] - tree.lower[p]) / 2);
        const double* weight = &tree.weight[p * panel_size];
        tables.weight.insert(tables.weight.end(), weight, weight + panel_size);
        const double* remainder = &tree.remainder[p * 4];
        tables.weight.insert(tables.weight.end(), remainder, remainder + 4);
    }
    for (auto* table : {&tables.lower, &tables.upper, &tables.middle, &tables.half_width})
        table->resize((table->size() + panel_size - 1) / panel_size * panel_size);
}

/// Panel weights of the stars that have their own, from the weights of points by Lagrange's basis.
class OwnRows {
  public:
    OwnRows(const PanelTree& tree, const StarLine& line, int half)
        : tree_(tree), half_(half), basis_(static_cast<std::size_t>(tree.size)) {
        for (int p = 1; p < tree.size; ++p) {
            const auto panel = static_cast<std::size_t>(p);
            if (!in_own_half(p, half) || tree.exact[panel] != 0) continue;
            for (int i = tree.begin[panel]; i < tree.end[panel]; ++i) {
                double values[panel_size];
                panel_basis(tree, p, line.logarithm[static_cast<std::size_t>(i)], values);
                basis_[panel].insert(basis_[panel].end(), values, values + panel_size);
            }
        }
    }

    /// `rows`: [panels / 2][20].
    void fill(const std::vector<double>& weights, double* rows) const {
        for (int p = 1; p < tree_.size; ++p) {
            if (!in_own_half(p, half_)) continue;
            const auto panel = static_cast<std::size_t>(p);
            double* row = rows + own_row(p, half_) * star_panel_stride;
            std::fill_n(row, star_panel_stride, 0.0);
            const int count = tree_.end[panel] - tree_.begin[panel];
            const double* w = weights.data() + tree_.begin[panel];
            if (tree_.exact[panel] != 0) {
                std::copy_n(w, count, row);
                continue;
            }
            double mass = 0;
            for (int i = 0; i < count; ++i) {
                const double* basis = &basis_[panel][static_cast<std::size_t>(i) * panel_size];
                for (int j = 0; j < panel_size; ++j) row[j] += w[i] * basis[j];
                mass += std::abs(w[i]);
            }
            panel_remainder(row, mass, row + panel_size);
        }
    }

  private:
    const PanelTree& tree_;
    int half_;
    std::vector<std::vector<double>> basis_;  // [panel][point][16]
};

}  // namespace

StarTables star_tables(const StreamModel& like, const QuadratureRule& rule,
                       std::span<const Star> stars) {
    const StarLine line(like, rule);
    const PanelTree tree =
        make_panel_tree(line.logarithm, line.weight, PanelCut::median, star_levels);
    StarTables tables;
    describe_panels(line, tree, tables);
    const std::size_t count = stars.size();
    tables.count = static_cast<int>(count);
    const int own_half = line.own_half();
    for (int p = 0; p < tree.size; ++p)
        tables.own_row.push_back(
            own_half >= 0 && p > 0 && in_own_half(p, own_half) ? own_row(p, own_half) : -1);
    tables.direction.resize(3 * count);
    tables.distance.resize(count);
    tables.factor.resize(count);
    tables.auxiliary.resize(3 * count);
    const bool own = own_half >= 0;
    const OwnRows rows(tree, line, own_half);
    const std::size_t own_size =
        static_cast<std::size_t>(tree.size) / 2 * static_cast<std::size_t>(star_panel_stride);
    if (own) tables.own_weight.resize(count * own_size);
    std::vector<double> mass(count);
#pragma omp parallel for schedule(static)
    for (std::size_t s = 0; s < count; ++s) {
        const Vec3 e = galactic_direction(stars[s].l, stars[s].b).unit;
        tables.direction[3 * s] = e.x;
        tables.direction[3 * s + 1] = e.y;
        tables.direction[3 * s + 2] = e.z;
        const double kpc = stars[s].r, factor = line.factor(kpc), g = magnitude_at(kpc);
        tables.distance[s] = kpc;
        tables.factor[s] = factor;
        const std::vector<double> weights = own ? line.weights_at(kpc, factor) : line.weight;
        if (own) rows.fill(weights, &tables.own_weight[s * own_size]);
        double* auxiliary = &tables.auxiliary[3 * s];
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double w = factor * weights[i], at = g + line.offset[i];
            auxiliary[0] += w;
            auxiliary[1] += w * at;
            auxiliary[2] += w * at * at;
            mass[s] += std::abs(w);
        }
    }
    for (const double m : mass) tables.mass = std::max(tables.mass, m);
    return tables;
}

}  // namespace tessera::likelihood
