#include "likelihood/compressed/axis.hpp"

#include <algorithm>
#include <cmath>

#include "kokkos_kernels/likelihood/compressed/problem.hpp"
#include "likelihood/model/gauss_legendre.hpp"

namespace tessera::likelihood {

namespace {

using kernels::compressed::panel_size;

const QuadratureRule& panel_rule() {
    static const QuadratureRule rule = gauss_legendre_rule(panel_size);
    return rule;
}

double legendre(int degree, double x) {
    double current = 1, previous = 0;
    for (int j = 1; j <= degree; ++j) {
        const double before = previous;
        previous = current;
        current = ((2 * j - 1) * x * previous - (j - 1) * before) / j;
    }
    return current;
}

/// Barycentric weights of the nodes: (-1)^j sqrt((1 - x^2) w), Wang and Xiang 2012.
const std::vector<double>& barycentric() {
    static const std::vector<double> weights = [] {
        std::vector<double> values;
        for (std::size_t j = 0; j < panel_size; ++j) {
            const double x = panel_rule().nodes[j];
            values.push_back((j % 2 == 0 ? 1 : -1) *
                             std::sqrt((1 - x * x) * panel_rule().weights[j]));
        }
        return values;
    }();
    return weights;
}

class Builder {
  public:
    Builder(std::span<const double> points, std::span<const double> weights, PanelCut cut)
        : points_(points), weights_(weights), cut_(cut) {}

    PanelTree build(int levels) {
        int deepest = 0;
        depth_of(0, size(), 0, levels - 1, deepest);
        tree_.size = 2 << deepest;
        const auto panels = static_cast<std::size_t>(tree_.size);
        tree_.lower.resize(panels);
        tree_.upper.resize(panels);
        tree_.begin.resize(panels);
        tree_.end.resize(panels);
        tree_.exact.resize(panels, 1);
        tree_.node.resize(panels * panel_size);
        tree_.weight.resize(panels * panel_size);
        tree_.mass.resize(panels);
        tree_.remainder.resize(panels * 4);
        cut_ranges(1, 0, size());
        for (int p = tree_.size - 1; p >= 1; --p) fill(p);
        return std::move(tree_);
    }

  private:
    int size() const { return static_cast<int>(points_.size()); }
    double point(int i) const { return points_[static_cast<std::size_t>(i)]; }

    int cut_at(int begin, int end) const {
        if (cut_ == PanelCut::median) return (begin + end) / 2;
        const double middle = (point(begin) + point(end - 1)) / 2;
        return static_cast<int>(
            std::upper_bound(points_.begin() + begin, points_.begin() + end, middle) -
            points_.begin());
    }

    void depth_of(int begin, int end, int depth, int last, int& deepest) const {
        deepest = std::max(deepest, depth);
        if (end - begin <= panel_size || depth == last) return;
        const int middle = cut_at(begin, end);
        depth_of(begin, middle, depth + 1, last, deepest);
        depth_of(middle, end, depth + 1, last, deepest);
    }

    void cut_ranges(int p, int begin, int end) {
        const auto panel = static_cast<std::size_t>(p);
        tree_.begin[panel] = begin;
        tree_.end[panel] = end;
        if (end > begin) {
            tree_.lower[panel] = point(begin);
            tree_.upper[panel] = point(end - 1);
        }
        if (2 * p >= tree_.size) return;
        const int middle = end - begin > panel_size ? cut_at(begin, end) : end;
        cut_ranges(2 * p, begin, middle);
        cut_ranges(2 * p + 1, middle, end);
    }

    /// Called from the last panel to the first, because the weights of a panel come from its
    /// children.
    void fill(int p) {
        const auto panel = static_cast<std::size_t>(p);
        const int begin = tree_.begin[panel], end = tree_.end[panel];
        double* node = &tree_.node[panel * panel_size];
        double* weight = &tree_.weight[panel * panel_size];
        if (begin == end) return;
        if (end - begin <= panel_size) {
            for (int j = 0; j < panel_size; ++j) {
                const int i = std::min(begin + j, end - 1);
                node[j] = point(i);
                weight[j] = begin + j < end ? weights_[static_cast<std::size_t>(i)] : 0;
                tree_.mass[panel] += std::abs(weight[j]);
            }
            return;
        }
        tree_.exact[panel] = 0;
        const double centre = (tree_.lower[panel] + tree_.upper[panel]) / 2;
        const double half = (tree_.upper[panel] - tree_.lower[panel]) / 2;
        for (std::size_t j = 0; j < panel_size; ++j)
            node[j] = centre + half * panel_rule().nodes[j];
        if (2 * p >= tree_.size) {
            for (int i = begin; i < end; ++i)
                add(p, point(i), weights_[static_cast<std::size_t>(i)], weight);
            for (int i = begin; i < end; ++i)
                tree_.mass[panel] += std::abs(weights_[static_cast<std::size_t>(i)]);
        } else {
            for (int child = 2 * p; child <= 2 * p + 1; ++child) {
                const auto from = static_cast<std::size_t>(child) * panel_size;
                for (std::size_t j = 0; j < panel_size; ++j)
                    if (tree_.weight[from + j] != 0)
                        add(p, tree_.node[from + j], tree_.weight[from + j], weight);
                tree_.mass[panel] += tree_.mass[static_cast<std::size_t>(child)];
            }
        }
        panel_remainder(weight, tree_.mass[panel], &tree_.remainder[panel * 4]);
    }

    void add(int p, double point, double weight, double* to) const {
        double basis[panel_size];
        panel_basis(tree_, p, point, basis);
        for (int j = 0; j < panel_size; ++j) to[j] += weight * basis[j];
    }

    std::span<const double> points_, weights_;
    PanelCut cut_;
    PanelTree tree_;
};

}  // namespace

PanelTree make_panel_tree(std::span<const double> points, std::span<const double> weights,
                          PanelCut cut, int levels) {
    return Builder(points, weights, cut).build(levels);
}

void panel_basis(const PanelTree& tree, int panel, double point, double* basis) {
    const double* node = &tree.node[static_cast<std::size_t>(panel) * panel_size];
    const double* lambda = barycentric().data();
    double total = 0;
    for (int j = 0; j < panel_size; ++j) {
        if (point == node[j]) {
            std::fill_n(basis, panel_size, 0.0);
            basis[j] = 1;
            return;
        }
        basis[j] = lambda[j] / (point - node[j]);
        total += basis[j];
    }
    const double scale = 1 / total;
    for (int j = 0; j < panel_size; ++j) basis[j] *= scale;
}

void panel_remainder(const double* weights, double mass, double* remainder) {
    static const std::vector<double> values = [] {
        std::vector<double> p;
        for (int degree = panel_size - 2; degree < panel_size; ++degree)
            for (double x : panel_rule().nodes) p.push_back(legendre(degree, x));
        return p;
    }();
    remainder[0] = remainder[1] = remainder[3] = 0;
    remainder[2] = mass;
    for (std::size_t j = 0; j < panel_size; ++j) {
        remainder[0] += weights[j] * values[j];
        remainder[1] += weights[j] * values[panel_size + j];
    }
}

std::vector<double> legendre_tail() {
    std::vector<double> tail;
    for (int degree = panel_size - 2; degree < panel_size; ++degree)
        for (std::size_t j = 0; j < panel_size; ++j)
            tail.push_back((2 * degree + 1) / 2.0 * panel_rule().weights[j] *
                           legendre(degree, panel_rule().nodes[j]));
    return tail;
}

}  // namespace tessera::likelihood
