#include "docking/screen/shard_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using Kind = io::TableColumn::Kind;
using Pair = PoseShard::Pair;

std::vector<io::TableColumn> pose_columns() {
    std::vector<io::TableColumn> columns{
        {"receptor", Kind::text}, {"ligand", Kind::text}, {"pose", Kind::whole}, {"score"}};
    for (const char* name : term_names) columns.push_back({name});
    columns.push_back({"cluster", Kind::whole, {}, true});
    columns.push_back({"rotation", Kind::whole});
    for (const char* name : {"rotation_w", "rotation_x", "rotation_y", "rotation_z"})
        columns.push_back({name});
    for (const char* name :
         {"translation_x_angstrom", "translation_y_angstrom", "translation_z_angstrom"})
        columns.push_back({name, Kind::real, "angstrom"});
    return columns;
}

std::vector<io::Cell> pose_row(const PoseShard& shard, const Pair& pair, std::size_t place) {
    const KeptPose& pose = pair.poses[place];
    const Quaternion& q = shard.rotations[static_cast<std::size_t>(pose.rotation)];
    const Vec3& t = pose.translation;
    std::vector<io::Cell> cells{shard.receptors[static_cast<std::size_t>(pair.receptor)].name,
                                shard.ligands[static_cast<std::size_t>(pair.ligand)].name,
                                static_cast<std::int64_t>(place) + 1, pose.score};
    for (const double term : pose.terms) cells.emplace_back(term);
    cells.emplace_back();
    if (pose.cluster > 0) cells.back() = std::int64_t{pose.cluster};
    cells.emplace_back(std::int64_t{pose.rotation});
    for (const double value : {q.w, q.x, q.y, q.z, t.x, t.y, t.z}) cells.emplace_back(value);
    return cells;
}

std::int64_t poses_of(const PoseShard& shard) {
    std::int64_t poses = 0;
    for (const Pair& pair : shard.pairs) poses += std::ssize(pair.poses);
    return poses;
}

}  // namespace

const Pair& pair_named(const PoseShard& shard, const std::string& name) {
    const auto found = std::ranges::find_if(
        shard.pairs, [&](const Pair& pair) { return shard.name(pair) == name; });
    if (found == shard.pairs.end())
        throw Error("no pair '" + io::one_line(name) + "' in this file",
                    shard.pairs.empty() ? "it has none"
                                        : "its pairs are " + shard.name(shard.pairs.front()) +
                                              " to " + shard.name(shard.pairs.back()),
                    "take another shard, or correct the name");
    return *found;
}

io::ValueTable shard_table(const std::shared_ptr<const PoseShard>& shard, const std::string& pair,
                           std::int64_t most) {
    std::vector<std::pair<const Pair*, std::size_t>> rows;
    const auto add = [&](const Pair& one) {
        const std::int64_t poses = std::min(most, std::ssize(one.poses));
        for (std::int64_t i = 0; i < poses; ++i) rows.emplace_back(&one, i);
    };
    if (pair.empty())
        std::ranges::for_each(shard->pairs, add);
    else
        add(pair_named(*shard, pair));
    return {pose_columns(), std::ssize(rows), [shard, rows](std::int64_t row) {
                const auto& [one, place] = rows[static_cast<std::size_t>(row)];
                return pose_row(*shard, *one, place);
            }};
}

DockResult result_of_pair(const PoseShard& shard, const Pair& pair) {
    DockResult result;
    result.frame.receptor_center = pair.receptor_center;
    result.frame.ligand_center = pair.ligand_center;
    result.receptor_sha256 = shard.receptors[static_cast<std::size_t>(pair.receptor)].sha256;
    result.ligand_sha256 = shard.ligands[static_cast<std::size_t>(pair.ligand)].sha256;
    result.rotations = shard.rotations;
    PoseList list{{shard.name(pair), shard.set.weights}, {}};
    for (const KeptPose& kept : pair.poses) {
        Pose pose;
        pose.score = kept.score;
        pose.rotation = kept.rotation;
        pose.translation = kept.translation;
        pose.terms = kept.terms;
        list.poses.push_back(pose);
    }
    result.lists.push_back(std::move(list));
    return result;
}

std::string describe_shard(const PoseShard& shard) {
    std::string text = fmt::format("shard      {} of a screening, {}, set {}\n"
                                   "pairs      {} with {}",
                                   shard.number, io::counted(shard.rotations.size(), "rotation"),
                                   io::one_line(shard.set.name), shard.pairs.size(),
                                   io::counted(poses_of(shard), "pose"));
    if (!shard.pairs.empty())
        text += fmt::format(", from {} to {}", io::one_line(shard.name(shard.pairs.front())),
                            io::one_line(shard.name(shard.pairs.back())));
    return text;
}

std::string to_json(const PoseShard& shard) {
    const nlohmann::ordered_json json{{"shard", shard.number},
                                      {"set", shard.set.name},
                                      {"rotations", shard.rotations.size()},
                                      {"receptors", shard.receptors.size()},
                                      {"ligands", shard.ligands.size()},
                                      {"pairs", shard.pairs.size()},
                                      {"poses", poses_of(shard)}};
    return json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tessera::docking
