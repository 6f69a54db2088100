// The samples of some rows of a picture, and what lies behind each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/pictures/color.hpp"

namespace tessera::io {

/// Colours are multiplied by the opacity.
struct Seen {
    Color color;
    float opacity = 0;
};

/// Depths grow towards the viewer. Add everything solid before the first layer.
class SampleRows {
  public:
    /// Rows from `first` to before `last`.
    SampleRows(int width, int first, int last);

    int width() const { return width_; }
    int first() const { return first_; }
    int last() const { return last_; }

    bool hides(int x, int y, float depth) const { return solid_[index(x, y)].depth > depth; }
    void add_solid(int x, int y, float depth, Color color);
    /// Something through which one looks. Nothing happens if it is hidden.
    void add_layer(int x, int y, float depth, Color color, float opacity);

    /// All layers of a sample, one behind the other, over what is solid. Layers of equal depth
    /// cover each other in the order in which they came.
    Seen seen(int x, int y) const;

  private:
    struct Solid {
        float depth;
        bool there;
        Color color;
    };
    struct Layer {
        float depth;
        Seen seen;
        std::uint32_t next;  ///< the layer of the same sample that is farther away
    };
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y - first_) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }

    int width_, first_, last_;
    std::vector<Solid> solid_;
    std::vector<std::uint32_t> nearest_;  ///< of each sample: the number of a layer, from 1
    std::vector<Layer> layers_;
};

}  // namespace tessera::io
