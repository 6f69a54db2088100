// The unfiltered atom records of a PDB or mmCIF text.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/file_origin.hpp"

namespace tessera::io {

struct AtomSite {
    std::string name;
    std::string residue;
    std::string chain;
    std::string element;  ///< upper case; empty if the file does not give it
    int residue_number = 0;
    char insertion_code = ' ';
    char alternate = ' ';
    bool hetero = false;
    int segment = 0;  ///< increases after TER and with a new mmCIF asym id or segment id
    double occupancy = 1;
    double b_factor = 0;  ///< Angstrom^2
    Vec3 position;        ///< Angstrom
    /// Its residue's pLDDT in _ma_qa_metric_local, NaN if there is none.
    double plddt = std::numeric_limits<double>::quiet_NaN();
};

struct AtomSites {
    std::vector<AtomSite>
        sites;             ///< sites of one model: the first that has atoms, unless all are read
    int other_models = 0;  ///< number of models that the file has besides it
    FileOrigin origin;
};

/// Which models of a file are read.
enum class Models { first, all };

/// Reads a text in either format, recognised by its content. Throws Error that names the line (PDB)
/// or the atom (mmCIF) if it cannot be understood or its coordinates are not finite or beyond 10^5
/// A.
AtomSites read_atom_sites(const std::string& text, const std::string& path);
/// Reads all models that have atoms, in the order of the file.
std::vector<AtomSites> read_model_sites(const std::string& text, const std::string& path);

}  // namespace tessera::io
