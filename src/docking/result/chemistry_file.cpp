#include "docking/result/chemistry_file.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;
using Counts = std::vector<ResidueCount>;

constexpr const char* chemistry_group = "chemistry";

std::vector<std::string> texts_of(const Counts& counts, std::string ResidueCount::*text) {
    std::vector<std::string> texts;
    texts.reserve(counts.size());
    for (const ResidueCount& one : counts) texts.push_back(one.*text);
    return texts;
}

void write(Group group, const Counts& counts) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(counts.size());
    for (const ResidueCount& one : counts) numbers.push_back(one.count);
    group.write_strings("residue_name", texts_of(counts, &ResidueCount::name));
    group.write_strings("reason", texts_of(counts, &ResidueCount::reason));
    group.write("count", numbers);
}

void write(Group& docking, const char* partner, const Chemistry& chemistry) {
    const std::string path = std::string(chemistry_group) + "/" + partner + "/";
    if (!chemistry.kept.empty()) write(docking.group(path + "kept"), chemistry.kept);
    if (!chemistry.left_out.empty()) write(docking.group(path + "left_out"), chemistry.left_out);
}

Counts read(const Group& partner, const std::string& name) {
    if (!partner.contains(name)) return {};
    const Group group = partner.open_group(name);
    const std::uint64_t length = io::length_of(group, "count");
    const auto numbers = io::read_within<std::int64_t>(group, "count", {length}, 1,
                                                       std::numeric_limits<std::int32_t>::max());
    const auto names = io::read_shaped_texts(group, "residue_name", length);
    const auto reasons = io::read_shaped_texts(group, "reason", length);
    Counts counts;
    for (std::size_t i = 0; i < length; ++i)
        counts.push_back({names[i], static_cast<int>(numbers[i]), reasons[i]});
    return counts;
}

}  // namespace

void write_chemistry(Group& docking, const PartnerChemistry& chemistry) {
    write(docking, "receptor", chemistry.receptor);
    write(docking, "ligand", chemistry.ligand);
}

PartnerChemistry read_chemistry(const Group& docking) {
    PartnerChemistry chemistry;
    if (!docking.contains(chemistry_group)) return chemistry;
    const Group groups = docking.open_group(chemistry_group);
    const auto read_partner = [&](const char* name, Chemistry& partner) {
        if (!groups.contains(name)) return;
        const Group group = groups.open_group(name);
        partner = {read(group, "kept"), read(group, "left_out")};
    };
    read_partner("receptor", chemistry.receptor);
    read_partner("ligand", chemistry.ligand);
    return chemistry;
}

}  // namespace tessera::docking
