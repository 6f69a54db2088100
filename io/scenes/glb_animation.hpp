// Shows the frames of a glTF scene one after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "io/scenes/gltf_buffer.hpp"

namespace tessera::io {

/// An animation in steps of `seconds`. The node of a frame has scale 1 while it is shown, and else
/// scale 0, with which viewers need not draw it (glTF 2.0, section 3.5.3).
GltfBuffer::Json step_animation(const std::vector<std::size_t>& nodes, double seconds,
                                GltfBuffer& buffer);

}  // namespace tessera::io
