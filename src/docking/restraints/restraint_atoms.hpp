// Finds the atoms that the selections of restraints mean.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "docking/restraints/distance_restraints.hpp"
#include "docking/restraints/restraint_file.hpp"

namespace tessera::docking {

/// The partners whose atoms restraints name.
struct RestrainedPartners {
    const io::Structure& receptor;
    const io::Structure& ligand;
    Vec3 ligand_center;  ///< Angstrom; of the rotations of the search
};

/// Restraints with their atoms. The selections of a HADDOCK table may come in any order. Adds a
/// warning for each file in which alternatives of an "or" name no atoms. Throws Error with file and
/// line if a selection has no atoms, which names what the structure has, or if both selections are
/// in the same partner, or if a group requires more restraints than it has.
DistanceRestraints find_restraint_atoms(const std::vector<RestraintFile>& files,
                                        const RestrainedPartners& partners,
                                        const RestraintOptions& options,
                                        std::vector<std::string>& warnings);

/// Path and SHA-256 of each file.
using RestraintHashes = std::vector<std::pair<std::string, std::string>>;

/// Reads the files of the options and finds their atoms.
DistanceRestraints read_restraints(const RestraintOptions& options,
                                   const RestrainedPartners& partners, RestraintHashes& hashes,
                                   std::vector<std::string>& warnings);

}  // namespace tessera::docking
