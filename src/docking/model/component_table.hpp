// What is known of molecules beside proteins: ions, cofactors, sugars and additives of crystals.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "docking/model/atom_table.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::docking {

enum class ComponentKind {
    ion,       ///< kept where it is bound
    cofactor,  ///< kept
    sugar,     ///< kept where it is bonded to the protein
    salt,      ///< an ion of the buffer
    additive,  ///< of the buffer or the cryoprotectant
    water
};

/// A row of data/chemistry/components.csv.
struct Component {
    ComponentKind kind = ComponentKind::additive;
    std::optional<int> charge;  ///< of the molecule in solution, elementary charges, if known
};

/// Components by their residue names in the chemical component dictionary of the PDB.
using ComponentTable = std::map<std::string, Component>;

/// Reads the columns residue, kind and charge; others are ignored. Throws Error with the line
/// number for a malformed row.
ComponentTable parse_components(const io::TextSource& source);

/// The table of the data folder, read once.
const ComponentTable& built_in_components();

/// The atoms of components, data/chemistry/atoms.csv, read once. The rows of CYM are a cysteine
/// that binds a metal.
const AtomTable& built_in_component_atoms();

/// "additive", as in the table.
const char* name_of(ComponentKind kind);

/// Whether an element, in upper case, is a metal that can be an ion.
bool is_metal(const std::string& element);

}  // namespace tessera::docking
