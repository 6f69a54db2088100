// Complexes to write: partners with their positions, and chain names that tell them apart.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::io {

/// One partner of a complex. `positions` in A, one for each atom of `structure`; if empty, the
/// positions of the structure are used.
struct ComplexPart {
    const Structure* structure = nullptr;
    std::vector<Vec3> positions;
    std::string name;  ///< for remarks: "receptor", "ligand"

    /// The position of atom i, Angstrom.
    Vec3 position(std::size_t i) const {
        return positions.empty() ? structure->atoms[i].position : positions[i];
    }
};

/// One model of a file of several models.
struct ComplexModel {
    std::vector<std::string> remarks;
    std::vector<ComplexPart> parts;
};

/// Which chain names a format or a reader can hold.
struct ChainRules {
    std::size_t longest = 1;  ///< characters
    bool blank = true;        ///< whether a chain may have no name
    bool any = true;          ///< whether names may hold other characters than letters and digits
};

/// The chain names of a complex. `names` has one for each (part, chain of its structure); a remark
/// tells of each chain that is renamed.
struct ChainPlan {
    std::map<std::pair<std::size_t, std::string>, std::string> names;
    std::vector<std::string> remarks;
};

/// The chains of a structure, in file order.
std::vector<std::string> chains_of(const Structure& structure);

/// Chains keep their names. A name that an earlier part uses, or that the rules forbid, is replaced
/// by a free letter. Throws Error, which names `path`, if there are no free names left, or if a
/// part has another number of positions than of atoms.
ChainPlan plan_chains(const std::vector<ComplexPart>& parts, const ChainRules& rules,
                      const std::string& path);

}  // namespace tessera::io
