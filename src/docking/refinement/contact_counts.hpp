// Counts contacts between the atoms of two partners by atom types and distance.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Shells of distance. A shell begins where the shell before it ends, and the first begins at 0.
inline constexpr int contact_shells = 2;
inline constexpr std::array<double, contact_shells> contact_shell_ends{4.5, 6.0};  // Angstrom
inline constexpr std::array<const char*, contact_shells> contact_shell_names{"contact_below_4.5",
                                                                             "contact_below_6"};

/// A symmetric table [types * types] for each shell.
struct ContactTables {
    int types = 0;
    std::array<std::vector<double>, contact_shells> shells;
};

/// Finds the pairs of atoms of a pose whose distance is below 6 Angstrom. The space around the
/// receptor is cut into boxes. Each box lists the receptor atoms within reach of a ligand atom in
/// the box, so the time for a pose grows with its number of contacts.
class ContactCounter {
  public:
    explicit ContactCounter(const kernels::RefineProblem& problem);

    int types() const { return types_; }

    /// Calls f(shell, type of the receptor atom, type of the ligand atom) for every contact, in a
    /// fixed order.
    template <class Function>
    void for_each(const kernels::RigidPose& pose, Function f) const;

    /// The contacts of a pose, [shell][smaller type * types + larger type].
    std::vector<std::int32_t> counts(const kernels::RigidPose& pose) const;

  private:
    /// The box of a point, or the number of boxes if the point is out of reach of all atoms.
    std::size_t box_of(Vec3 p) const;
    void list_atoms();

    std::vector<kernels::RefineAtom> receptor_, ligand_;
    int types_ = 0;
    Vec3 low_;
    std::array<int, 3> boxes_{};
    double edge_ = 2;                   ///< Angstrom
    std::vector<std::int64_t> begins_;  ///< where each box begins in atoms_, [boxes + 1]
    std::vector<int> atoms_;
};

template <class Function>
void ContactCounter::for_each(const kernels::RigidPose& pose, Function f) const {
    const Matrix3 rotation = pose.rotation.matrix();
    const std::size_t none = begins_.size() - 1;
    for (const kernels::RefineAtom& atom : ligand_) {
        const Vec3 p = rotation * atom.position + pose.translation;
        const std::size_t box = box_of(p);
        if (box == none) continue;
        for (std::int64_t i = begins_[box]; i < begins_[box + 1]; ++i) {
            const kernels::RefineAtom& other = receptor_[atoms_[i]];
            const double square = distance_squared(other.position, p);
            for (int shell = 0; shell < contact_shells; ++shell)
                if (square < contact_shell_ends[shell] * contact_shell_ends[shell]) {
                    f(shell, other.type, atom.type);
                    break;
                }
        }
    }
}

}  // namespace tessera::docking
