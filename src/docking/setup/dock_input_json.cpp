// The input as JSON: the functions of dock_input.hpp that need the JSON library.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "docking/setup/dock_choices.hpp"
#include "docking/setup/dock_input.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using Json = nlohmann::ordered_json;

/// Calls f(key, value) for every option, in the order of the text.
template <class Input, class Function>
void for_each_option(Input& input, Function f) {
    f("receptor", input.receptor_path);
    f("ligand", input.ligand_path);
    f("receptor_chains", input.receptor_chains);
    f("ligand_chains", input.ligand_chains);
    f("reference", input.reference_path);
    f("reference_receptor_chains", input.reference_receptor_chains);
    f("reference_ligand_chains", input.reference_ligand_chains);
    f("rotations", input.rotations);
    f("rotation_file", input.rotation_file);
    f("seed", input.seed);
    f("spacing", input.spacing);
    f("grid", input.grid);
    f("coefficients", input.sets);
    f("terms", input.energy.eigen_terms);
    f("surface_core_scale", input.energy.surface_core_scale);
    f("buried_core_scale", input.energy.buried_core_scale);
    f("surface_rim_scale", input.energy.surface_rim_scale);
    f("buried_rim_scale", input.energy.buried_rim_scale);
    f("repulsion", input.energy.repulsion);
    f("rim", input.energy.rim);
    f("buried_ligand_weight", input.energy.buried_ligand_weight);
    f("attraction_cutoff", input.energy.attraction_cutoff);
    f("pair_cutoff", input.energy.pair_cutoff);
    f("born_radius", input.energy.born_radius);
    f("electrostatics_cutoff", input.energy.electrostatics_cutoff);
    f("pair_potential", input.pair_potential);
    f("pair_scale", input.pair_scale);
    f("atom_types", input.atom_types);
    f("block", input.block_path);
    f("attract", input.attract_path);
    f("poses_per_rotation", input.poses_per_rotation);
    f("exclusion", input.exclusion);
    f("poses", input.poses);
    f("clustered_poses", input.clustering.poses);
    f("clusters", input.clustering.clusters);
    f("cluster_radius", input.clustering.radius);
    f("cluster_interface_cutoff", input.clustering.interface_cutoff);
    f("cluster_minimum_size", input.clustering.minimum_size);
    f("refine", input.consensus.refine);
    f("duplicate_radius", input.consensus.duplicate_radius);
    f("rescoring", input.consensus.rescoring);
}

/// Does the same for the options of restraints, which only runs with restraints have.
template <class Input, class Function>
void for_each_restraint_option(Input& input, Function f) {
    f("restraints", input.restraints.files);
    f("restraints_required", input.restraints.required);
    f("restraints_tolerance", input.restraints.tolerance);
}

/// Does the same for the options of a membrane, which only runs with a membrane have.
template <class Input, class Function>
void for_each_membrane_option(Input& input, Function f) {
    f("membrane", input.membrane.slab);
    f("membrane_axis", input.membrane.axis);
    f("membrane_ligand", input.membrane.ligand_slab);
    f("membrane_ligand_axis", input.membrane.ligand_axis);
    f("membrane_tolerance", input.membrane.tolerance);
    f("membrane_tilt", input.membrane.tilt);
    f("membrane_shift", input.membrane.shift);
}

}  // namespace

// The JSON library calls these two functions for coefficient sets.
void to_json(Json& json, const CoefficientSet& set) {
    json = {{"name", set.name}, {"weights", set.weights}};
}

void from_json(const Json& json, CoefficientSet& set) {
    json.at("name").get_to(set.name);
    json.at("weights").get_to(set.weights);
}

