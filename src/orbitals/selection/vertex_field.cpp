#include "orbitals/selection/vertex_field.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using Kind = VertexField::Kind;

constexpr const char* option = "--vertex-field";

VertexField parse_field(const std::string& text) {
    std::string name = lower_case(text);
    std::ranges::replace(name, '-', '_');
    if (name == "density") return {Kind::density, name, {}};
    if (name == "spin_density") return {Kind::spin_density, name, {}};
    if (name == "gradient_norm") return {Kind::gradient_norm, name, {}};
    const auto requests = parse_orbital_list(text, option);
    using OfOrbital = OrbitalRequest::Kind;
    const OrbitalRequest& request = requests.front();
    const bool is_range = request.kind == OfOrbital::numbers && request.first != request.last;
    if (request.kind == OfOrbital::all || request.kind == OfOrbital::occupied || is_range)
        throw Error(std::string(option) + ": '" + io::one_line(text) + "' is not one orbital",
                    "a field has one value at each vertex", "name one orbital, such as HOMO");
    return {Kind::orbital, text, request};
}

}  // namespace

std::vector<VertexField> parse_vertex_fields(const std::string& text) {
    std::vector<VertexField> fields;
    for (const std::string& item : split_list(text)) {
        VertexField field = parse_field(item);
        if (std::ranges::count(fields, field.name, &VertexField::name) > 0)
            throw Error(std::string(option) + ": '" + io::one_line(item) + "' is asked for twice",
                        "every field is written once", "name it once");
        fields.push_back(std::move(field));
    }
    return fields;
}

}  // namespace tessera::orbitals
