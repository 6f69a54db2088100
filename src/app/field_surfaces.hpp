// tessera export OUT.h5 --surface NAME=VALUE: surfaces of any grid of a result.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "app/surface_export.hpp"
#include "io/hdf5/h5.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

/// Which grids become surfaces, at which values, and which parts of them are shown.
class FieldSurfaces {
  public:
    void declare(CLI::App& command);
    bool chosen() const { return !surfaces_.empty(); }
    /// Throws Error if --surface-within has no surface to cut.
    void check() const;

    /// The surfaces, each made when it is read. Their vertices have the values of all other
    /// densities and derived fields of the result. Throws Error if the result lacks a grid that is
    /// named.
    std::vector<StoredSurface> make(const io::h5::Group& root,
                                    const orbitals::OrbitalResult& result) const;

  private:
    std::vector<std::string> surfaces_;  ///< NAME=VALUE as typed
    std::vector<std::string> within_;    ///< NAME=LOW:HIGH as typed
};

}  // namespace tessera::app
