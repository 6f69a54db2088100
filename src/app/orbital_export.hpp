// tessera export OUT.h5 --cube DIR | --dx DIR | --vti DIR | --vtkhdf DIR | --mesh DIR |
// --glb DIR | --render FILE.png, and what tessera info prints about the output of tessera orbital.
#pragma once

#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/export_rules.hpp"
#include "app/field_surfaces.hpp"
#include "app/picture_options.hpp"
#include "app/surface_export.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// The part of `tessera export` that reads the output of `tessera orbital`.
class OrbitalExport {
  public:
    /// Adds its options to the export command.
    void declare(CLI::App& command);
    bool chosen() const;
    /// The file of --render.
    const std::string& picture() const { return picture_.path; }
    /// Throws Error if the result lacks what the options ask for, or if `rules` forbid a file.
    void run(const io::h5::Group& root, const ExportRules& rules) const;

    /// As with --cube `folder`.
    static OrbitalExport to_cubes(const std::string& folder);
    /// As with --render `file`.
    static OrbitalExport to_pictures(const std::string& file, bool quiet);

  private:
    bool writes_volumes() const;
    bool writes_surfaces() const;
    /// Throws Error if options about surfaces have nothing to work on, or exclude each other.
    void check_surfaces() const;
    std::vector<StoredSurface> surfaces_of(const io::h5::Group& root,
                                           const orbitals::OrbitalResult& result) const;

    /// The folder for each of volume_formats; empty: not asked for.
    std::array<std::string, 4> volumes_;
    std::string mesh_, mesh_format_ = "ply", glb_;
    double isovalue_ = 0;  ///< 0: the stored surfaces, if there are any
    FieldSurfaces field_surfaces_;
    SceneColors colors_;
    PictureOptions picture_;
};

/// The cube files of a run that has grids of these orbitals and densities, in `folder`. `frames`
/// are numbers from 1.
std::vector<std::string> cube_files(const std::string& folder,
                                    const std::vector<std::int64_t>& frames,
                                    const std::vector<std::string>& names);

/// The lines of `tessera info`.
std::string describe_orbitals(const io::h5::Group& root);

}  // namespace tessera::app
