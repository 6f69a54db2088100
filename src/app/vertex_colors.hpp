// The colours of surfaces by the values on their vertices.
#pragma once

#include <string>
#include <vector>

#include "app/surface_export.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/pictures/color_bar.hpp"
#include "io/scenes/glb_writer.hpp"

namespace tessera::app {

/// The field `name` of a surface. Throws Error, which begins with `option`, if it has none of this
/// name.
const io::Mesh::Field& field_of(const io::Mesh& mesh, const std::string& name,
                                const std::string& option, const std::string& surface);

/// The range of values from `least` to `most`, or that of no vertices if `least` is above `most`.
/// `wanted` is the value at the ends, if it is above 0.
io::ColorRange range_of(double least, double most, double wanted = 0);

/// The values, and their colours from red (-range.high) over white (0) to blue (range.high).
io::VertexColors colors_of(const io::Mesh::Field& field, const io::ColorRange& range);

}  // namespace tessera::app
