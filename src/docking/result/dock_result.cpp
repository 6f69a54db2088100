#include "docking/result/dock_result.hpp"

#include <algorithm>
#include <cmath>

#include "docking/model/residue_ranges.hpp"
#include "docking/result/conformers_file.hpp"
#include "docking/result/consensus_file.hpp"
#include "docking/result/dock_summary.hpp"
#include "docking/result/membrane_file.hpp"
#include "docking/result/restraints_file.hpp"
#include "io/hdf5/result_values.hpp"

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

void write_quality(Group group, const std::vector<PoseQuality>& quality,
                   const std::vector<std::string>& copies) {
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
    if (copies.size() < 2) return;
    auto copy = group.write("copy", column(quality, [](const PoseQuality& q) {
                                return static_cast<std::int32_t>(q.copy);
                            }));
    copy.write_attribute("chains", copies);
}

/// The datasets have a value for each domain.
void write_antibody(Group group, const std::vector<RecognisedDomain>& domains) {
    const auto write = [&](const char* name, const auto& value) {
        group.write_strings(name, column(domains, value));
    };
    write("partner", [](const RecognisedDomain& d) { return d.partner; });
    write("chain", [](const RecognisedDomain& d) { return d.chain; });
    write("kind", [](const RecognisedDomain& d) { return d.kind; });
    write("cdr1", [](const RecognisedDomain& d) { return d.cdr[0]; });
    write("cdr2", [](const RecognisedDomain& d) { return d.cdr[1]; });
    write("cdr3", [](const RecognisedDomain& d) { return d.cdr[2]; });
}

void write_dock_result(Group root, const DockResult& result) {
    Group docking = root.group("docking");
    const DockingFrame& frame = result.frame;
    docking.write_attribute("grid", static_cast<std::int64_t>(frame.n));
    docking.write_attribute("spacing_angstrom", frame.spacing);
    if (result.symmetry.is_set()) docking.write_attribute("symmetry", name_of(result.symmetry));
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
        if (result.ensemble)
            write_pairs(docking.open_group("poses/" + name), *result.ensemble,
                        column(result.lists[s].poses, [](const Pose& p) { return p.pair; }));
        write_clusters(docking.group("clusters/" + name), result.clusters[s]);
        if (!result.quality.empty())
            write_quality(docking.group("evaluation/" + name), result.quality[s], result.copies);
    }
    if (result.consensus)
        write_consensus(docking, *result.consensus, result.copies, result.restraints.has_value());
    if (result.consensus && result.ensemble)
        write_pairs(
            docking.open_group(consensus_name), *result.ensemble,
            column(result.consensus->poses, [](const ConsensusPose& p) { return p.origin.pair; }));
    if (result.restraints) write_restraints(docking, result);
    if (result.membrane) write_membrane(docking, *result.membrane);
    if (!result.antibody.empty()) write_antibody(docking.group("antibody"), result.antibody);
    write_left_out(docking, result.left_out);
    write_chemistry(docking, result.chemistry);
    if (result.partners) write_partners(docking, *result.partners);
    if (result.ensemble) write_ensemble(docking, result);
}

namespace {

using io::read_finite;
using io::read_shaped;
using io::read_within;

PoseList read_poses(const Group& group, const std::string& name, std::int64_t rotations, int n) {
    PoseList list{read_set(group, name), {}};
    const std::uint64_t count = io::length_of(group, "score");
    const std::int64_t voxels = std::int64_t{n} * n * n;
    const auto rotation = read_within<std::int64_t>(group, "rotation", {count}, 0, rotations - 1);
    const auto voxel = read_within<std::int64_t>(group, "voxel", {count}, 0, voxels - 1);
    const auto score = read_finite(group, "score", {count});
    const auto translation = read_finite(group, "translation", {count, 3});
    const auto terms = read_finite(group, "terms", {count, term_count});
    require_ascending(group, score);
    list.poses.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        Pose pose{score[i],
                  rotation[i],
                  voxel[i],
                  {translation[3 * i], translation[3 * i + 1], translation[3 * i + 2]},
                  {}};
        for (int k = 0; k < term_count; ++k) pose.terms[k] = terms[term_count * i + k];
        list.poses.push_back(pose);
    }
    return list;
}

}  // namespace

