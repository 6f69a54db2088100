// How the coordinates of a point stand in its equivalent point.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "likelihood/sample/draw.hpp"

namespace tessera::likelihood {

/// The equivalent of a state on the hill that all chains see.
using ImageOf = std::function<Image(const State&)>;

/// An equivalent point has the coordinates in another order, moved, and some of them turned round.
class ImageTurn {
  public:
    ImageTurn(const Point& at, const ImageOf& image_of);

    /// The equivalent point.
    const Point& image() const { return image_.line; }
    /// Adds to `vector`, which stands at the point, a vector that stands at the equivalent point.
    void add_back(const Point& at_image, Point& vector) const;

  private:
    Image image_;  ///< of a point whose gradient numbers the coordinates
};

/// Whether a point is its own equivalent.
bool is_own_image(const Point& at, const ImageOf& image_of);

}  // namespace tessera::likelihood
