// Combinations of densities or of orbitals of one or several files, as a user writes them.
#pragma once

#include <string>
#include <vector>

#include "orbitals/selection/orbital_list.hpp"

namespace tessera::orbitals {

/// A file beside those of the run, with the name by which expressions call it.
struct NamedFile {
    std::string name, path;
};

/// factor * psi. A source is the name of a file, the number of a frame, or empty for the frame that
/// is computed.
struct OrbitalTerm {
    double factor = 1;
    std::string source;
    OrbitalRequest orbital;
};

/// factor * (density, spin density or transition density).
struct DensityTerm {
    enum class Kind { all, spin, transition };
    double factor = 1;
    std::string source;
    Kind kind = Kind::all;
};

/// factor * (sum of some orbitals) * (sum of others), which is a density.
struct ProductTerm {
    double factor = 1;
    std::vector<OrbitalTerm> first, second;
};

/// An expression, multiplied out: a sum of orbitals, or a sum of densities and products.
struct Combination {
    std::string name;        ///< in the file
    std::string expression;  ///< as typed
    std::vector<OrbitalTerm> orbitals;
    std::vector<DensityTerm> densities;
    std::vector<ProductTerm> products;
    int axis = -1;  ///< of a gradient of orbitals: 0, 1, 2; -1: the orbitals themselves

    bool of_orbitals() const { return !orbitals.empty(); }
    /// bohr^-3/2, or bohr^-5/2 for gradients, or bohr^-3
    const char* units() const {
        return !of_orbitals() ? "bohr^-3" : axis < 0 ? "bohr^-3/2" : "bohr^-5/2";
    }
};

/// The largest size of a factor, those of products multiplied out.
double largest_factor(const Combination& combination);

/// All sources that a combination names, each once, in the order of the expression.
std::vector<std::string> sources_of(const Combination& combination);
/// Whether a source is the number of a frame.
bool is_frame_number(const std::string& source);

/// Reads "NAME = EXPRESSION" for each text. Without NAME it is combination, combination_2, and so
/// on. An expression has density, spin_density, transition_density and orbital(HOMO), with a source
/// in the first place as in density(b) or orbital(b, HOMO), numbers, + - * / and parentheses, and
/// gradient_x(...), gradient_y and gradient_z of a sum of orbitals. Throws Error naming what is
/// wrong, also if a name is given twice.
std::vector<Combination> parse_combinations(const std::vector<std::string>& texts);

/// Reads "NAME=FILE" for each text. Throws Error if a name is not a word, or is given twice.
std::vector<NamedFile> parse_named_files(const std::vector<std::string>& texts);

}  // namespace tessera::orbitals
