// The input as JSON: the functions of dock_input.hpp that need the JSON library.
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/option_list.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

using Json = nlohmann::ordered_json;

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
    if (input.consensus.repack != 0) json["repack"] = input.consensus.repack;
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
        json["restraints_closeness"] = input.restraints.closeness;
    }
    if (input.membrane.is_set())
        for_each_membrane_option(input,
                                 [&](const char* key, const auto& value) { json[key] = value; });
    if (input.ensemble.is_set())
        for_each_ensemble_option(input,
                                 [&](const char* key, const auto& value) { json[key] = value; });
    // A file name may hold any bytes. Bytes that are not UTF-8 are replaced.
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

DockInput input_from_json(const std::string& text, const std::string& file) {
    try {
        const Json json = Json::parse(text);
        DockInput input;
        for_each_option(input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        input.antibody = json.value("antibody", std::string("off"));
        input.plddt = json.value("plddt", input.plddt);
        input.keep = json.value("keep", std::string("none"));
        input.drop = json.value("drop", input.drop);
        input.consensus.repack = json.value("repack", input.consensus.repack);
        input.symmetry.axes = json.value("axes", default_axes);
        input.symmetry.rings = json.value("rings", default_rings);
        input.symmetry = parse_symmetry(json.value("symmetry", std::string()), input.symmetry);
        if (json.contains("restraints_weight"))
            input.restraints.weight = json["restraints_weight"].get<double>();
        // Earlier results, which say nothing of it, were refined without restraints, or scored
        // without closeness.
        input.restraints.pull = json.value("restraints_pull", 0.0);
        input.restraints.closeness = json.value("restraints_closeness", 0.0);
        if (json.contains("restraints"))
            for_each_restraint_option(
                input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        if (json.contains("membrane"))
            for_each_membrane_option(
                input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        if (json.contains("conformer_rmsd"))
            for_each_ensemble_option(
                input, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        return input;
    } catch (const nlohmann::json::exception& error) {
        throw Error("cannot use '" + file + "'",
                    "its attribute /run/input does not say how it was made: " +
                        io::one_line(error.what(), 120),
                    "give an unchanged output of this version of tessera dock");
    }
}

}  // namespace tessera::docking
