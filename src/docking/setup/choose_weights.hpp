// Which table scores the refined poses of a complex.
#pragma once

#include <string>
#include <vector>

#include "docking/antibody/antibody.hpp"
#include "docking/refinement/rescoring.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

struct ChosenWeights {
    RescoringWeights weights;
    std::string message;  ///< why they were chosen; empty if they are those asked for
};

/// The table `asked`. If it is empty, the table for nucleic acids if a partner has nucleotides, or
/// else that for antibodies if there are domains of antibodies that --antibody looks for, and the
/// general one otherwise (docs/method/docking-refinement.md, "Score").
ChosenWeights choose_weights(const std::string& asked, const io::Structure& receptor,
                             const io::Structure& ligand,
                             const std::vector<RecognisedDomain>& antibody,
                             const std::vector<std::string>& type_names);

}  // namespace tessera::docking
