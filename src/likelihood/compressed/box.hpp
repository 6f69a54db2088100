// A box of panels, with its centre and its extent along each axis, as the walks use it.
#pragma once

#include <cmath>

#include "likelihood/compressed/walk.hpp"

namespace tessera::likelihood {

enum BoxAxis { along_radius, along_mu, along_nu, box_axes };

struct PanelBox {
    int panel[box_axes] = {1, 1, 1};

    static const PanelTree& tree(const CompressedArea& area, int axis) {
        return axis == along_radius ? area.radius : axis == along_mu ? area.mu : area.nu;
    }
    bool exact(const CompressedArea& area, int axis) const {
        return PanelTree::at(tree(area, axis).exact, panel[axis]) != 0;
    }
    bool empty(const CompressedArea& area) const {
        return area.radius.empty(panel[along_radius]) || area.mu.empty(panel[along_mu]) ||
               area.nu.empty(panel[along_nu]);
    }
    double mass(const CompressedArea& area) const {
        return PanelTree::at(area.radius.mass, panel[along_radius]) *
               PanelTree::at(area.mu.mass, panel[along_mu]) *
               PanelTree::at(area.nu.mass, panel[along_nu]);
    }
    PanelBox child(int axis, int side) const {
        PanelBox box = *this;
        box.panel[axis] = 2 * panel[axis] + side;
        return box;
    }
};

/// Directions at the centre of a box, and half extents: in radius (kpc), in its logarithm, in mu
/// and nu (radians).
struct BoxFrame {
    Vec3 centre, mu, nu;  ///< unit vector, and its derivatives by mu and nu per radian
    double low, middle, high, log_half, mu_half, nu_half;

    BoxFrame(const CompressedArea& area, const std::array<Vec3, 3>& frame, const PanelBox& box) {
        const auto [cos_mu, sin_mu] = PanelTree::at(area.mu_centre, box.panel[along_mu]);
        const auto [cos_nu, sin_nu] = PanelTree::at(area.nu_centre, box.panel[along_nu]);
        const Vec3 plane = cos_mu * frame[0] + sin_mu * frame[1];
        centre = cos_nu * plane + sin_nu * frame[2];
        mu = cos_nu * (cos_mu * frame[1] - sin_mu * frame[0]);
        nu = cos_nu * frame[2] - sin_nu * plane;
        low = PanelTree::at(area.low, box.panel[along_radius]);
        high = PanelTree::at(area.high, box.panel[along_radius]);
        middle = (low + high) / 2;
        log_half = (PanelTree::at(area.radius.upper, box.panel[along_radius]) -
                    PanelTree::at(area.radius.lower, box.panel[along_radius])) /
                   2;
        mu_half = PanelTree::at(area.mu_half, box.panel[along_mu]);
        nu_half = PanelTree::at(area.nu_half, box.panel[along_nu]);
    }

    /// Half extents in kpc under a linear map of lengths, such as the part across an axis or a
    /// flattening.
    template <class Length>
    void extents(Length&& length, double* half) const {
        half[along_radius] = (high - low) / 2 * length(centre);
        half[along_mu] = high * mu_half * (length(mu) + mu_half / 2 + nu_half / 2);
        half[along_nu] = high * nu_half * (length(nu) + mu_half / 2 + nu_half / 2);
    }
    /// The radial half extent for the steepest part of the box, in the logarithm of distance.
    double steep(double length_of_centre) const { return high * log_half * length_of_centre; }
};

}  // namespace tessera::likelihood
