// Orbitals and densities of one frame of a wavefunction file, on grids and at points.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "orbitals/tiles/surface.hpp"

namespace tessera::python {

class OrbitalEvaluation {
  public:
    /// Reads frame `frame` (from 1) of the file. Throws Error as `tessera orbital` does.
    OrbitalEvaluation(const std::string& path, int frame, bool double_precision, double tolerance,
                      bool repair_norms);

    const io::Wavefunction& wavefunction() const { return read_.frames[0].wavefunction; }
    /// The warnings of `tessera orbital` about the file.
    std::vector<std::string> warnings() const;

    /// The grid around all nuclei. Lengths are in bohr.
    UniformGrid grid_around(Vec3 spacing, double padding) const;
    /// Positions in the file, from 0, of the orbitals of a list such as "HOMO,LUMO+1,3b".
    std::vector<int> find(const std::string& list) const;

    /// Values [orbital, z, y, x] of the orbitals of a list, in `out`: float, or double if double
    /// precision was chosen. They have the bits of `tessera orbital`.
    void orbitals_on_grid(const std::string& list, const UniformGrid& grid, std::byte* out);
    /// The density [z, y, x], or the spin density, likewise. The bits are those of a run without
    /// orbitals: the number of rows that are loaded together decides some of them.
    void density_on_grid(bool of_spin, const UniformGrid& grid, std::byte* out);

    /// The surfaces +isovalue and -isovalue (bohr^-3/2) of one orbital, with the bits of `tessera
    /// orbital --isosurface`.
    orbitals::SurfaceMesh isosurface(const std::string& orbital, double isovalue,
                                     const UniformGrid& grid);

    /// Values [orbital, point] at points x, y, z in bohr, in double precision without screening.
    void orbitals_at(const std::string& list, std::span<const double> points,
                     std::span<double> out) const;
    void density_at(bool of_spin, std::span<const double> points, std::span<double> out) const;

  private:
    orbitals::PreparedOrbitals prepared_for(orbitals::OrbitalInput input,
                                            const UniformGrid& grid) const;
    void load(const orbitals::PreparedOrbitals& prepared, const std::vector<int>& rows);
    std::size_t value_bytes() const { return input_.double_precision ? 8 : 4; }

    orbitals::OrbitalInput input_;
    orbitals::FramesRead read_;
    std::vector<std::string> messages_;
    std::shared_ptr<kernels::OrbitalEvaluator> evaluator_;
};

}  // namespace tessera::python
