#include "docking/result/restraints_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "docking/result/consensus_file.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;

template <class Pose>
void write_satisfied(Group& group, const std::string& list, const std::vector<Pose>& poses,
                     const StoredRestraints& restraints) {
    std::vector<std::int64_t> satisfied;
    std::vector<double> fraction;
    for (const Pose& pose : poses) {
        satisfied.push_back(pose.satisfied);
        fraction.push_back(restraints.fraction(pose.satisfied));
    }
    group.group("satisfied").write(list, satisfied);
    group.group("fraction").write(list, fraction);
}

template <class Pose>
void read_satisfied(const Group& group, const std::string& list, std::vector<Pose>& poses,
                    std::size_t restraints) {
    const auto satisfied =
        io::read_within<std::int64_t>(group.open_group("satisfied"), list, {poses.size()}, 0,
                                      static_cast<std::int64_t>(restraints));
    for (std::size_t i = 0; i < poses.size(); ++i) poses[i].satisfied = satisfied[i];
}

void write_groups(Group group, const std::vector<RestraintGroup>& groups) {
    std::vector<std::string> names;
    std::vector<std::int64_t> size, required;
    for (const RestraintGroup& one : groups) {
        names.push_back(one.name);
        size.push_back(one.size);
        required.push_back(one.required);
    }
    group.write_strings("name", names);
    group.write("size", size);
    group.write("required", required);
}

std::vector<RestraintGroup> read_groups(const Group& group) {
    const std::uint64_t count = io::length_of(group, "size");
    const auto names = group.open_dataset("name").read_strings();
    if (names.size() != count)
        group.refuse("'" + group.name() + "/name'", "it has another length than size");
    const auto read = [&](const char* name) {
        return io::read_within<std::int64_t>(group, name, {count}, 1, 1'000'000'000);
    };
    const auto size = read("size"), required = read("required");
    std::vector<RestraintGroup> groups;
    for (std::size_t g = 0; g < count; ++g)
        groups.push_back({names[g], static_cast<int>(size[g]), static_cast<int>(required[g])});
    return groups;
}

}  // namespace

StoredRestraints stored_restraints(const DistanceRestraints& restraints, double weight) {
    StoredRestraints stored;
    stored.groups = restraints.groups;
    stored.tolerance = restraints.tolerance;
    stored.weight = weight;
    for (const DistanceRestraint& one : restraints.restraints) {
        stored.names.push_back(one.name);
        stored.group.push_back(one.group);
        stored.lower.push_back(one.lower);
        stored.upper.push_back(one.upper);
    }
    return stored;
}

void write_restraints(Group& docking, const DockResult& result) {
    const StoredRestraints& restraints = *result.restraints;
    Group group = docking.group(restraints_name);
    io::h5::DatasetOptions in_angstrom;
    in_angstrom.units = "angstrom";
    group.write_attribute("tolerance_angstrom", restraints.tolerance);
    group.write_attribute("weight", restraints.weight);
    group.write_strings("name", restraints.names);
    group.write("group",
                std::vector<std::int64_t>(restraints.group.begin(), restraints.group.end()));
    group.write("lower", restraints.lower, in_angstrom);
    group.write("upper", restraints.upper, in_angstrom);
    write_groups(group.group("groups"), restraints.groups);
    for (const PoseList& list : result.lists)
        write_satisfied(group, list.set.name, list.poses, restraints);
    if (result.consensus)
        write_satisfied(group, consensus_name, result.consensus->poses, restraints);
}

std::vector<RestraintGroup> read_restraint_groups(const Group& docking) {
    if (!docking.contains(restraints_name)) return {};
    return read_groups(docking.open_group(restraints_name).open_group("groups"));
}

void read_restraints(const Group& docking, DockResult& result) {
    if (!docking.contains(restraints_name)) return;
    const Group group = docking.open_group(restraints_name);
    StoredRestraints restraints;
    restraints.tolerance = io::finite_attribute(group, "tolerance_angstrom");
    restraints.weight = io::finite_attribute(group, "weight");
    restraints.groups = read_groups(group.open_group("groups"));
    restraints.names = group.open_dataset("name").read_strings();
    const std::uint64_t count = restraints.names.size();
    if (count == 0) group.refuse("'" + group.name() + "/name'", "it is empty");
    const auto groups = io::read_within<std::int64_t>(group, "group", {count}, 0,
                                                      std::ssize(restraints.groups) - 1);
    restraints.group.assign(groups.begin(), groups.end());
    restraints.lower = io::read_finite(group, "lower", {count});
    restraints.upper = io::read_finite(group, "upper", {count});
    for (PoseList& list : result.lists) read_satisfied(group, list.set.name, list.poses, count);
    if (result.consensus) read_satisfied(group, consensus_name, result.consensus->poses, count);
    result.restraints = std::move(restraints);
}

}  // namespace tessera::docking
