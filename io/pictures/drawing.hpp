// What a picture shows, placed before the camera.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/fields/mesh_writer.hpp"
#include "io/pictures/camera.hpp"
#include "io/pictures/color.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// The opacity of a thin skin of even thickness. Where its normal is tilted, so that its part
/// towards the viewer is z, light goes through 1/z times its thickness.
class Skin {
  public:
    /// `opacity`: where z is 1.
    explicit Skin(float opacity);
    bool solid() const { return table_.back() >= 1; }
    float opacity(float z) const {
        return table_[static_cast<std::size_t>(std::lround(steps * z))];
    }

  private:
    static constexpr int steps = 256;
    std::array<float, steps + 1> table_{};
};

/// Lengths are in samples: to the right, downwards, and towards the viewer.
struct Drawing {
    struct Ball {
        Vec3 center;
        double radius = 0;
        Color color;
    };
    struct Rod {
        Vec3 from, to;
        double radius = 0;
        Color color;
    };
    struct Corner {
        Vec3 place;
        Normal normal;    ///< outward
        float value = 0;  ///< of the colour map, from -1 to 1
    };
    struct Face {
        std::array<std::uint32_t, 3> corners{};
        bool positive = true;  ///< the lobe
    };
    std::vector<Ball> balls;
    std::vector<Rod> rods;
    std::vector<Corner> corners;
    std::vector<Face> faces;
    bool colored_by_value = false;  ///< else by lobe
    Skin skin{1};                   ///< the faces
};

/// A molecule and a surface. `values` are those of the vertices from -1 to 1, or none.
struct PictureScene {
    const std::vector<Nucleus>& nuclei;
    const Mesh& surface;
    std::vector<float> values;
};

/// `samples`: a side of a pixel has so many.
Drawing draw(const PictureScene& scene, const Camera& camera, double samples, float opacity);

}  // namespace tessera::io
