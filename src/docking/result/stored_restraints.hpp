// The distance restraints of a docking as its result holds them.
#pragma once

#include <string>
#include <vector>

#include "docking/restraints/distance_restraints.hpp"

namespace tessera::docking {

/// The restraints without their atoms.
struct StoredRestraints {
    std::vector<RestraintGroup> groups;
    std::vector<std::string> names;    ///< of each restraint
    std::vector<int> group;            ///< of each restraint: index into `groups`
    std::vector<double> lower, upper;  ///< Angstrom, as in the file
    double tolerance = 0;              ///< Angstrom
    double weight = 0;                 ///< of the fraction that is not satisfied

    std::size_t size() const { return names.size(); }
    /// The satisfied fraction.
    double fraction(std::int64_t satisfied) const {
        return static_cast<double>(satisfied) / static_cast<double>(size());
    }
};

}  // namespace tessera::docking
