#include "orbitals/selection/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/hdf5/zfp_filter.hpp"
#include "orbitals/selection/combination.hpp"
#include "orbitals/selection/density_field.hpp"
#include "orbitals/selection/unused_options.hpp"
#include "orbitals/selection/vertex_field.hpp"

namespace tessera::orbitals {

namespace {

void require_range(const char* option, double value, double low, double high, const char* unit) {
    if (!(value >= low && value <= high))
        throw Error(fmt::format("{} {:g} {} is out of range", option, value, unit),
                    "nothing was computed",
                    fmt::format("choose between {:g} and {:g} {}", low, high, unit));
}

/// Single precision holds no number below 1e-45, and those below 1e-38 with fewer digits.
void require_visible(const OrbitalInput& input, const Combination& combination) {
    constexpr double least = 1e-30;
    const double factor = largest_factor(combination);
    if (input.double_precision || factor == 0 || factor >= least) return;
    throw Error("--combine " + combination.name + ": its values vanish in single precision",
                fmt::format("its largest factor is {:g}", factor),
                fmt::format("use factors of {:g} or more, or add --precision double", least));
}

/// Expressions name known files, and all files that are given.
void validate_combinations(const OrbitalInput& input) {
    const auto files = parse_named_files(input.with);
    std::vector<std::string> used;
    for (const Combination& combination : parse_combinations(input.combine)) {
        require_visible(input, combination);
        for (const std::string& source : sources_of(combination)) {
            used.push_back(source);
            if (source.empty() || is_frame_number(source) ||
                std::ranges::count(files, source, &NamedFile::name) > 0)
                continue;
            throw Error("--combine " + combination.name + ": there is no file '" + source + "'",
                        "no file has this name",
                        fmt::format("name the file, as in --with {0}={0}.molden", source));
        }
    }
    for (const NamedFile& file : files)
        if (std::ranges::count(used, file.name) == 0)
            throw Error("--with " + file.name + ": the file is not used",
                        "no expression of --combine names it", "correct the name, or leave it out");
    if (input.different_geometries && input.combine.empty())
        throw Error("--different-geometries without --combine", "there is nothing to combine",
                    "add --combine, or remove it");
}

nlohmann::ordered_json list_of(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace

void validate(const OrbitalInput& input) {
    for (const double spacing : {input.spacing.x, input.spacing.y, input.spacing.z})
        require_range("--spacing", spacing, spacing_range.low, spacing_range.high, "bohr");
    require_range("--padding", input.padding, padding_range.low, padding_range.high, "bohr");
    require_range("--tolerance", input.tolerance, 0, 1, "bohr^-3/2");
    require_range("--esp-tolerance", input.potential_tolerance, 0, 1, "hartree/e");
    require_range("--isosurface", input.isosurface, 0, 1e6, "bohr^-3/2");
    require_range("--density-isosurface", input.density_isosurface, 0, 1e6, "bohr^-3");
    require_range("--compress", input.deflate, 0, 9, "(gzip level)");
    require_range("--compress-error", input.compress_error, 0, 1, "(units of the grid)");
    if (input.compress_error > 0 && !input.grids && !input.mean_density)
        throw Error("--compress-error has nothing to compress", "this run writes no grids",
                    computes_points_only(input) ? "leave it out"
                                                : "leave it out, or add --grids to isosurfaces");
    if (input.zfp && input.compress_error == 0)
        throw Error("--zfp without --compress-error", "zfp packs within an error",
                    "add --compress-error E");
    if (input.zfp && !io::has_zfp())
        throw Error("--zfp: this build has no zfp", "it was built without libzfp-dev",
                    "leave --zfp out, or build again with zfp");
    if (!input.cell_grid && input.origin.has_value() != input.shape.has_value())
        throw Error(input.origin ? "--origin is given without --grid"
                                 : "--grid is given without --origin",
                    "a grid of your own needs both", "add the other option, or remove this one");
    if (input.origin)
        for (const double x : {input.origin->x, input.origin->y, input.origin->z})
            require_range("--origin", x, origin_range.low, origin_range.high, "bohr");
    if (input.shape)
        for (const std::int64_t points : *input.shape)
            require_range("--grid", static_cast<double>(points), 1, 1e9, "points");
    parse_orbital_list(input.orbitals.empty() ? "HOMO" : input.orbitals);
    if (!input.fields.empty()) {
        const auto fields = parse_density_fields(input.fields);
        const bool at_points = !input.points.empty();
        const auto on_grid = [&](const DensityField& field) { return field.kind || !at_points; };
        if (!input.grids && std::ranges::any_of(fields, on_grid))
            throw Error("--field or --esp has nothing to write", "this run writes no grids",
                        "leave --norms-only out, or add --grids to isosurfaces");
    }
    if (!input.points.empty() && !asks_for_potential(input))
        throw Error("--points without --esp", "only the electrostatic potential is computed there",
                    "add --esp");
    if (!input.natural_orbitals.empty() && !input.transition_orbitals.empty())
        throw Error("--natural-orbitals together with --natural-transition-orbitals",
                    "one of them replaces the orbitals", "leave one out");
    validate_combinations(input);
    if (input.vertex_fields.empty()) return;
    parse_vertex_fields(input.vertex_fields, combination_names(input));
    if (input.isosurface == 0 && input.density_isosurface == 0)
        throw Error("--vertex-field without --isosurface", "its values belong to a surface",
                    "add --isosurface VALUE");
}

std::string transition_file_of(const OrbitalInput& input) {
    const std::string& text = input.transition_orbitals;
    const bool is_number =
        std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    return is_number ? std::string() : text;
}

std::vector<std::string> files_of(const OrbitalInput& input) {
    std::vector<std::string> files = input.paths;
    if (!transition_file_of(input).empty()) files.push_back(transition_file_of(input));
    if (!input.points.empty()) files.push_back(input.points);
    for (const NamedFile& file : parse_named_files(input.with)) files.push_back(file.path);
    return files;
}

std::vector<std::string> combination_names(const OrbitalInput& input) {
    std::vector<std::string> names;
    for (const Combination& combination : parse_combinations(input.combine))
        names.push_back(combination.name);
    return names;
}

bool asks_for_potential(const OrbitalInput& input) {
    return !input.fields.empty() && std::ranges::count(parse_density_fields(input.fields),
                                                       potential_name, &DensityField::name) > 0;
}

std::string to_json(const OrbitalInput& input) {
    nlohmann::ordered_json json;
    json["files"] = input.paths;
    json["orbitals"] = input.orbitals;
    json["energy_window_hartree"] = nullptr;
    if (input.energy_window)
        json["energy_window_hartree"] = {input.energy_window->low, input.energy_window->high};
    json["frames"] = input.frames;
    json["spacing_bohr"] = list_of(input.spacing);
    json["padding_bohr"] = input.padding;
    json["origin_bohr"] = nullptr;
    if (input.origin) json["origin_bohr"] = list_of(*input.origin);
    json["grid"] = nullptr;
    if (input.shape) json["grid"] = *input.shape;
    if (input.cell_grid) json["grid"] = "cell";
    if (input.isolated) json["isolated"] = true;
    if (!input.natural_orbitals.empty()) json["natural_orbitals"] = input.natural_orbitals;
    if (!input.transition_orbitals.empty())
        json["natural_transition_orbitals"] = input.transition_orbitals;
    json["density"] = input.density;
    json["spin_density"] = input.spin_density;
    if (input.mean_density) json["mean_density"] = true;  // journals of former versions still fit
    json["tolerance"] = input.tolerance;
    json["precision"] = input.double_precision ? "double" : "single";
    json["isosurface"] = input.isosurface;
    // As for mean_density: only if asked for.
    if (input.density_isosurface > 0) json["density_isosurface"] = input.density_isosurface;
    if (!input.vertex_fields.empty()) json["vertex_fields"] = input.vertex_fields;
    if (!input.fields.empty()) json["fields"] = input.fields;
    if (!input.combine.empty()) json["combine"] = input.combine;
    if (!input.with.empty()) json["with"] = input.with;
    if (input.different_geometries) json["different_geometries"] = true;
    if (!input.points.empty()) json["points"] = input.points;
    if (asks_for_potential(input) || !input.vertex_fields.empty())
        json["esp_tolerance"] = input.potential_tolerance;
    json["grids"] = input.grids;
    json["overlap_matrix"] = input.overlap_matrix;
    json["track"] = input.track;
    json["repair_norms"] = input.repair_norms;
    json["compress"] = input.deflate;
    if (input.compress_error > 0) json["compress_error"] = input.compress_error;
    if (input.zfp) json["zfp"] = true;
    // A file name may hold any bytes. Bytes that are not UTF-8 are replaced.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tessera::orbitals
