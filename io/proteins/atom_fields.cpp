#include "io/proteins/atom_fields.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/error.hpp"

namespace tessera::io {

namespace {

constexpr double largest_coordinate = 1e5;  // Angstrom

}  // namespace

std::string structure_problem(const std::string& path) {
    return "cannot read structure '" + path + "'";
}

std::string_view trimmed_field(std::string_view field) {
    while (!field.empty() && (field.front() == ' ' || field.front() == '\t'))
        field.remove_prefix(1);
    while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
    return field;
}

std::string upper_case(std::string_view field) {
    std::string text(field);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

double finite_or(double value, double otherwise) {
    return std::isfinite(value) ? value : otherwise;
}

void check_coordinate(double value, const std::string& where, const std::string& path) {
    if (!std::isfinite(value))
        throw Error(structure_problem(path), where + ": a coordinate is not a finite number",
                    repair_structure);
    if (std::abs(value) > largest_coordinate)
        throw Error(structure_problem(path), where + ": a coordinate is beyond 100000 Angstrom",
                    repair_structure);
}

}  // namespace tessera::io
