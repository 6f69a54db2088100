#include "likelihood/compressed/wedge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/units.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

using kernels::compressed::AreaTables;
using kernels::compressed::AxisTable;
using kernels::compressed::panel_size;

constexpr int radial_levels = 16, angular_levels = 14;

AxisTable axis_table(const PanelTree& tree) { return {tree.node, {}, tree.weight, tree.remainder}; }

void take_cosines(AxisTable& table) {
    for (double angle : table.node) table.sine.push_back(std::sin(angle * units::degree));
    for (double& angle : table.node) angle = std::cos(angle * units::degree);
}

PanelTree angular_tree(const io::Cells& cells, double (*weight)(const io::Cells&, int)) {
    std::vector<double> points, weights;
    for (int i = 0; i < cells.steps; ++i) {
        points.push_back(cell_centre(cells, i));
        weights.push_back(weight(cells, i));
    }
    return make_panel_tree(points, weights, PanelCut::middle, angular_levels);
}

void describe_angles(const PanelTree& tree, std::vector<double>& half,
                     std::vector<std::array<double, 2>>& centre) {
    for (std::size_t p = 0; p < tree.lower.size(); ++p) {
        const double middle = (tree.lower[p] + tree.upper[p]) / 2 * units::degree;
        half.push_back((tree.upper[p] - tree.lower[p]) / 2 * units::degree);
        centre.push_back({std::cos(middle), std::sin(middle)});
    }
}

}  // namespace

std::array<Vec3, 3> stripe_frame(int wedge) {
    const std::array<Vec3, 3> axes = stripe_axes(wedge).axes;
    const double c = std::cos(survey_node * units::degree),
                 s = std::sin(survey_node * units::degree);
    return {c * axes[0] - s * axes[1], s * axes[0] + c * axes[1], axes[2]};
}

CompressedArea make_compressed_area(const SelectedArea& part, const LineOfSight& line) {
    const io::Area& area = part.cells;
    const RadialNodes nodes = area_nodes(area, line);
    std::vector<std::size_t> order(nodes.radius.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return nodes.radius[a] < nodes.radius[b] || (nodes.radius[a] == nodes.radius[b] && a < b);
    });
    std::vector<double> points, weights;
    CompressedArea made;
    for (const std::size_t i : order) {
        points.push_back(std::log(nodes.radius[i]));
        weights.push_back(nodes.weight[i]);
    }
    made.radius = make_panel_tree(points, weights, PanelCut::middle, radial_levels);
    // From here on the nodes are distances. Nodes of exact panels equal the points to the last bit.
    for (std::size_t p = 0; p < made.radius.lower.size(); ++p) {
        for (std::size_t j = 0; j < panel_size; ++j) {
            double& node = made.radius.node[p * panel_size + j];
            const auto point = static_cast<std::size_t>(made.radius.begin[p]) + j;
            const auto end = static_cast<std::size_t>(made.radius.end[p]);
            node = made.radius.exact[p] != 0 && end > 0
                       ? nodes.radius[order[std::min(point, end - 1)]]
                       : std::exp(node);
        }
        made.low.push_back(std::exp(made.radius.lower[p]));
        made.high.push_back(std::exp(made.radius.upper[p]));
    }
    made.mu = angular_tree(area.mu, [](const io::Cells&, int) { return 1.0; });
    made.nu = angular_tree(area.nu, [](const io::Cells& nu, int i) { return nu_weight(nu, i); });
    describe_angles(made.mu, made.mu_half, made.mu_centre);
    describe_angles(made.nu, made.nu_half, made.nu_centre);

    double sky = 0;
    for (int i = 0; i < area.nu.steps; ++i) sky += nu_weight(area.nu, i);
    sky *= area.mu.steps;
    if (!part.sky.empty()) {
        sky = 0;
        for (std::size_t c = 0; c < part.sky.size(); ++c)
            sky +=
                part.sky[c] *
                nu_weight(area.nu, static_cast<int>(c % static_cast<std::size_t>(area.nu.steps)));
    }
    for (std::size_t i = 0; i < nodes.weight.size(); ++i) {
        const double w = nodes.weight[i] * sky, g = nodes.magnitude[i];
        made.auxiliary[0] += w;
        made.auxiliary[1] += w * g;
        made.auxiliary[2] += w * g * g;
    }
    return made;
}

AreaTables area_tables(const CompressedArea& area) {
    AreaTables tables{axis_table(area.radius), axis_table(area.mu), axis_table(area.nu)};
    take_cosines(tables.mu);
    take_cosines(tables.nu);
    return tables;
}

}  // namespace tessera::likelihood
