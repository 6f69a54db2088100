// Counts contacts between the atoms of two partners by atom types and distance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "docking/refinement/near_atoms.hpp"
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

/// Types of the atoms by which contacts are counted, where the pair potential has others.
struct ContactTypes {
    int types = 0;
    std::vector<int> receptor, ligand;  ///< of each atom; empty: those of the potential
};

/// Finds the pairs of atoms of a pose whose distance is below 6 Angstrom.
class ContactCounter {
  public:
    explicit ContactCounter(const kernels::RefineProblem& problem, const ContactTypes& types = {});

    int types() const { return types_; }

    /// Calls f(shell, receptor atom, ligand atom) for every contact, in a fixed order.
    template <class Function>
    void for_each_pair(const kernels::RigidPose& pose, Function f) const;

    /// Calls f(shell, type of the receptor atom, type of the ligand atom) in the same order.
    template <class Function>
    void for_each(const kernels::RigidPose& pose, Function f) const;

    /// The contacts of a pose, [shell][smaller type * types + larger type].
    std::vector<std::int32_t> counts(const kernels::RigidPose& pose) const;

  private:
    std::vector<kernels::RefineAtom> receptor_, ligand_;
    int types_ = 0;
    NearAtoms near_;
};

template <class Function>
void ContactCounter::for_each_pair(const kernels::RigidPose& pose, Function f) const {
    const Matrix3 rotation = pose.rotation.matrix();
    for (std::size_t j = 0; j < ligand_.size(); ++j)
        near_.for_each(rotation * ligand_[j].position + pose.translation,
                       [&](std::size_t i, double square) {
                           int shell = 0;
                           for (const double end : contact_shell_ends) {
                               if (square < end * end) return f(shell, i, j);
                               ++shell;
                           }
                       });
}

template <class Function>
void ContactCounter::for_each(const kernels::RigidPose& pose, Function f) const {
    for_each_pair(pose, [&](int shell, std::size_t i, std::size_t j) {
        f(shell, receptor_[i].type, ligand_[j].type);
    });
}

}  // namespace tessera::docking
