// Which samples the shapes of a drawing cover.
#pragma once

#include <cstddef>
#include <span>

#include "io/pictures/drawing.hpp"
#include "io/pictures/sample_rows.hpp"

namespace tessera::io {

/// The rows of samples that a shape may cover, from `first` to before `last`.
struct RowRange {
    double first = 0, last = 0;
};
RowRange rows_of(const Drawing::Ball& ball);
RowRange rows_of(const Drawing::Rod& rod);
RowRange rows_of(const Drawing& drawing, const Drawing::Face& face);

/// A ball, and the side of a rod, as solids.
void paint(SampleRows& rows, const Drawing::Ball& ball);
void paint(SampleRows& rows, const Drawing::Rod& rod);

/// A triangle, solid or as a layer, which is denser where one looks along it. Two triangles that
/// share an edge cover each sample on it once.
void paint(SampleRows& rows, const Drawing& drawing, const Drawing::Face& face);

}  // namespace tessera::io
