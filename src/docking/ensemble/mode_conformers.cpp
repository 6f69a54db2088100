#include "docking/ensemble/mode_conformers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "docking/evaluation/superposition.hpp"
#include "io/proteins/nucleotides.hpp"

namespace tessera::docking {

namespace {

constexpr double surroundings = 10;  // Angstrom: nodes that turn a residue

std::vector<std::size_t> nodes_of(const io::Structure& structure,
                                  const std::vector<int>& left_out) {
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < structure.atoms.size(); ++i) {
        const io::AtomRecord& atom = structure.atoms[i];
        if (io::is_trace(atom) && !std::ranges::binary_search(left_out, atom.residue_index))
            nodes.push_back(i);
    }
    return nodes;
}

/// Nodes before and after a motion.
struct MovedNodes {
    std::vector<Vec3> before, after;

    std::size_t nearest(Vec3 point) const {
        const auto found = std::ranges::min_element(
            before, {}, [&](Vec3 node) { return distance_squared(node, point); });
        return static_cast<std::size_t>(found - before.begin());
    }

    /// The rigid motion of the residue of a node. The node goes exactly where the mode takes it.
    RigidMotion motion_of(std::size_t node) const {
        std::vector<Vec3> here, there;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (distance_squared(before[i], before[node]) > surroundings * surroundings) continue;
            here.push_back(before[i]);
            there.push_back(after[i]);
        }
        RigidMotion motion;
        if (here.size() >= 4) motion.rotation = superpose(here, there).rotation;
        motion.shift = after[node] - motion.rotation * before[node];
        return motion;
    }
};

}  // namespace

std::vector<Vec3> moved_along(const io::Structure& structure, const std::vector<std::size_t>& nodes,
                              const NormalMode& mode, double factor) {
    MovedNodes moved;
    std::vector<RigidMotion> motions;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        moved.before.push_back(structure.atoms[nodes[i]].position);
        moved.after.push_back(moved.before[i] + factor * mode.displacements[i]);
    }
    motions.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) motions.push_back(moved.motion_of(i));
    const auto& atoms = structure.atoms;
    std::vector<Vec3> positions;
    positions.reserve(atoms.size());
    for (std::size_t begin = 0, node = 0; begin < atoms.size();) {
        std::size_t end = begin;
        while (end < atoms.size() && atoms[end].residue_index == atoms[begin].residue_index) ++end;
        const bool has_node = node < nodes.size() && nodes[node] < end;
        const RigidMotion& motion = motions[has_node ? node : moved.nearest(atoms[begin].position)];
        for (std::size_t i = begin; i < end; ++i) positions.push_back(motion(atoms[i].position));
        while (node < nodes.size() && nodes[node] < end) ++node;
        begin = end;
    }
    return positions;
}

PartnerConformers conformers_along_modes(const std::string& partner, const io::Structure& whole,
                                         const std::vector<int>& left_out, int count, double rmsd) {
    const std::vector<std::size_t> nodes = nodes_of(whole, left_out);
    std::vector<Vec3> places, positions;
    places.reserve(nodes.size());
    positions.reserve(whole.atoms.size());
    for (const std::size_t node : nodes) places.push_back(whole.atoms[node].position);
    for (const io::AtomRecord& atom : whole.atoms) positions.push_back(atom.position);
    PartnerConformers conformers{{"as in the file"}, {positions}};
    const auto modes = softest_modes(places, static_cast<std::size_t>(count / 2), partner);
    // The displacements of a mode have unit length together.
    const double length = rmsd * std::sqrt(static_cast<double>(nodes.size()));
    for (int i = 1; i < count; ++i) {
        const int mode = (i - 1) / 2;
        const double sign = i % 2 == 1 ? 1 : -1;
        conformers.names.push_back(fmt::format("mode {} by {:+g} A", mode + 1, sign * rmsd));
        conformers.positions.push_back(
            moved_along(whole, nodes, modes[static_cast<std::size_t>(mode)], sign * length));
    }
    return conformers;
}

}  // namespace tessera::docking
