// Reads the structures of a docking and leaves out their residues of low confidence.
#pragma once

#include <string>
#include <vector>

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Reads a structure from memory or, if `text` is empty, from its file.
io::Structure structure_of(const std::string& path, const std::string& text,
                           const std::vector<std::string>& chains = {});

/// Reads both partners and cuts them as the input says. Takes the receptor from `former`, with what
/// is known of it, if it is the same. Returns whether it did.
bool read_structures(PreparedDocking& prepared, const DockInput& input,
                     const PreparedDocking* former);

/// Reads both partners, or takes those that are stored, and cuts them as they were docked.
void read_structures(PreparedDocking& prepared, const DockInput& input,
                     const StoredStructures& stored);

/// Takes the receptor of another preparation, with what is known of it.
void take_receptor(PreparedDocking& prepared, const PreparedDocking& former);

}  // namespace tessera::docking
