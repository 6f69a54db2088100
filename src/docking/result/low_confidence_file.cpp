#include "docking/result/low_confidence_file.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;

constexpr const char* confidence_group = "plddt";

void write(Group& docking, const std::string& partner, const LowConfidence& low) {
    if (!low.is_used()) return;
    Group group = docking.group(std::string(confidence_group) + "/" + partner);
    group.write_attribute("threshold", low.threshold);
    group.write_attribute("source", low.source);
    group.write_attribute("residues", static_cast<std::int64_t>(low.residues));
    group.write_attribute("left_out", low.named);
    group.write("residue_index",
                std::vector<std::int32_t>(low.left_out.begin(), low.left_out.end()));
}

LowConfidence read(const Group& groups, const std::string& partner) {
    LowConfidence low;
    if (!groups.contains(partner)) return low;
    const Group group = groups.open_group(partner);
    low.threshold = io::finite_attribute(group, "threshold");
    low.source = group.read_attribute<std::string>("source");
    low.residues = static_cast<int>(
        io::attribute_within(group, "residues", 1, std::numeric_limits<std::int32_t>::max()));
    low.named = group.read_attribute<std::string>("left_out");
    const auto indices = io::read_within<std::int32_t>(
        group, "residue_index", {io::length_of(group, "residue_index")}, 0, low.residues - 1);
    if (std::ranges::adjacent_find(indices, std::greater_equal()) != indices.end())
        group.refuse("'" + group.name() + "/residue_index'", "it is not in ascending order");
    if (std::ssize(indices) == low.residues)
        group.refuse("'" + group.name() + "/residue_index'", "no residue is left");
    low.left_out.assign(indices.begin(), indices.end());
    return low;
}

}  // namespace

void write_left_out(Group& docking, const LeftOut& left_out) {
    write(docking, "receptor", left_out.receptor);
    write(docking, "ligand", left_out.ligand);
}

LeftOut read_left_out(const Group& docking) {
    if (!docking.contains(confidence_group)) return {};
    const Group groups = docking.open_group(confidence_group);
    return {read(groups, "receptor"), read(groups, "ligand")};
}

}  // namespace tessera::docking
