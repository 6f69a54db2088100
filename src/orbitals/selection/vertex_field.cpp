#include "orbitals/selection/vertex_field.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/density_field.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using Kind = VertexField::Kind;

constexpr const char* option = "--vertex-field";

OrbitalRequest parse_orbital(const std::string& text) {
    try {
        OrbitalRequest request = parse_orbital_list(text).front();
        request.option = option;
        return request;
    } catch (const Error&) {
        throw Error(std::string(option) + ": '" + io::one_line(text) + "' is not a field",
                    "it is neither density, spin-density, gradient-norm, esp nor an orbital",
                    "use for example spin-density,HOMO");
    }
}

VertexField parse_field(const std::string& text) {
    std::string name = lower_case(text);
    std::ranges::replace(name, '-', '_');
    if (name == "density") return {Kind::density, name, {}};
    if (name == "spin_density") return {Kind::spin_density, name, {}};
    if (name == "gradient_norm") return {Kind::gradient_norm, name, {}};
    if (name == potential_name) return {Kind::potential, name, {}};
    using OfOrbital = OrbitalRequest::Kind;
    const OrbitalRequest request = parse_orbital(text);
    const bool is_range = request.kind == OfOrbital::numbers && request.first != request.last;
    if (request.kind == OfOrbital::all || request.kind == OfOrbital::occupied || is_range)
        throw Error(std::string(option) + ": '" + io::one_line(text) + "' is not one orbital",
                    "a field has one value at each vertex", "name one orbital, such as HOMO");
    return {Kind::orbital, text, request};
}

}  // namespace

std::vector<VertexField> parse_vertex_fields(const std::string& text) {
    std::vector<VertexField> fields;
    for (const std::string& item : split_list(text)) fields.push_back(parse_field(item));
    return fields;
}

}  // namespace tessera::orbitals
