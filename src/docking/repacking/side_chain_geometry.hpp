// The chi angles of side chains: which atoms they turn, and how the turned atoms lie.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

inline constexpr int most_chis = 4;

/// The side chain of an amino acid. Chi k (from 0) is the dihedral angle of the atoms k to k + 3 of
/// `chain`, which begins with N.
struct SideChainKind {
    std::string residue;
    std::vector<std::string> chain;
    /// Atoms beyond C-beta, each with the number of chi angles that move it.
    std::vector<std::pair<std::string, int>> moving;
    bool symmetric = false;  ///< its last chi means the same half a turn on

    int chis() const { return static_cast<int>(chain.size()) - 3; }
};

/// The kind of a residue, by its three-letter name. Null for glycine, alanine, proline and all that
/// are no amino acids.
const SideChainKind* side_chain_kind(const std::string& residue);

/// The dihedral angle of four points in degrees, in (-180, 180]. Positive is clockwise, looking
/// from b to c (IUPAC-IUB 1970).
double dihedral_angle(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/// The point p after a turn by `degrees` about the axis from a to b (Rodrigues' formula).
Vec3 turned_about(Vec3 p, Vec3 a, Vec3 b, double degrees);

/// The atoms of one residue: those of SideChainKind::chain, and those of `moving`.
struct SideChainAtoms {
    std::vector<Vec3> chain, moving;
};

/// Its chi angles, degrees.
std::vector<double> chi_angles(const SideChainKind& kind, const SideChainAtoms& atoms);

/// The moving atoms with other chi angles. Lengths of bonds and angles between them stay.
std::vector<Vec3> with_chi_angles(const SideChainKind& kind, const SideChainAtoms& atoms,
                                  const std::vector<double>& chis);

}  // namespace tessera::docking
