#include "app/vertex_colors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/pictures/color.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

const io::Mesh::Field& field_of(const io::Mesh& mesh, const std::string& name,
                                const std::string& option, const std::string& surface) {
    std::vector<std::string> names;
    names.reserve(mesh.fields.size());
    for (const io::Mesh::Field& field : mesh.fields) {
        if (field.name == name) return field;
        names.push_back(field.name);
    }
    const std::string list =
        names.empty() ? "none" : io::one_line(fmt::format("{}", fmt::join(names, ", ")), 200);
    throw Error(option + ": the surface " + surface + " has no values '" + io::one_line(name) + "'",
                "it has: " + list, "name one of these, or run again with --vertex-field " + name);
}

io::ColorRange range_of(double least, double most, double wanted) {
    const io::ColorRange range =
        least <= most ? io::color_range(least, most) : io::color_range(0, 0);
    return wanted > 0 ? io::ColorRange{range.low < 0 ? -wanted : 0, wanted} : range;
}

io::VertexColors colors_of(const io::Mesh::Field& field, const io::ColorRange& range) {
    io::VertexColors colors;
    for (const double value : field.values) {
        const double share = std::clamp(value / range.high, -1.0, 1.0);
        const io::Color color = io::diverging_color(static_cast<float>(share));
        colors.values.push_back(static_cast<float>(value));
        colors.colors.push_back({color.red, color.green, color.blue});
    }
    return colors;
}

}  // namespace tessera::app
