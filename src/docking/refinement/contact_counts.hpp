// Contacts between the atoms of two partners, by types and distance.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Shells of distance: shell s reaches from the end of the one before (0 for the first) to its own.
inline constexpr int contact_shells = 2;
inline constexpr std::array<double, contact_shells> contact_shell_ends{4.5, 6.0};  // Angstrom
inline constexpr std::array<const char*, contact_shells> contact_shell_names{"contact_below_4.5",
                                                                             "contact_below_6"};

/// A symmetric table a shell, [types * types].
struct ContactTables {
    int types = 0;
    std::array<std::vector<double>, contact_shells> shells;
};

/// Finds the pairs of a pose whose distance is below 6 Angstrom. The receptor lies in boxes that list
/// the atoms which a ligand atom inside can reach, so that a pose costs little more than its contacts.
class ContactCounter {
  public:
    explicit ContactCounter(const kernels::RefineProblem& problem);

    int types() const { return types_; }

    /// Calls f(shell, type of the receptor atom, type of the ligand atom) for every contact, always in
    /// the same order.
    template <class Function>
    void for_each(const kernels::RigidPose& pose, Function f) const;

    /// Contacts [shell][smaller type * types + larger type] of a pose.
    std::vector<std::int32_t> counts(const kernels::RigidPose& pose) const;

  private:
    /// Box of a point, or none (the number of boxes) for points that reach no atom.
    std::size_t box_of(Vec3 p) const;
    void list_atoms();

    std::vector<kernels::RefineAtom> receptor_, ligand_;
    int types_ = 0;
    Vec3 low_;
    std::array<int, 3> boxes_{};
    double edge_ = 2;                   ///< Angstrom
    std::vector<std::int64_t> begins_;  ///< of each box in atoms_, [boxes + 1]
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
