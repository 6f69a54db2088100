// Options of a docking whose defaults depend on other options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// What was asked for. Everything that is empty follows from the other options.
struct DockChoices {
    std::string coefficients;  ///< names or a file, as parse_coefficient_sets() takes them
    std::optional<double> repulsion, rim, buried_ligand_weight;
    std::optional<std::int64_t> refine;

    /// Fills in what depends on other options, and checks everything. Throws Error for the first
    /// option that is out of its range. `of_table`: the rows of a table give the rest of the input.
    void complete(DockInput& input, bool of_table = false) const;
};

}  // namespace tessera::docking
