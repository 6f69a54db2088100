// tessera export OUT.h5 --mesh DIR | --glb DIR: the isosurfaces of tessera orbital.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/fields/mesh_writer.hpp"
#include "io/hdf5/h5.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

/// "HOMO", or "0003_HOMO" if there are several frames.
std::string file_name(const std::vector<std::int64_t>& frames, std::size_t frame,
                      const std::string& label);

/// A surface of the result: what reads or makes it, its frame, its label, and the name of its mesh
/// file.
struct StoredSurface {
    std::function<io::Mesh()> mesh;
    std::size_t frame = 0;
    std::string label, name;
    double level = 0;  ///< of a surface that is made of a grid
};

/// The surfaces that the run has stored, in order of frames.
std::vector<StoredSurface> stored_surfaces(const io::h5::Group& root,
                                           const orbitals::OrbitalResult& result);

/// `format`: "ply" or "obj".
void write_meshes(const std::vector<StoredSurface>& surfaces, const std::string& folder,
                  const std::string& format);

/// The surfaces of one label in all frames, which one file shows.
struct StoredScene {
    std::string name;  ///< the label
    std::vector<const StoredSurface*> surfaces;
};
/// `surfaces` must outlive the scenes.
std::vector<StoredScene> scenes_of(const std::vector<StoredSurface>& surfaces);

/// The colours of scenes: --glb-color FIELD|lobes --glb-range V.
struct SceneColors {
    std::string field;  ///< empty: esp if there is one, or the first, or the lobes
    double range = 0;   ///< the value of the darkest colour; 0: as the values need it

    void declare(CLI::App& command);
};

/// Writes DIR/NAME.glb, and says what the colours mean. Throws Error if a surface lacks the field.
void write_scenes(const std::vector<StoredScene>& scenes, const orbitals::OrbitalResult& result,
                  const std::string& folder, const SceneColors& colors);

}  // namespace tessera::app
