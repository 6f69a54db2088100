// Whole runs of the program in memory: docking, fit and simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/run/dock_alone.hpp"
#include "likelihood/fit/fit_choices.hpp"
#include "likelihood/model/input.hpp"
#include "likelihood/simulate/simulate.hpp"
#include "likelihood_model.hpp"

namespace tessera::python {

/// Docks. `options`: JSON as docking::input_of_options() takes it. Throws Error as `tessera dock`
/// does.
engine::ResultWriter dock(const std::string& options, double memory_gib);

/// Fits. `stars` are those of each wedge; the star file of `input` is read where there are none.
/// Throws Error as `tessera fit` does.
engine::ResultWriter fit(likelihood::LikelihoodInput input, const std::vector<StarRows>& stars,
                         const likelihood::FitChoices& choices);

/// Draws stars from the model of the file `parameters`. Throws Error as `tessera simulate` does.
std::vector<likelihood::SimulatedStar> simulate(const io::StreamModel& model,
                                                const std::string& parameters, std::int64_t number,
                                                std::uint64_t seed);

}  // namespace tessera::python
