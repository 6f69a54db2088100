// What the repacking of side chains computes with. These are plain host types without Kokkos.
#pragma once

#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels {

/// Constants of the local energy, in nats (docs/method/docking-repacking.md, "Energy").
struct PackParameters {
    double radius_scale = 0.85;  ///< the minimum of a pair lies at this times the sum of its radii
    double depth = 0.3;          ///< of the attraction of a pair
    double highest = 5;          ///< of the repulsion of a pair
    double charge_scale = 70;    ///< nats Angstrom^2/e^2: of q q / r^2
    double nearest = 2.5;        ///< Angstrom; charges nearer than this count as at this distance
    double cutoff = 7;           ///< Angstrom; the energy is switched off from `full` to here
    double full = 5;
    double library_scale = 2;  ///< of -ln(share / largest share) of a rotamer
    double input_bonus = 6;    ///< by which the conformation of the file is favoured
    int sweeps = 10;           ///< most passes over all side chains and pairs
};

/// A side chain that can take several conformations.
struct PackSideChain {
    std::vector<int> atoms;           ///< of the partner, those that move
    int rotamers = 0;                 ///< the first is the conformation of the file
    std::vector<float> positions;     ///< [rotamer][atom][3], in the frame of RefineAtom
    std::vector<float> own_energies;  ///< [rotamer], nats: of the library and of the own partner
    Vec3 center;                      ///< C-beta
    double reach = 0;                 ///< Angstrom: largest distance of an atom from the C-beta
};

/// Energies of two side chains of one partner, whichever pose it has.
struct PackPair {
    int first = 0, second = 0;    ///< side chains
    std::vector<float> energies;  ///< [rotamer of first][rotamer of second]
};

struct PackPartner {
    std::vector<RefineAtom> atoms;
    std::vector<int> side_chain;  ///< of each atom that can move; -1 for the others
    std::vector<PackSideChain> side_chains;
    std::vector<PackPair> pairs;
};

/// Fills in PackPair and adds the energy with the atoms of the own partner that never move to
/// own_energies. `near`: for each side chain, those atoms that count.
void add_own_energies(PackPartner& partner, const PackParameters& parameters,
                      const std::vector<std::vector<int>>& near);

/// A side chain that is repacked in a pose.
struct PackNode {
    int partner = 0;  ///< 0: receptor, 1: ligand
    int side_chain = 0;
    std::vector<int> near;     ///< atoms of the other partner that keep their place
    std::vector<int> resting;  ///< pairs with side chains of the own partner that are not repacked
};

/// Two nodes that interact. `pair`: of their partner, or -1 if the first belongs to the receptor
/// and the second to the ligand.
struct PackEdge {
    int first = 0, second = 0;
    int pair = -1;
};

inline constexpr int most_pack_nodes = 64, most_rotamers = 64;

/// The side chains of a pose and what they meet.
struct PackPose {
    RigidPose pose;
    std::vector<PackNode> nodes;  ///< at most most_pack_nodes
    std::vector<PackEdge> edges;
};

/// The conformations of a pose's side chains.
struct PackedPose {
    std::vector<int> rotamers;  ///< of each node; 0: as in the file
    double input_energy = 0;    ///< nats, of the conformations of the file
    double energy = 0;
    /// Of the conformations of the file without the other partner.
    double apart = 0;

    /// What the partners gain from each other.
    double binding() const { return energy - apart; }
};

}  // namespace tessera::kernels
