#include "docking/result/conformers_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "docking/ensemble/ensemble_options.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;

constexpr const char* conformers = "conformers";
constexpr double farthest = 1e5;  // Angstrom, as of the atoms of the partners

void write_partner(Group group, const PartnerConformers& partner) {
    if (partner.positions.empty()) return;
    const std::uint64_t atoms = partner.positions.front().size();
    std::vector<double> positions;
    for (const auto& conformer : partner.positions)
        for (const Vec3& p : conformer) positions.insert(positions.end(), {p.x, p.y, p.z});
    io::h5::DatasetOptions packed;
    packed.units = "angstrom";
    packed.deflate = 6;
    group.write_strings("name", partner.names);
    group.write("position", positions, {partner.positions.size(), atoms, 3}, packed);
}

/// `atoms`: of the partner.
PartnerConformers read_partner(const Group& parent, const char* name, std::uint64_t atoms) {
    PartnerConformers partner;
    if (!parent.contains(name)) return partner;
    const Group group = parent.open_group(name);
    const std::uint64_t count = io::length_of(group, "name");
    partner.names = io::read_shaped_texts(group, "name", count);
    const auto positions = io::read_finite(group, "position", {count, atoms, 3});
    if (count < 2 || count > static_cast<std::uint64_t>(most_conformers))
        group.refuse("'" + group.name() + "/name'", "it has no sensible number of conformers");
    if (std::ranges::any_of(positions, [](double x) { return std::abs(x) > farthest; }))
        group.refuse("'" + group.name() + "/position'", "an atom is farther than 10^5 A away");
    for (std::size_t at = 0; at < positions.size();) {
        auto& conformer = partner.positions.emplace_back();
        for (std::uint64_t i = 0; i < atoms; ++i, at += 3)
            conformer.push_back({positions[at], positions[at + 1], positions[at + 2]});
    }
    return partner;
}

}  // namespace

void write_ensemble(Group& docking, const DockResult& result) {
    if (!result.ensemble) return;
    Group group = docking.group(conformers);
    if (result.ensemble->receptor.count() > 1)
        write_partner(group.group("receptor"), result.ensemble->receptor);
    if (result.ensemble->ligand.count() > 1)
        write_partner(group.group("ligand"), result.ensemble->ligand);
}

std::optional<Ensemble> read_ensemble(const Group& docking, const DockResult& result) {
    if (!docking.contains(conformers)) return std::nullopt;
    const Group group = docking.open_group(conformers);
    if (!result.partners)
        docking.refuse("'/docking/conformers'", "the file lacks the atoms of the partners");
    Ensemble ensemble{read_partner(group, "receptor", result.partners->receptor.atoms.size()),
                      read_partner(group, "ligand", result.partners->ligand.atoms.size())};
    if (ensemble.combinations() < 2)
        docking.refuse("'/docking/conformers'", "neither partner has several conformers");
    return ensemble;
}

void write_pairs(Group group, const Ensemble& ensemble, const std::vector<std::int64_t>& pairs) {
    std::vector<std::int32_t> receptor, ligand;
    for (const std::int64_t number : pairs) {
        const Combination pair = ensemble.combination(static_cast<std::size_t>(number));
        receptor.push_back(static_cast<std::int32_t>(pair.receptor));
        ligand.push_back(static_cast<std::int32_t>(pair.ligand));
    }
    group.write("receptor_conformer", receptor);
    group.write("ligand_conformer", ligand);
}

std::vector<std::int64_t> read_pairs(const Group& group, const Ensemble& ensemble,
                                     std::uint64_t count) {
    const auto read = [&](const char* name, const PartnerConformers& partner) {
        return io::read_within<std::int32_t>(group, name, {count}, 0,
                                             static_cast<std::int32_t>(partner.count()) - 1);
    };
    const auto receptor = read("receptor_conformer", ensemble.receptor);
    const auto ligand = read("ligand_conformer", ensemble.ligand);
    std::vector<std::int64_t> pairs;
    pairs.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        pairs.push_back(receptor[i] * static_cast<std::int64_t>(ensemble.ligand.count()) +
                        ligand[i]);
    return pairs;
}

}  // namespace tessera::docking
