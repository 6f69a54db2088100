// The areas of a wedge under its selection function (docs/method/likelihood.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "likelihood/model/model_values.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

/// A part of an area with all its directions, in which the completeness depends on the direction
/// alone. Without a selection function, an area is one part.
struct SelectedArea {
    io::Area cells;
    std::size_t area = 0;     ///< of the model: 0: the wedge, 1: its first cut ...
    std::vector<double> sky;  ///< [mu][nu] completeness in the middle of the cells; empty: 1
};

/// Parts without stars are left out. The first one is of the wedge, and those of the wedge come
/// first. Throws Error if the selection leaves nothing of the wedge.
std::vector<SelectedArea> selected_areas(const StreamModel& model);

/// How many of the parts belong to the wedge.
int parts_of_wedge(std::span<const SelectedArea> parts);

/// The completeness at a star; 1 without a selection function.
double completeness_at(const StreamModel& model, const StripeAxes& stripe, const Star& star);

/// Throws Error if stars lie where the selection function is 0. `star_file` is named.
void require_selected(const StreamModel& model, std::span<const Star> stars,
                      const std::string& star_file);

/// Throws Error if the file of the selection function has not been read.
void require_loaded(const StreamModel& model);

}  // namespace tessera::likelihood
