// Images in VTK's layout of HDF5 (.vtkhdf), as ParaView and VTK read them.
#pragma once

#include <string>

#include "io/fields/volume.hpp"

namespace tessera::io {

/// Lengths are in Angstrom. Values are single if the volume has it, and else double.
void write_vtkhdf(const std::string& path, const Volume& volume);

/// Whether write_vtkhdf() made a file.
bool is_vtkhdf_export(const std::string& path);

}  // namespace tessera::io
