#include "app/report/docking_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "app/report/pdb_text.hpp"
#include "docking/result/chosen_list.hpp"
#include "docking/result/interface_propensity.hpp"
#include "docking/result/ring_copies.hpp"

namespace tessera::app {

namespace {

using docking::ChosenList;
using docking::DockResult;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_drawn = 2000;    ///< poses of a list in the plots
constexpr std::size_t most_counted = 100;   ///< poses whose contacts are counted
constexpr std::size_t most_clusters = 100;  ///< rows of the table of clusters
constexpr std::size_t most_shown = 10;      ///< ligands in the viewer

void add_quality(Json& json, const docking::PoseQuality& quality) {
    json["ligand_rmsd"] = quality.ligand_rmsd;
    json["interface_rmsd"] = quality.interface_rmsd;
    json["fnat"] = quality.fnat;
    json["dockq"] = quality.dockq;
    json["capri_class"] = docking::capri_class(quality);
}

Json clusters_of(const ChosenList& list, bool is_ensemble) {
    Json clusters = Json::array();
    const std::size_t count = std::min(most_clusters, list.clusters().size());
    for (std::size_t i = 0; i < count; ++i) {
        const docking::Cluster& cluster = list.clusters()[i];
        const std::size_t best = *std::ranges::min_element(cluster.members);
        Json row{{"cluster", i + 1},
                 {"size", cluster.members.size()},
                 {"center_pose", cluster.center + 1},
                 {"center_score", list.score(cluster.center)},
                 {"best_score", list.score(best)}};
        if (is_ensemble) {
            const docking::Combination pair = list.conformers(cluster.center);
            row["receptor_conformer"] = pair.receptor + 1;
            row["ligand_conformer"] = pair.ligand + 1;
        }
        if (!list.quality().empty()) add_quality(row, list.quality()[cluster.center]);
        clusters.push_back(row);
    }
    return clusters;
}

Json json_of(const ChosenList& list, bool is_ensemble) {
    Json json{{"name", list.name()},
              {"poses", list.size()},
              {"clusters", clusters_of(list, is_ensemble)}};
    const std::size_t count = std::min(most_drawn, list.size());
    Json::array_t scores, rmsds, classes;
    scores.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        scores.emplace_back(list.score(i));
        if (list.quality().empty()) continue;
        rmsds.emplace_back(list.quality()[i].ligand_interface_ca_rmsd);
        classes.emplace_back(docking::capri_class(list.quality()[i]));
    }
    // The order of the keys in the page.
    json["capri_class"] = std::move(classes);
    json["rmsd"] = std::move(rmsds);
    json["score"] = std::move(scores);
    return json;
}

/// The first poses of the list, or its first cluster centres.
std::vector<std::size_t> first_of(const ChosenList& list, bool centers, std::size_t most) {
    std::vector<std::size_t> poses;
    const std::size_t count = centers ? list.clusters().size() : list.size();
    for (std::size_t i = 0; i < std::min(most, count); ++i)
        poses.push_back(centers ? list.clusters()[i].center : i);
    return poses;
}

/// x moves to R (x - centre) + t: the rows of [R, t - R centre].
Json matrix_of(const kernels::RigidPose& placed, Vec3 ligand_center) {
    const Matrix3 m = placed.rotation.matrix();
    const Vec3 shift = placed.translation - m * ligand_center;
    return {{m[0][0], m[0][1], m[0][2], shift.x},
            {m[1][0], m[1][1], m[1][2], shift.y},
            {m[2][0], m[2][1], m[2][2], shift.z}};
}

Json residues_of(const io::Structure& structure, const std::vector<std::int64_t>& in_poses,
                 const std::vector<std::int64_t>& in_clusters) {
    Json residues = Json::array();
    int last = -1;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (atom.residue_index == last) continue;
        last = atom.residue_index;
        const auto i = static_cast<std::size_t>(last);
        const std::string insertion =
            atom.insertion_code == ' ' ? "" : std::string(1, atom.insertion_code);
        residues.push_back({{"chain", atom.chain},
                            {"number", std::to_string(atom.residue_number) + insertion},
                            {"name", atom.variant},
                            {"poses", in_poses[i]},
                            {"clusters", in_clusters[i]}});
    }
    return residues;
}

