#include "docking/result/result_json.hpp"

#include <nlohmann/json.hpp>

#include "docking/result/consensus_file.hpp"

namespace tessera::docking {

namespace {

using Json = nlohmann::ordered_json;

Json list_of(Vec3 v) { return {v.x, v.y, v.z}; }

Json best_score(const ListSummary& list) {
    return list.best_score ? Json(*list.best_score) : Json();
}

template <class Names, class Weights>
Json by_name(const Names& names, const Weights& weights) {
    Json json = Json::object();
    for (std::size_t i = 0; i < weights.size(); ++i) json[names[i]] = weights[i];
    return json;
}

}  // namespace

std::string to_json(const DockSummary& summary) {
    const DockingFrame& frame = summary.frame;
    Json json{{"rotations", summary.rotations},
              {"grid", frame.n},
              {"spacing_angstrom", frame.spacing},
              {"receptor_center_angstrom", list_of(frame.receptor_center)},
              {"ligand_center_angstrom", list_of(frame.ligand_center)},
              {"receptor_sha256", summary.receptor_sha256},
              {"ligand_sha256", summary.ligand_sha256},
              {"sets", Json::array()}};
    if (summary.symmetry.is_set()) json["symmetry"] = name_of(summary.symmetry);
    if (summary.receptor_conformers * summary.ligand_conformers > 1)
        json["conformers"] = {{"receptor", summary.receptor_conformers},
                              {"ligand", summary.ligand_conformers}};
    if (summary.membrane) json["membrane"] = summary.membrane->describe();
    const auto add_left_out = [&](const char* partner, const LowConfidence& low) {
        if (low.is_used())
            json["plddt"][partner] = {{"threshold", low.threshold},
                                      {"source", low.source},
                                      {"residues", low.residues},
                                      {"residues_left_out", low.left_out.size()},
                                      {"left_out", low.named}};
    };
    add_left_out("receptor", summary.left_out.receptor);
    add_left_out("ligand", summary.left_out.ligand);
    const auto add_chemistry = [&](const char* partner, const Chemistry& chemistry) {
        for (const ResidueCount& one : chemistry.kept)
            json["chemistry"][partner]["kept"].push_back(
                {{"residue_name", one.name}, {"count", one.count}});
        for (const ResidueCount& one : chemistry.left_out)
            json["chemistry"][partner]["left_out"].push_back(
                {{"residue_name", one.name}, {"count", one.count}, {"reason", one.reason}});
    };
    add_chemistry("receptor", summary.chemistry.receptor);
    add_chemistry("ligand", summary.chemistry.ligand);
    for (const SetSummary& one : summary.sets)
        json["sets"].push_back({{"name", one.set.name},
                                {"poses", one.poses},
                                {"best_score", best_score(one)},
                                {"weights", by_name(term_names, one.set.weights)}});
    json[consensus_name] = nullptr;
    if (const auto& consensus = summary.consensus) {
        json[consensus_name] = {
            {"poses", consensus->poses},
            {"best_score", best_score(*consensus)},
            {"weights", by_name(kernels::refine_term_names, consensus->weights)},
            {"search_weights", by_name(term_names, consensus->search_weights)}};
        if (const auto& [name, sha256] = consensus->table; !sha256.empty()) {
            json[consensus_name]["weights_table"] = name;
            json[consensus_name]["weights_sha256"] = sha256;
        }
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::docking
