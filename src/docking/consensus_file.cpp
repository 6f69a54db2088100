#include "docking/consensus_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/error.hpp"
#include "docking/dock_result.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;
using kernels::refine_term_count;

template <class Values>
std::vector<std::string> names_of(const Values& names) {
    return {names.begin(), names.end()};
}

template <class T>
std::vector<T> read_values(const Group& group, const std::string& name, std::size_t length) {
    auto values = group.open_dataset(name).read<T>().values;
    if (values.size() != length)
        throw Error(group.file() + ": '" + group.name() + "/" + name + "' cannot be used",
                    std::to_string(values.size()) + " values instead of " + std::to_string(length),
                    "give the whole output of tessera dock");
    return values;
}

}  // namespace

void write_consensus(Group& docking, const Consensus& consensus) {
    Group group = docking.group(consensus_name);
    const RescoringWeights& weights = consensus.weights;
    group.write_attribute("weights",
                          std::vector<double>(weights.refined.begin(), weights.refined.end()));
    group.write_attribute("weighted_terms", names_of(kernels::refine_term_names));
    group.write_attribute("search_weights",
                          std::vector<double>(weights.searched.begin(), weights.searched.end()));
    group.write_attribute("search_terms", names_of(term_names));
    group.write_attribute("neighbor_radius_angstrom", neighbor_radius);

    const std::uint64_t count = consensus.poses.size();
    std::vector<double> score, pose_score, rotation, translation, terms, searched, contacts;
    std::vector<std::int64_t> set, rank, neighbors;
    for (const ConsensusPose& p : consensus.poses) {
        const Quaternion q = p.pose.rotation;
        const Vec3 t = p.pose.translation;
        score.push_back(p.score);
        pose_score.push_back(p.pose_score);
        contacts.push_back(p.contact_energy);
        rotation.insert(rotation.end(), {q.w, q.x, q.y, q.z});
        translation.insert(translation.end(), {t.x, t.y, t.z});
        terms.insert(terms.end(), p.terms.begin(), p.terms.end());
        searched.insert(searched.end(), p.origin.terms.begin(), p.origin.terms.end());
        set.push_back(p.origin.set);
        rank.push_back(p.origin.rank);
        neighbors.push_back(p.neighbors);
    }
    const std::uint64_t types = consensus.weights.contacts.types;
    std::vector<double> tables;
    for (const auto& shell : consensus.weights.contacts.shells)
        tables.insert(tables.end(), shell.begin(), shell.end());
    group.write("contact_weights", tables, {contact_shells, types, types})
        .write_attribute("shells", names_of(contact_shell_names));
    io::h5::DatasetOptions in_angstrom;
    in_angstrom.units = "angstrom";
    group.write("score", score);
    group.write("pose_score", pose_score);
    group.write("rotation", rotation, {count, 4});
    group.write("translation", translation, {count, 3}, in_angstrom);
    group.write("set", set);
    group.write("rank", rank);
    group.write("neighbors", neighbors);
    group.write("terms", terms, {count, refine_term_count})
        .write_attribute("names", names_of(kernels::refine_term_names));
    group.write("search_terms", searched, {count, term_count})
        .write_attribute("names", names_of(term_names));
    group.write("contact_energy", contacts);
    write_clusters(group.group("clusters"), consensus.clusters);
    if (!consensus.quality.empty()) write_quality(group.group("evaluation"), consensus.quality);
}

namespace {

template <std::size_t count>
std::array<double, count> read_weights(const Group& group, const std::string& name) {
    const auto values = group.read_attributes<double>(name);
    if (values.size() != count)
        throw Error(group.file() + ": '" + group.name() + "@" + name + "' cannot be used",
                    std::to_string(values.size()) + " weights instead of " + std::to_string(count),
                    "give the whole output of tessera dock");
    std::array<double, count> weights;
    std::copy(values.begin(), values.end(), weights.begin());
    return weights;
}

/// Older files lack the table: their contacts weigh nothing.
ContactTables read_contact_weights(const Group& group) {
    ContactTables tables;
    if (!group.contains("contact_weights")) return tables;
    const auto dataset = group.open_dataset("contact_weights");
    const auto shape = dataset.shape();
    if (shape.size() != 3 || shape[0] != contact_shells || shape[1] != shape[2])
        throw Error(group.file() + ": '" + group.name() + "/contact_weights' cannot be used",
                    "it is not one square table for each of two shells",
                    "give the whole output of tessera dock");
    const auto values = dataset.read<double>().values;
    tables.types = static_cast<int>(shape[1]);
    for (int s = 0; s < contact_shells; ++s) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(s * shape[1] * shape[1]);
        tables.shells[s].assign(begin, begin + static_cast<std::ptrdiff_t>(shape[1] * shape[1]));
    }
    return tables;
}

}  // namespace

Consensus read_consensus(const Group& docking) {
    const Group group = docking.open_group(consensus_name);
    const auto score = group.open_dataset("score").read<double>().values;
    const std::size_t count = score.size();
    // Older files lack these two; in them a pose stands for itself alone.
    const auto since_then = [&](const char* name, const std::vector<double>& otherwise) {
        return group.contains(name) ? read_values<double>(group, name, count) : otherwise;
    };
    const auto pose_score = since_then("pose_score", score);
    const auto contacts = since_then("contact_energy", std::vector<double>(count));
    const auto q = read_values<double>(group, "rotation", 4 * count);
    const auto t = read_values<double>(group, "translation", 3 * count);
    const auto set = read_values<std::int64_t>(group, "set", count);
    const auto rank = read_values<std::int64_t>(group, "rank", count);
    const auto neighbors = read_values<std::int64_t>(group, "neighbors", count);
    const auto terms = read_values<double>(group, "terms", refine_term_count * count);
    const auto searched = read_values<double>(group, "search_terms", term_count * count);
    Consensus consensus;
    consensus.weights.refined = read_weights<refine_term_count>(group, "weights");
    consensus.weights.searched = read_weights<term_count>(group, "search_weights");
    consensus.weights.contacts = read_contact_weights(group);
    for (std::size_t i = 0; i < count; ++i) {
        ConsensusPose p;
        p.score = score[i];
        p.pose_score = pose_score[i];
        p.contact_energy = contacts[i];
        p.pose = {{q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]},
                  {t[3 * i], t[3 * i + 1], t[3 * i + 2]}};
        p.origin.set = set[i];
        p.origin.rank = rank[i];
        p.neighbors = neighbors[i];
        for (int k = 0; k < refine_term_count; ++k) p.terms[k] = terms[refine_term_count * i + k];
        for (int k = 0; k < term_count; ++k) p.origin.terms[k] = searched[term_count * i + k];
        consensus.poses.push_back(p);
    }
    return consensus;
}

}  // namespace tessera::docking