/// The contacts of some poses, each with the conformers that it has.
docking::InterfacePropensity propensity_in(const DockResult& result, const ChosenList& list,
                                           const std::vector<std::size_t>& poses) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::vector<kernels::RigidPose>>> all;
    for (const std::size_t pose : poses) {
        const docking::Combination pair = list.conformers(pose);
        all[{pair.receptor, pair.ligand}].push_back(docking::copies_of_pose(result, list, pose));
    }
    all[{0, 0}];  // so that all residues are counted, if only as 0
    docking::InterfacePropensity sum;
    const auto add = [](std::vector<std::int64_t>& to, const std::vector<std::int64_t>& more) {
        to.resize(more.size());
        for (std::size_t i = 0; i < more.size(); ++i) to[i] += more[i];
    };
    for (const auto& [pair, places] : all) {
        const auto partners = docking::docked_partners(result, {pair.first, pair.second});
        const auto counts =
            docking::interface_propensity(partners, result.frame.ligand_center, places);
        add(sum.receptor, counts.receptor);
        add(sum.ligand, counts.ligand);
    }
    return sum;
}

/// Contacts and the view of the atoms that were docked.
void add_structures(Json& json, const DockResult& result, const ChosenList& list) {
    const docking::Partners partners = docking::docked_partners(result);
    const auto counted = first_of(list, false, most_counted);
    const auto centers = first_of(list, true, list.clusters().size());
    const auto in_poses = propensity_in(result, list, counted);
    const auto in_clusters = propensity_in(result, list, centers);
    const auto& [receptor, ligand] = partners;
    json["contacts"] = {
        {"distance_angstrom", docking::contact_distance},
        {"poses", counted.size()},
        {"clusters", centers.size()},
        {"receptor", residues_of(receptor, in_poses.receptor, in_clusters.receptor)},
        {"ligand", residues_of(ligand, in_poses.ligand, in_clusters.ligand)}};
    const auto share = [&](const std::vector<std::int64_t>& counts) {
        std::vector<double> percent;
        percent.reserve(counts.size());
        for (const std::int64_t count : counts)
            percent.push_back(100.0 * static_cast<double>(count) /
                              static_cast<double>(std::max<std::size_t>(1, counted.size())));
        return percent;
    };
    json["structures"] = {{"receptor", pdb_text(receptor, share(in_poses.receptor))},
                          {"ligand", pdb_text(ligand, share(in_poses.ligand))}};
    json["shown_are_clusters"] = !list.clusters().empty();
    json["shown"] = Json::array();
    for (const std::size_t pose : first_of(list, !list.clusters().empty(), most_shown)) {
        Json placements = Json::array();
        for (const auto& place : docking::copies_of_pose(result, list, pose))
            placements.push_back(matrix_of(place, result.frame.ligand_center));
        json["shown"].push_back({{"pose", pose + 1},
                                 {"score", list.score(pose)},
                                 {"placements", std::move(placements)}});
    }
}

}  // namespace

Json docking_report(const io::h5::Group& root, DockResult& result) {
    docking::read_clusters_and_quality(root, result);
    const ChosenList best = docking::best_list(result);
    Json json{
        {"best_list", best.name()}, {"lists", Json::array()}, {"copies", result.symmetry.copies}};
    const auto add_left_out = [&](const char* partner, const docking::LowConfidence& low) {
        if (!low.left_out.empty())
            json["left_out"].push_back(std::string(partner) + ": " + docking::describe(low));
    };
    add_left_out("receptor", result.left_out.receptor);
    add_left_out("ligand", result.left_out.ligand);
    const auto add_chemistry = [&](const char* partner, const docking::Chemistry& chemistry) {
        if (!chemistry.empty())
            json["chemistry"].push_back(std::string(partner) + ": " + docking::describe(chemistry));
    };
    add_chemistry("receptor", result.chemistry.receptor);
    add_chemistry("ligand", result.chemistry.ligand);
    if (result.ensemble)
        json["ensemble"] = fmt::format(
            "Conformers: {} of the receptor and {} of the ligand. The picture shows the first ones "
            "in all poses",
            result.ensemble->receptor.count(), result.ensemble->ligand.count());
    if (result.membrane) json["membrane"] = "Membrane " + result.membrane->describe();
    for (const ChosenList& list : docking::all_lists(result))
        json["lists"].push_back(json_of(list, result.ensemble.has_value()));
    if (result.partners) add_structures(json, result, best);
    return json;
}

}  // namespace tessera::app
