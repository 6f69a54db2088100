#include "orbitals/selection/density_field.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

using kernels::DerivedField;

/// What to do about a name that is no field.
std::string advice_for(const std::string& name) {
    std::vector<std::string_view> known{"gradient"};
    for (const DensityField& field : density_fields()) known.emplace_back(field.name);
    std::string nearest(io::nearest_word(name, known));
    const std::size_t most = name.size() > 3 ? 2 : 1;
    if (io::edit_distance(name.substr(0, 64), nearest) > most)
        return "use for example laplacian,elf";
    std::ranges::replace(nearest, '_', '-');
    return "did you mean " + nearest + "?";
}

}  // namespace

const std::vector<DensityField>& density_fields() {
    static const std::vector<DensityField> fields{
        {DerivedField::gradient_x, "gradient_x", "bohr^-4"},
        {DerivedField::gradient_y, "gradient_y", "bohr^-4"},
        {DerivedField::gradient_z, "gradient_z", "bohr^-4"},
        {DerivedField::gradient_norm, "gradient_norm", "bohr^-4"},
        {DerivedField::laplacian, "laplacian", "bohr^-5"},
        {DerivedField::tau, "tau", "hartree bohr^-3"},
        {DerivedField::tau_laplacian, "tau_laplacian", "hartree bohr^-3"},
        {DerivedField::elf, "elf", ""},
        {DerivedField::lol, "lol", ""},
        {DerivedField::rdg, "rdg", ""},
        {DerivedField::sign_lambda2_density, "sign_lambda2_density", "bohr^-3"},
        {std::nullopt, potential_name, potential_units},
    };
    return fields;
}

std::vector<DensityField> parse_density_fields(const std::string& text) {
    std::vector<DensityField> chosen;
    const auto add = [&](const DensityField& field) {
        if (std::ranges::count(chosen, field.name, &DensityField::name) > 0)
            throw Error("--field: " + field.name + " is asked for twice",
                        "every field is written once", "name it once");
        chosen.push_back(field);
    };
    for (const std::string& item : split_list(text)) {
        std::string name = lower_case(item);
        std::ranges::replace(name, '-', '_');
        const std::size_t before = chosen.size();
        for (const DensityField& field : density_fields())
            if (field.name == name ||
                (name == "gradient" && field.kind && *field.kind <= DerivedField::gradient_z))
                add(field);
        if (chosen.size() == before)
            throw Error("--field: '" + io::one_line(item) + "' is not a field",
                        "it is neither gradient, gradient-norm, laplacian, tau, tau-laplacian, "
                        "elf, lol, rdg, sign-lambda2-density nor esp",
                        advice_for(name));
    }
    return chosen;
}

}  // namespace tessera::orbitals