std::string to_json(const DockInput& input) {
    Json json;
    for_each_option(input, [&](const char* key, const auto& value) { json[key] = value; });
    // Results of runs without these have the same text as before these options.
    if (input.antibody != "off") json["antibody"] = input.antibody;
    if (input.plddt != "auto") json["plddt"] = input.plddt;
    // Earlier results, which say nothing of it, kept nothing.
    if (input.keep != "none") json["keep"] = input.keep;
    if (!input.drop.empty()) json["drop"] = input.drop;
    if (input.symmetry.is_set()) {
        json["symmetry"] = name_of(input.symmetry);
        json["axes"] = input.symmetry.axes;
        if (input.symmetry.dihedral) json["rings"] = input.symmetry.rings;
    }
    if (!input.restraints.files.empty()) {
        for_each_restraint_option(input,
                                  [&](const char* key, const auto& value) { json[key] = value; });
        if (input.restraints.weight) json["restraints_weight"] = *input.restraints.weight;
        json["restraints_pull"] = input.restraints.pull;
    }
    if (input.membrane.is_set())
        for_each_membrane_option(input,
                                 [&](const char* key, const auto& value) { json[key] = value; });
    // A file name may hold any bytes. Bytes that are not UTF-8 are replaced.
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

DockInput input_from_json(const std::string& text, const std::string& file) {
    try {
        const Json json = Json::parse(text);
        DockInput input;
        for_each_option(input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        input.antibody = json.value("antibody", input.antibody);
        input.plddt = json.value("plddt", input.plddt);
        input.keep = json.value("keep", std::string("none"));
        input.drop = json.value("drop", input.drop);
        input.symmetry.axes = json.value("axes", default_axes);
        input.symmetry.rings = json.value("rings", default_rings);
        input.symmetry = parse_symmetry(json.value("symmetry", std::string()), input.symmetry);
        if (json.contains("restraints_weight"))
            input.restraints.weight = json["restraints_weight"].get<double>();
        // Earlier results, which say nothing of it, were refined without restraints.
        input.restraints.pull = json.value("restraints_pull", 0.0);
        if (json.contains("restraints"))
            for_each_restraint_option(
                input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        if (json.contains("membrane"))
            for_each_membrane_option(
                input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        return input;
    } catch (const nlohmann::json::exception& error) {
        throw Error("cannot use '" + file + "'",
                    "its attribute /run/input does not say how it was made: " +
                        io::one_line(error.what(), 120),
                    "give an unchanged output of this version of tessera dock");
    }
}

namespace {

/// Whether the value can be stored without loss. The JSON library would cut 2.5 to 2.
template <class Value>
bool fits(const Json& json) {
    if constexpr (std::is_integral_v<Value>)
        return json.is_number_unsigned()
                   ? std::in_range<Value>(json.get<std::uint64_t>())
                   : json.is_number_integer() && std::in_range<Value>(json.get<std::int64_t>());
    else if constexpr (std::is_floating_point_v<Value>)
        return json.is_number();
    else if constexpr (std::is_same_v<Value, std::string>)
        return json.is_string();
    else
        return json.is_array() &&
               std::ranges::all_of(json, [](const Json& one) { return one.is_string(); });
}

/// The options that a caller gives, of which each is taken once.
class GivenOptions {
  public:
    explicit GivenOptions(Json json) : json_(std::move(json)) {}

    bool has(const char* key) const { return json_.contains(key); }
    Json& operator[](const char* key) { return json_[key]; }

    /// Moves an option to `value`.
    template <class Value>
    void take(const char* key, Value& value) {
        known_.emplace_back(key);
        const auto found = json_.find(key);
        if (found == json_.end()) return;
        if (!fits<Value>(*found))
            throw Error(std::string("the option ") + key + " is " + io::one_line(found->dump(), 60),
                        "such a value does not fit it", "see tessera dock --help");
        found->get_to(value);
        json_.erase(found);
    }

    template <class Value>
    void take(const char* key, std::optional<Value>& value) {
        known_.emplace_back(key);
        if (json_.contains(key)) take(key, value.emplace());
    }

    /// Throws Error for an option that nobody took, with the nearest one.
    void expect_none() const {
        if (json_.empty()) return;
        const std::string name = json_.begin().key();
        const std::string_view nearest = io::nearest_word(name, known_);
        const bool near = io::edit_distance(name, nearest) <= 2;
        throw Error("there is no option '" + io::one_line(name, 60) + "'",
                    near ? "did you mean '" + std::string(nearest) + "'?"
                         : "the options are those of the command, with _ for -",
                    "see tessera dock --help");
    }

  private:
    Json json_;
    std::vector<std::string_view> known_;
};

}  // namespace

DockInput input_of_options(const std::string& text) {
    GivenOptions given(Json::parse(text));
    DockInput input;
    DockChoices choices;
    std::string symmetry;
    given.take("coefficients", choices.coefficients);
    given.take("repulsion", choices.repulsion);
    given.take("rim", choices.rim);
    given.take("buried_ligand_weight", choices.buried_ligand_weight);
    given.take("refine", choices.refine);
    given.take("antibody", input.antibody);
    if (given.has("plddt") && given["plddt"].is_number()) given["plddt"] = given["plddt"].dump();
    given.take("plddt", input.plddt);
    given.take("keep", input.keep);
    given.take("drop", input.drop);
    given.take("symmetry", symmetry);
    given.take("axes", input.symmetry.axes);
    given.take("rings", input.symmetry.rings);
    const auto take = [&](const char* key, auto& value) { given.take(key, value); };
    for_each_restraint_option(input, take);
    if (given.has("restraints_weight"))
        take("restraints_weight", input.restraints.weight.emplace());
    take("restraints_pull", input.restraints.pull);
    for_each_membrane_option(input, take);
    take("receptor_text", input.receptor_text);
    take("ligand_text", input.ligand_text);
    take("reference_text", input.reference_text);
    for_each_option(input, [&](const char* key, auto& value) {
        if constexpr (!std::is_same_v<decltype(value), std::vector<CoefficientSet>&>)
            take(key, value);
    });
    given.expect_none();
    input.symmetry = parse_symmetry(symmetry, input.symmetry);
    choices.complete(input);
    require_membrane(input.membrane);
    return input;
}

}  // namespace tessera::docking
