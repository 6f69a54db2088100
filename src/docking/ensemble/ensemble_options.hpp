// Which conformers of the partners are docked.
#pragma once

#include <string>
#include <vector>

namespace tessera::docking {

/// The largest number of conformers of a partner, and of pairs of conformers.
inline constexpr int most_conformers = 100;
inline constexpr int most_combinations = 400;

struct EnsembleOptions {
    std::string receptor_models, ligand_models;  ///< as parse_models() takes them; empty: the first
    std::vector<std::string> receptor_files, ligand_files;  ///< with more conformers
    int conformers = 1;  ///< along normal modes, of the partner with fewer atoms
    int receptor_conformers = 1, ligand_conformers = 1;
    double rmsd = 1.0;  ///< C-alpha RMSD of these from the input, Angstrom

    /// Whether a partner may have several conformers, or another one than the first model.
    bool is_set() const {
        return !receptor_models.empty() || !ligand_models.empty() || !receptor_files.empty() ||
               !ligand_files.empty() || has_modes();
    }
    bool has_modes() const {
        return conformers > 1 || receptor_conformers > 1 || ligand_conformers > 1;
    }
};

/// Models of a file by their places in it, from 1. Each once, in the order in which they are named.
struct ModelChoice {
    bool all = false;
    std::vector<int> places;
};

/// Reads "all", or numbers and ranges such as "1,3-5". `option` is named in errors.
ModelChoice parse_models(const std::string& option, const std::string& text);

/// Throws Error for values out of range and for options that exclude each other.
void validate(const EnsembleOptions& options);

}  // namespace tessera::docking
