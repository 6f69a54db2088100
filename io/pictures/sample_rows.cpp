#include "io/pictures/sample_rows.hpp"

#include <limits>

namespace tessera::io {

SampleRows::SampleRows(int width, int first, int last) : width_(width), first_(first), last_(last) {
    const std::size_t samples = index(0, last);
    solid_.assign(samples, {-std::numeric_limits<float>::infinity(), false, {}});
    nearest_.assign(samples, 0);
}

void SampleRows::add_solid(int x, int y, float depth, Color color) {
    if (!hides(x, y, depth)) solid_[index(x, y)] = {depth, true, color};
}

void SampleRows::add_layer(int x, int y, float depth, Color color, float opacity) {
    if (hides(x, y, depth)) return;
    std::uint32_t* place = &nearest_[index(x, y)];
    while (*place != 0 && layers_[*place - 1].depth >= depth) place = &layers_[*place - 1].next;
    const Layer layer{depth, {opacity * color, opacity}, *place};
    *place = static_cast<std::uint32_t>(layers_.size() + 1);
    layers_.push_back(layer);
}

Seen SampleRows::seen(int x, int y) const {
    Seen all;
    const auto put_behind = [&](Seen next) {
        all.color = all.color + (1 - all.opacity) * next.color;
        all.opacity += (1 - all.opacity) * next.opacity;
    };
    const std::size_t sample = index(x, y);
    for (std::uint32_t n = nearest_[sample]; n != 0; n = layers_[n - 1].next)
        put_behind(layers_[n - 1].seen);
    if (solid_[sample].there) put_behind({solid_[sample].color, 1});
    return all;
}

}  // namespace tessera::io
