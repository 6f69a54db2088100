// Finds or makes the conformers of both partners.
#pragma once

#include <string>
#include <vector>

#include "docking/ensemble/ensemble.hpp"
#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// A model of a file and its place there, from 1.
struct ChosenModel {
    int place = 1;
    io::Structure structure;
};

/// A structure file, or the text of one that lies in memory. Its path is then a name for messages.
struct ModelSource {
    std::string partner;  ///< "receptor" or "ligand"
    std::string path, text;
    std::vector<std::string> chains;
    std::string models;  ///< as in EnsembleOptions
};

/// The models that the source asks for: the first one if it names none. Throws Error for a model
/// that the file lacks.
std::vector<ChosenModel> chosen_models(const ModelSource& source);

/// The conformers that the input asks for. Empty without any. Throws Error if conformers of a
/// partner have different atoms, and if there are too many.
Ensemble make_ensemble(const DockInput& input);

/// "ensemble: 5 conformers of the ligand (mode 1 by +1 A, ...), 5 dockings, one consensus". Empty
/// without conformers.
std::vector<std::string> describe(const Ensemble& ensemble);

}  // namespace tessera::docking
