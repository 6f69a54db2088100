// A discrete measure on a line, cut into panels. Each panel replaces its points by sixteen nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::likelihood {

/// A heap of panels: the root is 1, and the children of p are 2p and 2p + 1. A panel of at most
/// sixteen points keeps them. A larger panel has Gauss-Legendre nodes between its first and last
/// point. Its weights reproduce the moments of the measure up to degree 15: weight_j is the sum of
/// w l_j over the points, where l_j is Lagrange's basis.
struct PanelTree {
    int size = 2;                      ///< panels + 1
    std::vector<double> lower, upper;  ///< [panel] first and last point
    std::vector<int> begin, end;       ///< [panel] range of points
    std::vector<std::uint8_t> exact;   ///< [panel] whether the nodes are the points
    std::vector<double> node, weight;  ///< [panel][16]
    std::vector<double> mass;          ///< [panel] sum of |w| over the points
    std::vector<double> remainder;     ///< [panel][4] moments of P_14, P_15, mass, 0; 0 if exact

    bool empty(int panel) const { return at(begin, panel) == at(end, panel); }
    template <class T>
    static const T& at(const std::vector<T>& values, int panel) {
        return values[static_cast<std::size_t>(panel)];
    }
};

/// Where a panel is cut: in the middle of its range, or so that both halves have equally many
/// points.
enum class PanelCut { middle, median };

/// `points` must ascend. The tree has at most `levels` levels. Panels of the last level are
/// interpolated even if they have many points.
PanelTree make_panel_tree(std::span<const double> points, std::span<const double> weights,
                          PanelCut cut, int levels);

/// Lagrange's basis of the Gauss-Legendre nodes of a panel at a point: [16].
void panel_basis(const PanelTree& tree, int panel, double point, double* basis);

/// The moments of P_14 and P_15, the mass and 0, from the sixteen weights of a panel: [4].
void panel_remainder(const double* weights, double mass, double* remainder);

/// [2][16]: the products of these numbers with the values of a function at the Gauss-Legendre nodes
/// sum up to its coefficients of P_14 and P_15.
std::vector<double> legendre_tail();

}  // namespace tessera::likelihood
