#include "docking/result/interface_propensity.hpp"

#include <array>
#include <cmath>
#include <map>

namespace tessera::docking {

namespace {

using Cell = std::array<std::int64_t, 3>;

Cell cell_of(Vec3 at) {
    const auto index = [](double x) {
        return static_cast<std::int64_t>(std::floor(x / contact_distance));
    };
    return {index(at.x), index(at.y), index(at.z)};
}

/// The atoms in each cell and the 26 around it. A cell is as wide as a contact is long, so no other
/// atom is near enough.
std::map<Cell, std::vector<std::size_t>> neighborhoods(const io::Structure& structure) {
    std::map<Cell, std::vector<std::size_t>> atoms;
    for (std::size_t i = 0; i < structure.atoms.size(); ++i) {
        const Cell cell = cell_of(structure.atoms[i].position);
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz)
                    atoms[{cell[0] + dx, cell[1] + dy, cell[2] + dz}].push_back(i);
    }
    return atoms;
}

std::size_t residue_of(const io::Structure& structure, std::size_t atom) {
    return static_cast<std::size_t>(structure.atoms[atom].residue_index);
}

std::size_t residues_of(const io::Structure& structure) {
    return residue_of(structure, structure.atoms.size() - 1) + 1;
}

void add(std::vector<std::int64_t>& counts, const std::vector<bool>& touched) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += touched[i] ? 1 : 0;
}

}  // namespace

InterfacePropensity interface_propensity(const Partners& partners, Vec3 ligand_center,
                                         const std::vector<kernels::RigidPose>& poses) {
    const auto& [receptor, ligand] = partners;
    const auto near = neighborhoods(receptor);
    InterfacePropensity counts{std::vector<std::int64_t>(residues_of(receptor)),
                               std::vector<std::int64_t>(residues_of(ligand))};
    for (const kernels::RigidPose& pose : poses) {
        std::vector<bool> receptor_touched(counts.receptor.size());
        std::vector<bool> ligand_touched(counts.ligand.size());
        const Matrix3 matrix = pose.rotation.matrix();
        for (std::size_t i = 0; i < ligand.atoms.size(); ++i) {
            const Vec3 at = matrix * (ligand.atoms[i].position - ligand_center) + pose.translation;
            const auto found = near.find(cell_of(at));
            if (found == near.end()) continue;
            for (const std::size_t j : found->second)
                if (distance_squared(at, receptor.atoms[j].position) <
                    contact_distance * contact_distance)
                    receptor_touched[residue_of(receptor, j)] =
                        ligand_touched[residue_of(ligand, i)] = true;
        }
        add(counts.receptor, receptor_touched);
        add(counts.ligand, ligand_touched);
    }
    return counts;
}

}  // namespace tessera::docking
