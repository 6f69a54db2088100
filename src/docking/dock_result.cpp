#include "docking/dock_result.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "docking/consensus_file.hpp"
#include "io/file_name.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;

const io::h5::DatasetOptions in_angstrom = [] {
    io::h5::DatasetOptions options;
    options.units = "angstrom";
    return options;
}();

std::vector<double> flat(const std::vector<Vec3>& points) {
    std::vector<double> values;
    for (const Vec3& p : points) values.insert(values.end(), {p.x, p.y, p.z});
    return values;
}

template <class Item, class Value>
auto column(const std::vector<Item>& items, const Value& value) {
    std::vector<decltype(value(items.front()))> values;
    values.reserve(items.size());
    for (const Item& item : items) values.push_back(value(item));
    return values;
}

void write_poses(Group group, const PoseList& list) {
    const auto count = static_cast<std::uint64_t>(list.poses.size());
    group.write_attribute("weights",
                          std::vector<double>(list.set.weights.begin(), list.set.weights.end()));
    group.write_attribute("weighted_terms",
                          std::vector<std::string>(term_names.begin(), term_names.end()));
    group.write("score", column(list.poses, [](const Pose& p) { return p.score; }));
    group.write("rotation", column(list.poses, [](const Pose& p) { return p.rotation; }));
    group.write("translation",
                flat(column(list.poses, [](const Pose& p) { return p.translation; })), {count, 3},
                in_angstrom);
    group.write("voxel", column(list.poses, [](const Pose& p) { return p.voxel; }));
    std::vector<double> terms;
    for (const Pose& pose : list.poses)
        terms.insert(terms.end(), pose.terms.begin(), pose.terms.end());
    auto dataset = group.write("terms", terms, {count, term_count});
    dataset.write_attribute("names",
                            std::vector<std::string>(term_names.begin(), term_names.end()));
}

}  // namespace

void write_clusters(Group group, const std::vector<Cluster>& clusters) {
    group.write("center", column(clusters, [](const Cluster& c) {
                    return static_cast<std::int64_t>(c.center);
                }));
    group.write("size", column(clusters, [](const Cluster& c) {
                    return static_cast<std::int64_t>(c.members.size());
                }));
    std::vector<std::int64_t> members;
    for (const Cluster& cluster : clusters)
        members.insert(members.end(), cluster.members.begin(), cluster.members.end());
    group.write("members", members);
}

void write_quality(Group group, const std::vector<PoseQuality>& quality) {
    const auto write = [&](const char* name, double PoseQuality::*value,
                           const io::h5::DatasetOptions& options) {
        group.write(name, column(quality, [&](const PoseQuality& q) { return q.*value; }), options);
    };
    write("ligand_rmsd", &PoseQuality::ligand_rmsd, in_angstrom);
    write("interface_rmsd", &PoseQuality::interface_rmsd, in_angstrom);
    write("fnat", &PoseQuality::fnat, {});
    write("dockq", &PoseQuality::dockq, {});
    write("ligand_interface_ca_rmsd", &PoseQuality::ligand_interface_ca_rmsd, in_angstrom);
    group.write("capri_class", column(quality, [](const PoseQuality& q) {
                    return static_cast<std::int32_t>(capri_class(q));
                }));
}

void write_dock_result(Group root, const DockResult& result) {
    Group docking = root.group("docking");
    const DockingFrame& frame = result.frame;
    docking.write_attribute("grid", static_cast<std::int64_t>(frame.n));
    docking.write_attribute("spacing_angstrom", frame.spacing);
    docking.write_attribute("receptor_sha256", result.receptor_sha256);
    docking.write_attribute("ligand_sha256", result.ligand_sha256);
    docking.write_attribute(
        "sets", column(result.lists, [](const PoseList& list) { return list.set.name; }));
    docking.write("receptor_center", flat({frame.receptor_center}), in_angstrom);
    docking.write("ligand_center", flat({frame.ligand_center}), in_angstrom);
    std::vector<double> quaternions;
    for (const Quaternion& q : result.rotations)
        quaternions.insert(quaternions.end(), {q.w, q.x, q.y, q.z});
    docking.write("rotations", quaternions, {result.rotations.size(), 4});
    for (std::size_t s = 0; s < result.lists.size(); ++s) {
        const std::string& name = result.lists[s].set.name;
        write_poses(docking.group("poses/" + name), result.lists[s]);
        write_clusters(docking.group("clusters/" + name), result.clusters[s]);
        if (!result.quality.empty())
            write_quality(docking.group("evaluation/" + name), result.quality[s]);
    }
    if (result.consensus) write_consensus(docking, *result.consensus);
}

