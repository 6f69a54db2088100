#include "docking/result/consensus_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "docking/result/dock_result.hpp"
#include "docking/result/dock_summary.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;
using kernels::refine_term_count;

constexpr const char* opposite_rotation = "opposite_rotation";
constexpr const char* cdr_share_weight = "cdr_share_weight";
constexpr const char* table_name = "weights_table";
constexpr const char* table_sha256 = "weights_sha256";

template <class Values>
std::vector<std::string> names_of(const Values& names) {
    return {names.begin(), names.end()};
}

void write_weights(Group& group, const RescoringWeights& weights) {
    if (!weights.table.sha256.empty()) {
        group.write_attribute(table_name, weights.table.name);
        group.write_attribute(table_sha256, weights.table.sha256);
    }
    group.write_attribute("weights",
                          std::vector<double>(weights.refined.begin(), weights.refined.end()));
    group.write_attribute("weighted_terms", names_of(kernels::refine_term_names));
    group.write_attribute("search_weights",
                          std::vector<double>(weights.searched.begin(), weights.searched.end()));
    group.write_attribute("search_terms", names_of(term_names));
    if (weights.cdr_share != 0) group.write_attribute(cdr_share_weight, weights.cdr_share);
    if (!weights.has_statistical()) return;
    group.write_attribute("statistical_weights", std::vector<double>(weights.statistical.begin(),
                                                                     weights.statistical.end()));
    group.write_attribute("statistical_terms", names_of(statistical_term_names));
}

void write_contact_weights(Group& group, const ContactTables& contacts) {
    const std::uint64_t types = contacts.types;
    std::vector<double> tables;
    for (const auto& shell : contacts.shells)
        tables.insert(tables.end(), shell.begin(), shell.end());
    group.write("contact_weights", tables, {contact_shells, types, types})
        .write_attribute("shells", names_of(contact_shell_names));
}

void write_poses(Group& group, const std::vector<ConsensusPose>& poses) {
    const std::uint64_t count = poses.size();
    std::vector<double> score, pose_score, rotation, translation, terms, searched, contacts;
    std::vector<std::int64_t> set, place, neighbors;
    for (const ConsensusPose& p : poses) {
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
        place.push_back(p.origin.place);
        neighbors.push_back(p.neighbors);
    }
    io::h5::DatasetOptions in_angstrom;
    in_angstrom.units = "angstrom";
    group.write("score", score);
    group.write("pose_score", pose_score);
    group.write("rotation", rotation, {count, 4});
    group.write("translation", translation, {count, 3}, in_angstrom);
    group.write("set", set);
    group.write("rank", place);
    group.write("neighbors", neighbors);
    group.write("terms", terms, {count, refine_term_count})
        .write_attribute("names", names_of(kernels::refine_term_names));
    group.write("search_terms", searched, {count, term_count})
        .write_attribute("names", names_of(term_names));
    group.write("contact_energy", contacts);
}

/// A part of the pose scores that not every run has.
void write_part(Group& group, const char* name, const std::vector<ConsensusPose>& poses,
                double ConsensusPose::*part) {
    std::vector<double> values(poses.size());
    std::ranges::transform(poses, values.begin(), part);
    group.write(name, values);
}

/// Only runs that repack side chains have these datasets. -1 side chains: the pose is not repacked.
void write_repacked(Group& group, const Consensus& consensus) {
    std::vector<double> scores, energies, binding;
    std::vector<std::int64_t> side_chains;
    for (const ConsensusPose& p : consensus.poses) {
        const RepackedChange change = p.repacked.value_or(RepackedChange{0, 0, 0, -1});
        scores.push_back(change.score);
        energies.push_back(change.energy);
        binding.push_back(change.binding);
        side_chains.push_back(change.side_chains);
    }
    group.write("repack_score_change", scores);
    group.write("repack_energy_change", energies);
    group.write("repack_binding_energy", binding);
    group.write("repacked_side_chains", side_chains);
    group.write_attribute("repack_median", consensus.repack_median);
    const auto& weights = consensus.weights.repacked;
    group.write_attribute("repack_weights", std::vector<double>(weights.begin(), weights.end()));
    group.write_attribute("repack_terms", names_of(repacked_term_names));
}

