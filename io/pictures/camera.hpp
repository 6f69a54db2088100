// From where a picture shows a molecule.
#pragma once

#include <limits>
#include <vector>

#include "core/vec3.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// The side from which one looks, and the direction that points up in the picture.
struct ViewPoint {
    Vec3 from, up;
    bool of_molecule = true;  ///< along the principal axes instead of those of the file
};

/// Along the axis of the smallest extent, so that a flat molecule lies in the picture.
inline constexpr ViewPoint front_view{{0, 0, 1}, {0, 1, 0}};
/// From above with the longest axis to the right: a flat molecule is seen from its edge.
inline constexpr ViewPoint edge_view{{0, -1, 0}, {0, 0, 1}};
inline constexpr ViewPoint end_view{{1, 0, 0}, {0, 0, 1}};
/// Slightly from above and from the side: lobes over and under the plane are both seen.
inline constexpr ViewPoint tilted_view{{0.35, -0.85, 0.5}, {0, 0, 1}};

/// The axes of the largest, middle and smallest extent of the nuclei as the rows of a rotation.
/// Along the first two, the end with fewer or farther nuclei comes last (third moment).
Matrix3 principal_axes(const std::vector<Nucleus>& nuclei);

/// The rotation to the camera's axes: to the right, up, and towards the viewer.
Matrix3 camera_axes(const ViewPoint& view, const std::vector<Nucleus>& nuclei);

/// A box along the camera's axes, bohr.
struct PictureBox {
    Vec3 low{1, 1, 1}, high{-1, -1, -1};
    bool empty = true;

    void add(Vec3 center, double radius);
};

/// Adds the nuclei, as they are drawn, and the surface.
void add_to_box(PictureBox& box, const Matrix3& axes, const std::vector<Nucleus>& nuclei,
                const Mesh& surface);

/// Looks without perspective.
struct Camera {
    Matrix3 axes{};
    Vec3 center;          ///< of the picture, along the camera's axes, bohr
    double scale = 1;     ///< pixels a bohr
    double x = 0, y = 0;  ///< where the picture shows the centre, pixels

    /// Pixels from the left, pixels from the top, and pixels towards the viewer.
    Vec3 place(Vec3 point) const {
        const Vec3 seen = scale * (axes * point - center);
        return {x + seen.x, y - seen.y, seen.z};
    }
};

/// Shows the whole box with a margin in the left `width` by `height` pixels of a picture. Throws
/// Error if the box is not finite.
Camera camera_for(const Matrix3& axes, const PictureBox& box, double width, double height);

}  // namespace tessera::io
