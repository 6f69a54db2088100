// Conformers of a partner from other models and other files.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Where a model of a file has the atoms of a partner.
struct NamedModel {
    std::string name;  ///< "model 2 of 'x.pdb'"
    const io::Structure& structure;
};

/// The positions of all atoms of `whole` in another model, which is superposed on it by the C-alpha
/// atoms, and the C1' atoms of nucleotides. `first` is the model that `whole` was made of. Throws
/// Error if the model has other atoms. `partner` is named there.
std::vector<Vec3> positions_in(const NamedModel& model, const io::Structure& first,
                               const io::Structure& whole, const std::string& partner);

}  // namespace tessera::docking
