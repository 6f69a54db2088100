// The atom records of a PDB or mmCIF text, as they stand there, before any choice is made.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::io {

struct AtomSite {
    std::string name;
    std::string residue;
    std::string chain;
    std::string element;  ///< upper case; empty where the file does not say
    int residue_number = 0;
    char insertion_code = ' ';
    char alternate = ' ';
    bool hetero = false;
    int segment = 0;  ///< rises after TER, with the mmCIF asym id, with the segment id
    double occupancy = 1;
    double b_factor = 0;  ///< Angstrom^2
    Vec3 position;        ///< Angstrom
};

struct AtomSites {
    std::vector<AtomSite> sites;  ///< of the first model that has atoms
    bool more_models = false;
};

/// Reads a text in either format (told apart by content). Throws Error naming the line (PDB) or the
/// atom (mmCIF) that cannot be understood, or whose coordinates are not finite or beyond 10^5 A.
AtomSites read_atom_sites(const std::string& text, const std::string& path);

}  // namespace tessera::io
