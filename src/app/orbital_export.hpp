// tessera export OUT.h5 --cube DIR | --dx DIR | --mesh DIR, and what tessera info prints about the
// output of tessera orbital.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/export_rules.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// The part of `tessera export` that reads the output of `tessera orbital`.
class OrbitalExport {
  public:
    /// Adds its options to the export command.
    void declare(CLI::App& command);
    bool chosen() const { return !cube_.empty() || !dx_.empty() || !mesh_.empty(); }
    /// Throws Error if the result lacks what the options ask for, or if `rules` forbid a file.
    void run(const io::h5::Group& root, const ExportRules& rules) const;

  private:
    std::string cube_, dx_, mesh_, mesh_format_ = "ply";
};

/// The lines of `tessera info`.
std::string describe_orbitals(const io::h5::Group& root);

}  // namespace tessera::app