/// Only runs for Dn have these datasets.
void write_opposites(Group& group, const std::vector<ConsensusPose>& poses) {
    std::vector<double> rotation, translation;
    for (const ConsensusPose& p : poses) {
        const auto& [q, t] = p.opposite.value();
        rotation.insert(rotation.end(), {q.w, q.x, q.y, q.z});
        translation.insert(translation.end(), {t.x, t.y, t.z});
    }
    io::h5::DatasetOptions in_angstrom;
    in_angstrom.units = "angstrom";
    group.write(opposite_rotation, rotation, {poses.size(), 4});
    group.write("opposite_translation", translation, {poses.size(), 3}, in_angstrom);
}

}  // namespace

void write_consensus(Group& docking, const Consensus& consensus,
                     const std::vector<std::string>& copies, bool has_restraints) {
    Group group = docking.group(consensus_name);
    write_weights(group, consensus.weights);
    group.write_attribute("neighbor_radius_angstrom", neighbor_radius);
    write_contact_weights(group, consensus.weights.contacts);
    write_poses(group, consensus.poses);
    if (consensus.weights.has_statistical())
        write_part(group, "statistical_energy", consensus.poses,
                   &ConsensusPose::statistical_energy);
    if (consensus.weights.cdr_share != 0)
        write_part(group, "cdr_share", consensus.poses, &ConsensusPose::cdr_share);
    if (has_restraints)
        write_part(group, "restraint_energy", consensus.poses, &ConsensusPose::restraint_energy);
    const bool dihedral = !consensus.poses.empty() && consensus.poses.front().opposite;
    if (dihedral) write_opposites(group, consensus.poses);
    if (std::ranges::any_of(consensus.poses,
                            [](const ConsensusPose& p) { return p.repacked.has_value(); }))
        write_repacked(group, consensus);
    write_clusters(group.group("clusters"), consensus.clusters);
    // A quality of an assembly is one of several places.
    if (!consensus.quality.empty())
        write_quality(group.group("evaluation"), consensus.quality,
                      dihedral ? std::vector<std::string>{} : copies);
}

namespace {

using io::read_finite;

template <std::size_t count>
std::array<double, count> read_weights(const Group& group, const std::string& name) {
    std::array<double, count> weights;
    std::ranges::copy(io::finite_attributes(group, name, count), weights.begin());
    return weights;
}

/// Older files lack this table. All their contacts have the weight 0.
ContactTables read_contact_weights(const Group& group) {
    ContactTables tables;
    if (!group.contains("contact_weights")) return tables;
    const io::h5::Shape stored = group.open_dataset("contact_weights").shape();
    const std::uint64_t types = stored.empty() ? 0 : stored.back();
    const auto values = read_finite(group, "contact_weights", {contact_shells, types, types});
    tables.types = static_cast<int>(types);
    for (int s = 0; s < contact_shells; ++s) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(s * types * types);
        tables.shells[s].assign(begin, begin + static_cast<std::ptrdiff_t>(types * types));
    }
    return tables;
}

void read_repacked(const Group& group, Consensus& consensus) {
    if (!group.contains("repacked_side_chains")) return;
    const std::uint64_t count = consensus.poses.size();
    const auto side_chains = io::read_within<std::int64_t>(
        group, "repacked_side_chains", {count}, -1, std::numeric_limits<std::int64_t>::max());
    const auto scores = read_finite(group, "repack_score_change", {count});
    const auto energies = read_finite(group, "repack_energy_change", {count});
    const auto binding = read_finite(group, "repack_binding_energy", {count});
    for (std::size_t i = 0; i < count; ++i)
        if (side_chains[i] >= 0)
            consensus.poses[i].repacked =
                RepackedChange{scores[i], energies[i], binding[i], side_chains[i]};
    consensus.repack_median = io::finite_attribute(group, "repack_median");
    consensus.weights.repacked = read_weights<repacked_term_count>(group, "repack_weights");
}

