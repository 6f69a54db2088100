// A structure as text for the viewer of a report.
#pragma once

#include <string>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::app {

/// ATOM records in the frame of the input file. `values` holds a number for each residue, which
/// takes the place of the B-factor; the viewer colours by it. Chains with long names get a letter.
std::string pdb_text(const io::Structure& structure, const std::vector<double>& values);

}  // namespace tessera::app
