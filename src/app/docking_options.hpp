// The options that all commands have that dock proteins. They set the input, and their defaults are
// the values that it has before.
#pragma once

#include <CLI/CLI.hpp>

#include "docking/setup/dock_choices.hpp"
#include "docking/setup/dock_input.hpp"

namespace tessera::app {

/// Rotations, grid, coefficient sets and pair potential.
void declare_search_options(CLI::App& command, docking::DockInput& input,
                            docking::DockChoices& choices);

/// --poses-per-rotation and --exclusion.
void declare_peak_options(CLI::App& command, docking::DockInput& input);

/// --clusters, --cluster-radius and --clustered-poses.
void declare_cluster_options(CLI::App& command, docking::DockInput& input);

/// What of the files is docked: --plddt, --keep, --drop and --antibody.
void declare_molecule_options(CLI::App& command, docking::DockInput& input);

/// Conformers of the partners, from files or along normal modes.
void declare_ensemble_options(CLI::App& command, docking::EnsembleOptions& ensemble);

/// A membrane that soluble ligands keep out of, and one that the ligand shares.
void declare_membrane_options(CLI::App& command, docking::MembraneOptions& membrane);
void declare_membrane_protein_options(CLI::App& command, docking::MembraneOptions& membrane);

/// The parameters of the energy, in a group of their own.
void declare_energy_options(CLI::App& command, docking::DockInput& input,
                            docking::DockChoices& choices);

}  // namespace tessera::app
