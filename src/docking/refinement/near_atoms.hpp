// Finds the atoms of a receptor near a point.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Angstrom, in the frame of the atoms.
std::vector<Vec3> positions_of(const std::vector<kernels::RefineAtom>& atoms);

/// The space around the atoms is cut into boxes. Each box lists the atoms within reach of a point
/// in the box, so the time for a point grows with the number of atoms near it.
class NearAtoms {
  public:
    /// positions and reach: Angstrom.
    NearAtoms(std::vector<Vec3> positions, double reach);

    /// Calls f(atom, squared distance) for all atoms within reach of the point and for some others,
    /// in a fixed order.
    template <class Function>
    void for_each(Vec3 point, Function f) const;

  private:
    /// The box of a point, or the number of boxes if the point is out of reach of all atoms.
    std::size_t box_of(Vec3 p) const;
    void list_atoms();

    std::vector<Vec3> positions_;
    double reach_ = 0;
    Vec3 low_;
    std::array<int, 3> boxes_{};
    double edge_ = 2;                   ///< Angstrom
    std::vector<std::int64_t> begins_;  ///< where each box begins in atoms_, [boxes + 1]
    std::vector<int> atoms_;
};

template <class Function>
void NearAtoms::for_each(Vec3 point, Function f) const {
    const std::size_t box = box_of(point);
    if (box + 1 == begins_.size()) return;
    for (std::int64_t i = begins_[box]; i < begins_[box + 1]; ++i)
        f(atoms_[i], distance_squared(positions_[atoms_[i]], point));
}

}  // namespace tessera::docking
