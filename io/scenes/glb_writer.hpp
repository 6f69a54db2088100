// Molecules with surfaces as binary glTF 2.0 (.glb), for viewers, Blender, browsers and slides.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "io/fields/mesh_writer.hpp"
#include "io/scenes/glb_meshes.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

struct SceneFrame {
    std::string name;
    std::vector<Nucleus> nuclei;
    Mesh surface;
    VertexColors colors;  ///< empty: by lobe
};

struct Scene {
    std::string title, surface;  ///< `surface`: its name
    std::size_t frames = 0;
    std::function<SceneFrame(std::size_t)> frame;  ///< called once for each frame, in order
};

/// How long an animation shows each frame.
inline constexpr double seconds_of_frame = 0.1;

/// A node for each frame with the lobes of its surface, its atoms and bonds. All atoms share one
/// ball and all bonds one rod. An animation shows one frame after the other; without it the first
/// frame is seen. Vertices that have colours also have their values, as _VALUE. One unit of length
/// (in glTF a metre) is 1 Angstrom, so that the scene lies where PLY and OBJ files lie. Throws
/// Error if the surface is damaged or the file would exceed 4 GiB.
void write_glb(const std::string& path, const Scene& scene);

/// Whether write_glb() made a file.
bool is_glb_export(const std::string& path);

}  // namespace tessera::io
