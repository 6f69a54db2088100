// A discrete measure on a line, cut into panels that replace its points by sixteen nodes each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::likelihood {

/// Heap of panels (children of p: 2p, 2p + 1; root 1). A panel of at most sixteen points keeps
/// them; a larger one has Gauss-Legendre nodes between its first and last point, with the weights
/// that give the measure's own moments up to degree 15 (weight_j = sum over points of w l_j, l_j
/// Lagrange's basis).
struct PanelTree {
    int size = 2;                      ///< panels + 1
    std::vector<double> lower, upper;  ///< [panel] first and last point
    std::vector<int> begin, end;       ///< [panel] range of points
    std::vector<std::uint8_t> exact;   ///< [panel] nodes are the points
    std::vector<double> node, weight;  ///< [panel][16]
    std::vector<double> mass;          ///< [panel] sum of |w| over the points
    std::vector<double> remainder;  ///< [panel][4]: moments of P_14, P_15, mass, 0; 0 where exact

    bool empty(int panel) const { return at(begin, panel) == at(end, panel); }
    template <class T>
    static const T& at(const std::vector<T>& values, int panel) {
        return values[static_cast<std::size_t>(panel)];
    }
};

/// Where a panel is cut: in the middle, or so that both halves have as many points.
enum class PanelCut { middle, median };

/// `points` ascending. At most `levels` levels; panels of the last are interpolated whatever they
/// hold.
PanelTree make_panel_tree(std::span<const double> points, std::span<const double> weights,
                          PanelCut cut, int levels);

/// Lagrange's basis of a panel's Gauss-Legendre nodes at a point: [16].
void panel_basis(const PanelTree& tree, int panel, double point, double* basis);

/// The moments of P_14 and P_15 and the mass, from a panel's sixteen weights: [4].
void panel_remainder(const double* weights, double mass, double* remainder);

/// [2][16]: coefficients of P_14 and P_15 of a function are the sums of these times its values at
/// the Gauss-Legendre nodes.
std::vector<double> legendre_tail();

}  // namespace tessera::likelihood
