// A statistical potential: energies of pairs of atoms and of residues by their distance, derived
// from the insides of proteins (potentials/derive_statistical_potential).
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "docking/refinement/near_atoms.hpp"
#include "io/proteins/structure.hpp"
#include "io/text/text_scanner.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Energies in nats, for each pair of kinds and bin of distance.
struct DistanceTable {
    std::map<std::string, int> kinds;  ///< "ALA CB" for atoms, "ALA" for residues
    std::vector<double> ends;          ///< of the bins, Angstrom; the first bin begins at 0
    std::vector<float> energies;       ///< [kind][kind][bin], the same for (a, b) and (b, a)
};

struct StatisticalPotential {
    DistanceTable atoms;     ///< heavy atoms of the twenty amino acids
    DistanceTable residues;  ///< residues where their C-beta is, glycine where its C-alpha is
};

/// Reads a table: a row "atoms,ends,END1,..." and rows "atoms,KIND,KIND,E1,..." in 0.01 nats, and
/// the same for "residues". Throws Error with the line number for a malformed row.
StatisticalPotential parse_statistical_potential(const io::TextSource& source);

/// The table of the data folder, read once.
const StatisticalPotential& statistical_potential();

inline constexpr int statistical_term_count = 4;
inline constexpr std::array<const char*, statistical_term_count> statistical_term_names{
    "atoms_near", "atoms_far", "residues_near", "residues_far"};
/// Where the near terms end and the far ones begin, Angstrom.
inline constexpr double near_atoms_end = 6, near_residues_end = 7;

using StatisticalTerms = std::array<double, statistical_term_count>;

/// Adds up the energies of the pairs between the partners of a pose. Atoms and residues of other
/// kinds are left out.
class StatisticalEnergy {
  public:
    /// Poses turn the ligand about `ligand_center`. The potential must outlive this object.
    StatisticalEnergy(const io::Structure& receptor, const io::Structure& ligand,
                      Vec3 ligand_center, const StatisticalPotential& potential);

    /// Nats, without weights.
    StatisticalTerms terms(const kernels::RigidPose& pose) const;

  private:
    struct Sites {
        std::vector<int> kinds;
        std::vector<Vec3> positions;
    };
    /// The sites of one kind of table in both partners.
    struct Pairs {
        const DistanceTable& table;
        double near_end;  ///< Angstrom
        std::vector<int> receptor_kinds;
        Sites ligand;  ///< about the ligand's centre
        NearAtoms near;
    };
    static Sites atoms_of(const io::Structure& structure, Vec3 center, const DistanceTable& table);
    static Sites residues_of(const io::Structure& structure, Vec3 center,
                             const DistanceTable& table);
    static Pairs pairs(const DistanceTable& table, double near_end, Sites receptor, Sites ligand);
    /// The sums below near_end and above it.
    static std::array<double, 2> sums(const Pairs& pairs, const kernels::RigidPose& pose);

    Pairs atoms_, residues_;
};

}  // namespace tessera::docking
