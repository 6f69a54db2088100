// Scripts that show exported clusters in PyMOL and ChimeraX.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::app {

/// The exported models of the centres of clusters, best first.
struct ShownClusters {
    std::string title;
    std::vector<std::string> files;  ///< one for each cluster, or one for all
    std::size_t clusters = 0;
    std::vector<std::string> receptor_chains, ligand_chains;  ///< letters and digits
};

/// A script at `path` opens the receptor in grey and the ligand of each cluster in a colour of its
/// own, and shows the residues within 5 A of the other partner as sticks. It finds the files
/// relative to its own folder. Throws Error if the script cannot be written.
void write_pymol_script(const std::string& path, const ShownClusters& shown);
void write_chimerax_script(const std::string& path, const ShownClusters& shown);

}  // namespace tessera::app
