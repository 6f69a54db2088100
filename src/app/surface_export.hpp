// tessera export OUT.h5 --mesh DIR | --glb DIR: the isosurfaces of tessera orbital.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

/// "HOMO", or "0003_HOMO" if there are several frames.
std::string file_name(const std::vector<std::int64_t>& frames, std::size_t frame,
                      const std::string& label);

/// A surface of the result: its place there, its frame, its label, and the name of its mesh file.
struct StoredSurface {
    io::h5::Group group;
    std::size_t frame = 0;
    std::string label, name;
};

/// In order of frames. Throws Error if there are none.
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

void write_scenes(const std::vector<StoredScene>& scenes, const orbitals::OrbitalResult& result,
                  const std::string& folder);

}  // namespace tessera::app