std::vector<Quaternion> read_rotations(const Group& group, const std::string& name,
                                       std::uint64_t count) {
    constexpr double unit_tolerance = 1e-3;
    const auto values = read_finite(group, name, {count, 4});
    std::vector<Quaternion> rotations;
    rotations.reserve(count);
    for (std::size_t i = 0; i < values.size(); i += 4) {
        rotations.push_back({values[i], values[i + 1], values[i + 2], values[i + 3]});
        if (std::abs(rotations.back().length() - 1) > unit_tolerance)
            group.refuse("'" + group.name() + "/" + name + "'",
                         "quaternion " + std::to_string(i / 4 + 1) + " is not a rotation");
    }
    return rotations;
}

void require_ascending(const Group& group, const std::vector<double>& score) {
    if (!std::ranges::is_sorted(score))
        group.refuse("'" + group.name() + "/score'", "it is not in ascending order");
}

std::vector<PoseQuality> read_quality(const Group& group, std::uint64_t count) {
    std::vector<PoseQuality> quality(count);
    const auto read = [&](const char* name, double PoseQuality::*value) {
        const auto values = read_shaped<double>(group, name, {count});
        for (std::size_t i = 0; i < count; ++i) quality[i].*value = values[i];
    };
    read("ligand_rmsd", &PoseQuality::ligand_rmsd);
    read("interface_rmsd", &PoseQuality::interface_rmsd);
    read("fnat", &PoseQuality::fnat);
    read("dockq", &PoseQuality::dockq);
    read("ligand_interface_ca_rmsd", &PoseQuality::ligand_interface_ca_rmsd);
    return quality;
}

namespace {

/// The residues that were left out must be among those of the atoms.
void require_left_out_residues(const Group& docking, const DockResult& result) {
    const auto require = [&](const char* partner, const LowConfidence& low,
                             const io::Structure& whole) {
        if (low.is_used() && protein_residues(whole) != low.residues)
            docking.refuse(std::string("'/docking/plddt/") + partner + "@residues'",
                           "the atoms have another number of residues");
    };
    require("receptor", result.left_out.receptor, result.partners->receptor);
    require("ligand", result.left_out.ligand, result.partners->ligand);
}

/// Reads the conformers, and which of them each pose has.
void read_pairs_of_poses(const Group& docking, DockResult& result) {
    result.ensemble = read_ensemble(docking, result);
    if (!result.ensemble) return;
    for (PoseList& list : result.lists) {
        const auto pairs = read_pairs(docking.open_group("poses/" + list.set.name),
                                      *result.ensemble, list.poses.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) list.poses[i].pair = pairs[i];
    }
    if (!result.consensus) return;
    auto& poses = result.consensus->poses;
    const auto pairs =
        read_pairs(docking.open_group(consensus_name), *result.ensemble, poses.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) poses[i].origin.pair = pairs[i];
}

}  // namespace

Partners docked_partners(const DockResult& result, const Combination& pair) {
    Partners whole = *result.partners;
    if (result.ensemble)
        whole = {result.ensemble->receptor.place(std::move(whole.receptor), pair.receptor),
                 result.ensemble->ligand.place(std::move(whole.ligand), pair.ligand)};
    return {without_residues(whole.receptor, result.left_out.receptor.left_out),
            without_residues(whole.ligand, result.left_out.ligand.left_out)};
}

DockResult read_dock_result(const Group& root) {
    const Group docking = root.open_group("docking");
    DockResult result;
    result.frame = read_frame(docking);
    result.symmetry = read_symmetry(docking);
    const io::h5::Shape stored = docking.open_dataset("rotations").shape();
    result.rotations = read_rotations(docking, "rotations", stored.empty() ? 0 : stored[0]);
    result.receptor_sha256 = docking.read_attribute<std::string>("receptor_sha256");
    result.ligand_sha256 = docking.read_attribute<std::string>("ligand_sha256");
    const Group poses = docking.open_group("poses");
    const int n = result.frame.n;
    const auto rotations = static_cast<std::int64_t>(result.rotations.size());
    for (const std::string& name : read_set_names(docking))
        result.lists.push_back(read_poses(poses.open_group(name), name, rotations, n));
    if (docking.contains(consensus_name))
        result.consensus = read_consensus(docking, std::ssize(result.lists), rotations * n * n * n);
    read_restraints(docking, result);
    result.membrane = read_membrane(docking);
    result.left_out = read_left_out(docking);
    result.chemistry = read_chemistry(docking);
    result.partners = read_partners(docking);
    if (result.partners) require_left_out_residues(docking, result);
    read_pairs_of_poses(docking, result);
    return result;
}

}  // namespace tessera::docking
