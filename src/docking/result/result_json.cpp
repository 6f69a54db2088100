#include "docking/result/result_json.hpp"

#include <nlohmann/json.hpp>

#include "docking/result/consensus_file.hpp"

namespace tessera::docking {

namespace {

using Json = nlohmann::ordered_json;

Json list_of(Vec3 v) { return {v.x, v.y, v.z}; }

template <class Poses>
Json best_score(const Poses& poses) {
    return poses.empty() ? Json() : Json(poses.front().score);
}

template <class Names, class Weights>
Json by_name(const Names& names, const Weights& weights) {
    Json json = Json::object();
    for (std::size_t i = 0; i < weights.size(); ++i) json[names[i]] = weights[i];
    return json;
}

}  // namespace

std::string to_json(const DockResult& result) {
    const DockingFrame& frame = result.frame;
    Json json{{"rotations", result.rotations.size()},
              {"grid", frame.n},
              {"spacing_angstrom", frame.spacing},
              {"receptor_center_angstrom", list_of(frame.receptor_center)},
              {"ligand_center_angstrom", list_of(frame.ligand_center)},
              {"receptor_sha256", result.receptor_sha256},
              {"ligand_sha256", result.ligand_sha256},
              {"sets", Json::array()}};
    for (const PoseList& list : result.lists)
        json["sets"].push_back({{"name", list.set.name},
                                {"poses", list.poses.size()},
                                {"best_score", best_score(list.poses)},
                                {"weights", by_name(term_names, list.set.weights)}});
    json[consensus_name] = nullptr;
    if (result.consensus)
        json[consensus_name] = {
            {"poses", result.consensus->poses.size()},
            {"best_score", best_score(result.consensus->poses)},
            {"weights", by_name(kernels::refine_term_names, result.consensus->weights.refined)},
            {"search_weights", by_name(term_names, result.consensus->weights.searched)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::docking
