#include "orbitals/selection/vertex_field.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/density_field.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using FieldKind = VertexField::Kind;

constexpr const char* option = "--vertex-field";

OrbitalRequest parse_orbital(const std::string& text) {
    try {
        OrbitalRequest request = parse_orbital_list(text).front();
        request.option = option;
        return request;
    } catch (const Error&) {
        throw Error(std::string(option) + ": '" + io::one_line(text) + "' is not a field",
                    "it is neither density, spin-density, gradient-norm, a derived field such as "
                    "laplacian or elf, esp, a name of --combine nor an orbital",
                    "use for example spin-density,HOMO");
    }
}

/// The scalar among the derived fields with this name, if there is one.
const DensityField* derived_field(const std::string& name) {
    const auto& fields = density_fields();
    const auto found = std::ranges::find_if(fields, [&](const DensityField& field) {
        return field.name == name && field.kind &&
               *field.kind > kernels::DerivedField::gradient_norm;
    });
    return found == fields.end() ? nullptr : &*found;
}

VertexField parse_field(const std::string& text, const std::vector<std::string>& combinations) {
    if (const auto known = std::ranges::find(combinations, text); known != combinations.end())
        return {FieldKind::combination, text, {}, static_cast<int>(known - combinations.begin())};
    std::string name = lower_case(text);
    std::ranges::replace(name, '-', '_');
    if (name == "density") return {FieldKind::density, name, {}};
    if (name == "spin_density") return {FieldKind::spin_density, name, {}};
    if (name == "gradient_norm") return {FieldKind::gradient_norm, name, {}};
    if (const DensityField* field = derived_field(name))
        return {.kind = FieldKind::derived, .name = name, .derived = *field->kind};
    if (name == potential_name) return {FieldKind::potential, name, {}};
    const OrbitalRequest request = parse_orbital(text);
    if (!names_one_orbital(request))
        throw Error(std::string(option) + ": '" + io::one_line(text) + "' is not one orbital",
                    "a field has one value at each vertex", "name one orbital, such as HOMO");
    return {FieldKind::orbital, text, request};
}

}  // namespace

std::vector<VertexField> parse_vertex_fields(const std::string& text,
                                             const std::vector<std::string>& combinations) {
    std::vector<VertexField> fields;
    for (const std::string& item : split_list(text))
        fields.push_back(parse_field(item, combinations));
    return fields;
}

}  // namespace tessera::orbitals
