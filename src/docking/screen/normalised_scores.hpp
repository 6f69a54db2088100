// Scores of pairs, compared with those of other partners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::docking {

/// A pair among the other pairs of its receptor and of its ligand.
struct NormalisedScore {
    double receptor_z = 0;   ///< standard score among the ligands of its receptor
    double ligand_z = 0;     ///< standard score among the receptors of its ligand
    double interaction = 0;  ///< mean of the two
    std::int64_t rank = 0;   ///< among the ligands of its receptor by `interaction`, from 1
};

/// `scores`: [receptor * ligands + ligand], higher for likelier partners, nothing for pairs without
/// a result. They stay without a result, and do not count among the others. A standard score is
/// (score - mean) / deviation over the pairs that have a score, and 0 if these are all equal. Ties
/// go to the earlier ligand. The order of operations depends on the table alone.
std::vector<std::optional<NormalisedScore>>
normalised_scores(const std::vector<std::optional<double>>& scores, std::size_t ligands);

}  // namespace tessera::docking
