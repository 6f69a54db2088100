// The weights of a selection function on panels of mu and nu: sky_panels(), declared in wedge.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "likelihood/compressed/wedge.hpp"

namespace tessera::likelihood {

namespace {

using kernels::compressed::panel_size;
using kernels::compressed::SkyPanel;

constexpr std::size_t most_numbers = 150'000'000;  // 1.2 GB

/// Where a number of a table with `width` columns lies.
std::size_t in_table(int row, int width, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(column);
}

/// [16][points of the panel] Lagrange's basis at the points, or which of them is a node.
using Basis = std::vector<double>;

std::vector<Basis> bases_of(const PanelTree& tree, const io::Cells& cells) {
    std::vector<Basis> bases(static_cast<std::size_t>(tree.size));
    for (int p = 1; p < tree.size; ++p) {
        const auto panel = static_cast<std::size_t>(p);
        const int begin = tree.begin[panel], count = tree.end[panel] - begin;
        Basis& basis = bases[panel];
        basis.assign(in_table(panel_size, count, 0), 0.0);
        for (int i = 0; i < count; ++i) {
            double values[panel_size] = {};
            if (tree.exact[panel] != 0)
                values[i] = 1;
            else
                panel_basis(tree, p, cell_centre(cells, begin + i), values);
            for (int j = 0; j < panel_size; ++j) basis[in_table(j, count, i)] = values[j];
        }
    }
    return bases;
}

/// One axis of a pair of panels.
struct Side {
    const PanelTree& tree;
    int panel;
    const Basis& basis;

    int begin() const { return tree.begin[static_cast<std::size_t>(panel)]; }
    int count() const { return tree.end[static_cast<std::size_t>(panel)] - begin(); }
    bool exact() const { return tree.exact[static_cast<std::size_t>(panel)] != 0; }
    double at(int node, int point) const { return basis[in_table(node, count(), point)]; }
};

/// Writes the remainders of the rule along one axis, for each node of the other one. `weight` gives
/// the weight of (node along the axis, other node), and `masses` are sums of |weight| over points.
template <class Weight>
void write_remainders(const Side& along, const double* masses, const Weight& weight, double* to) {
    for (int other = 0; other < panel_size; ++other, to += 4) {
        std::fill_n(to, 4, 0.0);
        if (along.exact()) continue;
        double line[panel_size];
        for (int j = 0; j < panel_size; ++j) line[j] = weight(j, other);
        panel_remainder(line, masses[other], to);
    }
}

/// The weights are the moments of the measure along both axes. `cells` [mu][nu] are its points.
void fill(const Side& mu, const Side& nu, const std::vector<double>& cells, int nu_steps,
          double* panel) {
    double of_mu[panel_size] = {}, of_nu[panel_size] = {};  // masses for nodes of the other axis
    std::fill_n(panel, panel_size * panel_size, 0.0);
    const auto cell = [&](int i, int j) {
        return cells[in_table(mu.begin() + i, nu_steps, nu.begin() + j)];
    };
    for (int i = 0; i < mu.count(); ++i) {
        double row[panel_size] = {};  // the points of one mu, on the nodes of nu
        for (int l = 0; l < panel_size; ++l)
            for (int j = 0; j < nu.count(); ++j) row[l] += nu.at(l, j) * cell(i, j);
        for (int l = 0; l < panel_size; ++l) {
            of_mu[l] += std::abs(row[l]);
            for (int k = 0; k < panel_size; ++k) panel[k * panel_size + l] += mu.at(k, i) * row[l];
        }
    }
    for (int j = 0; j < nu.count(); ++j)
        for (int k = 0; k < panel_size; ++k) {
            double sum = 0;
            for (int i = 0; i < mu.count(); ++i) sum += mu.at(k, i) * cell(i, j);
            of_nu[k] += std::abs(sum);
        }
    write_remainders(
        mu, of_mu, [&](int k, int l) { return panel[k * panel_size + l]; },
        panel + SkyPanel::along_mu);
    write_remainders(
        nu, of_nu, [&](int l, int k) { return panel[k * panel_size + l]; },
        panel + SkyPanel::along_nu);
}

}  // namespace

std::vector<double> sky_panels(const CompressedArea& area, const SelectedArea& part) {
    if (part.sky.empty()) return {};
    const io::Cells &mu = part.cells.mu, &nu = part.cells.nu;
    const std::size_t numbers = static_cast<std::size_t>(area.mu.size) *
                                static_cast<std::size_t>(area.nu.size) * SkyPanel::size;
    if (numbers > most_numbers)
        throw Error(fmt::format("the selection function of {} x {} cells takes {} GB", mu.steps,
                                nu.steps, numbers / 125'000'000),
                    "the compressed integration keeps weights of all its panels",
                    "use --integration exact, or fewer steps of mu and nu", ExitCode::resources);
    std::vector<double> cells = part.sky;
    for (std::size_t c = 0; c < cells.size(); ++c)
        cells[c] *= nu_weight(nu, static_cast<int>(c % static_cast<std::size_t>(nu.steps)));
    const std::vector<Basis> mu_bases = bases_of(area.mu, mu), nu_bases = bases_of(area.nu, nu);
    std::vector<double> sky(numbers, 0.0);
#pragma omp parallel for schedule(dynamic, 1) collapse(2)
    for (int p = 1; p < area.mu.size; ++p)
        for (int q = 1; q < area.nu.size; ++q) {
            if (area.mu.empty(p) || area.nu.empty(q)) continue;
            const auto place =
                static_cast<std::size_t>(p) * static_cast<std::size_t>(area.nu.size) +
                static_cast<std::size_t>(q);
            fill({area.mu, p, mu_bases[static_cast<std::size_t>(p)]},
                 {area.nu, q, nu_bases[static_cast<std::size_t>(q)]}, cells, nu.steps,
                 &sky[place * SkyPanel::size]);
        }
    return sky;
}

}  // namespace tessera::likelihood