void read_opposites(const Group& docking, const Group& group, Consensus& consensus) {
    if (!read_symmetry(docking).dihedral) return;
    const std::uint64_t count = consensus.poses.size();
    const auto q = read_rotations(group, opposite_rotation, count);
    const auto t = read_finite(group, "opposite_translation", {count, 3});
    for (std::size_t i = 0; i < count; ++i)
        consensus.poses[i].opposite =
            kernels::RigidPose{q[i], {t[3 * i], t[3 * i + 1], t[3 * i + 2]}};
}

}  // namespace

WeightsTable read_weights_table(const Group& consensus) {
    if (!consensus.has_attribute(table_sha256)) return {};
    return {consensus.read_attribute<std::string>(table_name),
            consensus.read_attribute<std::string>(table_sha256)};
}

Consensus read_consensus(const Group& docking, std::int64_t sets, std::int64_t places) {
    const Group group = docking.open_group(consensus_name);
    const std::uint64_t count = io::length_of(group, "score");
    const auto whole = [&](const char* name, std::int64_t end) {
        return io::read_within<std::int64_t>(group, name, {count}, 0, end - 1);
    };
    const auto set = whole("set", sets), place = whole("rank", places);
    const auto neighbors = whole("neighbors", std::numeric_limits<std::int64_t>::max());
    const auto score = read_finite(group, "score", {count});
    require_ascending(group, score);
    // Older files lack the first two datasets, and the others belong to runs with restraints, to
    // weights with statistical terms and to antibodies. In an older file a pose stands for itself
    // alone.
    const auto since_then = [&](const char* name, const std::vector<double>& otherwise) {
        return group.contains(name) ? read_finite(group, name, {count}) : otherwise;
    };
    const auto pose_score = since_then("pose_score", score);
    const auto contacts = since_then("contact_energy", std::vector<double>(count));
    const auto restrained = since_then("restraint_energy", std::vector<double>(count));
    const auto statistical = since_then("statistical_energy", std::vector<double>(count));
    const auto shares = since_then("cdr_share", std::vector<double>(count));
    const auto q = read_rotations(group, "rotation", count);
    const auto t = read_finite(group, "translation", {count, 3});
    const auto terms = read_finite(group, "terms", {count, refine_term_count});
    const auto searched = read_finite(group, "search_terms", {count, term_count});
    Consensus consensus;
    consensus.weights.table = read_weights_table(group);
    consensus.weights.refined = read_weights<refine_term_count>(group, "weights");
    consensus.weights.searched = read_weights<term_count>(group, "search_weights");
    if (group.has_attribute("statistical_weights"))
        consensus.weights.statistical =
            read_weights<statistical_term_count>(group, "statistical_weights");
    if (group.has_attribute(cdr_share_weight))
        consensus.weights.cdr_share = io::finite_attribute(group, cdr_share_weight);
    consensus.weights.contacts = read_contact_weights(group);
    for (std::size_t i = 0; i < count; ++i) {
        ConsensusPose p;
        p.score = score[i];
        p.pose_score = pose_score[i];
        p.contact_energy = contacts[i];
        p.restraint_energy = restrained[i];
        p.statistical_energy = statistical[i];
        p.cdr_share = shares[i];
        p.pose = {q[i], {t[3 * i], t[3 * i + 1], t[3 * i + 2]}};
        p.origin.set = set[i];
        p.origin.place = place[i];
        p.neighbors = neighbors[i];
        for (int k = 0; k < refine_term_count; ++k) p.terms[k] = terms[refine_term_count * i + k];
        for (int k = 0; k < term_count; ++k) p.origin.terms[k] = searched[term_count * i + k];
        consensus.poses.push_back(p);
    }
    read_opposites(docking, group, consensus);
    read_repacked(group, consensus);
    return consensus;
}

}  // namespace tessera::docking
