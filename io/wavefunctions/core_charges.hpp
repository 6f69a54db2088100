// Nuclear charges beside pseudopotentials, which replace core electrons.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// The letters of a symbol, such as "pt" of "Pt1".
std::string element_letters(const std::string& symbol);

/// Sets the core of a nucleus from the number of electrons that are replaced, or that `remain`.
/// Where the nucleus has the remaining charge of a known element, it gets the atomic number.
/// Returns false if the electrons do not fit the nucleus. Ghosts have none.
bool take_core(Nucleus& nucleus, double electrons, bool remain);

/// For formats that give both the charges and the atomic numbers, which the nuclei have: the core
/// of each nucleus becomes what its charge lacks.
void take_charges(Wavefunction& frame, const std::vector<double>& charges);

}  // namespace tessera::io
