// What the refinement of docked poses computes with. These are plain host types without Kokkos.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::kernels {

/// Unweighted terms of a refined pose. They are sums over pairs of atoms nearer than the cut-off
/// (docs/method/docking-refinement.md, "Terms").
enum RefineTerm : int {
    clash_term,            ///< overlap of surface atoms
    buried_clash_term,     ///< overlap of pairs with a buried atom
    contact_term,          ///< number of pairs in contact
    dispersion_term,       ///< attraction of Lennard-Jones pairs, depth 1 (negative)
    near_attraction_term,  ///< electrostatics of opposite charges below 5 A (negative), e^2/A
    near_repulsion_term,   ///< electrostatics of like charges below 5 A
    far_attraction_term,   ///< electrostatics of opposite charges from 5 A on
    far_repulsion_term,
    pair_term,    ///< pair potential of all types
    burial_term,  ///< ligand atoms, each counted by how much it is covered
    refine_term_count
};
inline constexpr std::array<const char*, refine_term_count> refine_term_names{
    "clash",          "buried_clash",   "contacts",      "dispersion", "near_attraction",
    "near_repulsion", "far_attraction", "far_repulsion", "pair",       "burial"};

/// Weights of the minimised energy.
struct RefineWeights {
    double clash = 20;         ///< pairs of surface atoms
    double buried_clash = 80;  ///< pairs with a buried atom
    double contact = -0.4;
    double dispersion = 0;
    double electrostatics = 500;
    double pair = 1;
};

/// Constants of the smooth energy; lengths in Angstrom. Switches fall from 1 at `..._full` to 0 at
/// `..._end`.
struct RefineParameters {
    double clash_scale = 0.85;  ///< pairs nearer than this times the sum of their radii overlap
    double contact_full = 5, contact_end = 8;
    double pair_full = 5, pair_end = 7;
    double outer_full = 7, outer_end = 9;  ///< dispersion and electrostatics
    double near_full = 4, near_end = 6;    ///< near electrostatic terms
    double born_radius = 2;
    double covered = 10;             ///< contacts that cover half of an atom
    double restraints_weight = 0;    ///< energy of a pose that is far from all restraints
    double restraints_softness = 2;  ///< a distance so far outside its bounds costs half as much
    RefineWeights weights;
    int evaluations = 25;  ///< most evaluations of energy and forces per pose
    double largest_shift = 3;
    double largest_turn = 0.2;  ///< radian
};

/// The properties of an atom that the refinement uses.
struct RefineAtom {
    Vec3 position;  ///< Angstrom; receptor: the file's frame, ligand: from its centre
    double radius = 0, charge = 0;
    int type = 0;
    bool on_surface = true;
};

/// A distance that the refinement pulls into its bounds: (sum over pairs of atoms of d^-6)^(-1/6),
/// as in docs/method/docking-restraints.md.
struct RefineRestraint {
    double lower = 0, upper = 0;         ///< Angstrom
    std::vector<Vec3> receptor, ligand;  ///< atoms, in the frames of RefineAtom
};

/// A ring of equal copies about an axis. The receptor is one of them, the ligand the next.
struct Ring {
    int copies = 0;  ///< 0: the partners are no ring
    Vec3 center;     ///< Angstrom: where the ligand's centre lies in the receptor

    bool is_set() const { return copies > 0; }
};

struct RefineProblem {
    std::vector<RefineAtom> receptor, ligand;
    int types = 0;
    std::vector<double> pair_energies;  ///< [types * types], symmetric
    RefineParameters parameters;
    /// If it is set, poses turn and move their axis, and stay parts of a ring. Their terms are
    /// those of the whole ring (ring_pose.hpp).
    Ring ring = {};
    /// Have no effect if parameters.restraints_weight is 0, and in assemblies of rings.
    std::vector<RefineRestraint> restraints = {};
};

/// Moves the ligand atom x (from the ligand's centre) to R(rotation) x + translation.
struct RigidPose {
    Quaternion rotation;
    Vec3 translation;
};

/// A refined pose, in the layout of the partials.
struct RefinedPose {
    RigidPose pose;
    double start_energy = 0, energy = 0;  ///< minimised energy
    std::array<double, refine_term_count> terms{};
};

/// Energy and forces of a pose that does not move.
struct PoseForces {
    double energy = 0;
    Vec3 shift_gradient;  ///< dE/d translation, 1/A
    Vec3 turn_gradient;   ///< dE/d angle about the axes through the ligand's centre, 1/radian
};

}  // namespace tessera::kernels