namespace {

/// A column of a file that may have been damaged or written by something else.
template <class T>
std::vector<T> read_column(const Group& group, const std::string& name, std::size_t length) {
    auto values = group.open_dataset(name).read<T>().values;
    if (values.size() != length)
        throw Error(group.file() + ": '" + group.name() + "/" + name + "' cannot be used",
                    std::to_string(values.size()) + " values instead of " + std::to_string(length),
                    "give the whole output of tessera dock");
    return values;
}

Vec3 read_point(const Group& group, const std::string& name) {
    const auto values = read_column<double>(group, name, 3);
    return {values.at(0), values.at(1), values.at(2)};
}

PoseList read_poses(const Group& group, const std::string& name, std::size_t rotations) {
    PoseList list;
    list.set.name = name;
    const auto weights = group.read_attributes<double>("weights");
    const auto score = group.open_dataset("score").read<double>().values;
    const auto rotation = read_column<std::int64_t>(group, "rotation", score.size());
    const auto voxel = read_column<std::int64_t>(group, "voxel", score.size());
    const auto translation = read_column<double>(group, "translation", 3 * score.size());
    const auto terms = read_column<double>(group, "terms", term_count * score.size());
    if (weights.size() != term_count)
        throw Error(group.file() + ": '" + group.name() + "' cannot be used",
                    std::to_string(weights.size()) + " weights instead of 4",
                    "give the whole output of tessera dock");
    std::copy(weights.begin(), weights.end(), list.set.weights.begin());
    for (std::size_t i = 0; i < score.size(); ++i) {
        if (rotation[i] < 0 || static_cast<std::size_t>(rotation[i]) >= rotations)
            throw Error(group.file() + ": '" + group.name() + "/rotation' cannot be used",
                        "it names rotation " + std::to_string(rotation[i]) + " of " +
                            std::to_string(rotations),
                        "give the output of tessera dock as it was written");
        Pose pose{score[i],
                  rotation.at(i),
                  voxel.at(i),
                  {translation.at(3 * i), translation.at(3 * i + 1), translation.at(3 * i + 2)},
                  {}};
        for (int k = 0; k < term_count; ++k) pose.terms[k] = terms.at(term_count * i + k);
        list.poses.push_back(pose);
    }
    return list;
}

}  // namespace

DockResult read_dock_result(const Group& root) {
    const Group docking = root.open_group("docking");
    DockResult result;
    result.frame.n = static_cast<int>(docking.read_attribute<std::int64_t>("grid"));
    result.frame.spacing = docking.read_attribute<double>("spacing_angstrom");
    result.frame.receptor_center = read_point(docking, "receptor_center");
    result.frame.ligand_center = read_point(docking, "ligand_center");
    const auto rotations = docking.open_dataset("rotations").read<double>().values;
    for (std::size_t i = 0; i + 3 < rotations.size(); i += 4)
        result.rotations.push_back(
            {rotations[i], rotations[i + 1], rotations[i + 2], rotations[i + 3]});
    result.receptor_sha256 = docking.read_attribute<std::string>("receptor_sha256");
    result.ligand_sha256 = docking.read_attribute<std::string>("ligand_sha256");
    const Group poses = docking.open_group("poses");
    for (const std::string& name : docking.read_attributes<std::string>("sets")) {
        io::require_file_name(root.file(), "coefficient set", name);
        result.lists.push_back(read_poses(poses.open_group(name), name, result.rotations.size()));
    }
    if (docking.contains(consensus_name)) result.consensus = read_consensus(docking);
    return result;
}

}  // namespace tessera::docking
