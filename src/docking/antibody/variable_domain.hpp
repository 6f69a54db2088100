// Variable domains of antibodies in a sequence.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "docking/antibody/antibody_profile.hpp"

namespace tessera::docking {

/// Chains without such a domain score below 2 nats, domains above 98 (188 complexes, each with
/// profiles that have not seen it).
inline constexpr double least_domain_score = 40;

/// A variable domain: the letters from `begin` on, with their IMGT positions.
struct VariableDomain {
    std::string kind;  ///< name of the profile that fits best
    double score = 0;  ///< nats
    std::size_t begin = 0;
    std::vector<int> positions;  ///< ascending; more letters than places repeat a position

    std::size_t end() const { return begin + positions.size(); }
};

/// All domains of a sequence of one-letter codes, in their order. They do not overlap. A sequence
/// of n letters takes about 400 n operations for each profile.
std::vector<VariableDomain> find_variable_domains(const std::string& sequence,
                                                  const std::vector<AntibodyProfile>& profiles);

}  // namespace tessera::docking
