// tessera export OUT.h5 --render FILE.png: pictures of isosurfaces.
#pragma once

#include <string>
#include <vector>

#include "app/export_rules.hpp"
#include "app/picture_options.hpp"
#include "app/surface_export.hpp"
#include "io/hdf5/h5.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

/// The files of the pictures of surfaces that export names so: "a.png" for one; for several,
/// "a-HOMO.png" and so on.
std::vector<std::string> picture_files(const std::string& path,
                                       const std::vector<std::string>& names);

/// A picture to draw.
struct PlannedPicture {
    std::string path;
    const StoredSurface* surface = nullptr;
};

/// One of each surface that the options choose. Throws Error if they choose none, or if `rules`
/// forbid a file. The surfaces must outlive the pictures.
std::vector<PlannedPicture> plan_pictures(const PictureOptions& options,
                                          const std::vector<StoredSurface>& surfaces,
                                          const orbitals::OrbitalResult& result,
                                          const ExportRules& rules);

/// Draws them from one side, with one scale and one range of colours. Says which files it wrote.
void write_pictures(const PictureOptions& options, const std::vector<PlannedPicture>& pictures,
                    const orbitals::OrbitalResult& result);

}  // namespace tessera::app
