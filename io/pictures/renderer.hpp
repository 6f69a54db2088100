// Pictures of drawings.
#pragma once

#include "io/pictures/drawing.hpp"
#include "io/pictures/picture.hpp"

namespace tessera::io {

/// A side of a pixel has so many samples, whose mean it shows.
inline constexpr int samples_of_side = 3;

/// On white, or on nothing. Drawings are in samples. The pixels are the same for any number of
/// threads.
Picture render(const Drawing& drawing, int width, int height, bool transparent);

}  // namespace tessera::io
