// The potential at points on its way from the journal into the result file.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

class PointPotentials {
  public:
    /// `prepared` must outlive the object.
    explicit PointPotentials(const PreparedOrbitals& prepared);

    /// Takes the values of a tile as they are in the journal. Throws Error if some are missing.
    void take(const OrbitalWork& work, std::span<const std::byte> bytes);

    /// Writes /points, unless there are none. Throws Error if a tile is missing.
    void write(io::h5::Group root) const;

  private:
    const PreparedOrbitals& prepared_;
    std::vector<double> values_;  ///< [frame][point]
    std::size_t taken_ = 0;
};

}  // namespace tessera::orbitals
