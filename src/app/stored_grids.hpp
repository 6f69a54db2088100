// The grids of a result of tessera orbital, and surfaces that are made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/surface_export.hpp"
#include "io/hdf5/h5.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

/// A grid of the result: its dataset, its index there, its frame, its label, and the name of its
/// files.
struct StoredGrid {
    enum class Quantity { orbital, density, other };

    std::string dataset;
    std::int64_t grid = 0;
    std::size_t frame = 0;
    std::string label;
    std::string name;
    Quantity quantity = Quantity::other;
};

/// All grids, each repeated orbital once.
std::vector<StoredGrid> stored_grids(const io::h5::Group& root,
                                     const orbitals::OrbitalResult& result);

/// Where surfaces lie that are made of grids, unless --isovalue says so: bohr^-3/2 and bohr^-3.
inline constexpr double orbital_isovalue = 0.05, density_isovalue = 0.002;

/// The surfaces of all orbitals and densities among the grids, each made when it is
/// read. `isovalue` is that of orbitals, or without orbitals of densities; 0: the
/// default. Throws Error if there are none.
std::vector<StoredSurface> surfaces_of_grids(const io::h5::Group& root,
                                             const orbitals::OrbitalResult& result,
                                             double isovalue);

}  // namespace tessera::app
