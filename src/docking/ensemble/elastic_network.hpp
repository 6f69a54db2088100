// The elastic network of a protein and its softest motions: the anisotropic network model (Atilgan
// et al. 2001) with springs that weaken with the square of the distance (Yang, Song & Jernigan
// 2009).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// Nodes that are farther apart than this have no spring, Angstrom.
inline constexpr double network_cutoff = 15;

/// The energy is the sum over all springs of (1/2) k (length - length at rest)^2, with k =
/// (3.8 A / length at rest)^2. The Hessian is that of the nodes at rest.
class ElasticNetwork {
  public:
    explicit ElasticNetwork(std::vector<Vec3> nodes);

    std::size_t size() const { return nodes_.size(); }
    const std::vector<Vec3>& nodes() const { return nodes_; }

    /// result = Hessian * x for `columns` vectors at once: x and result are [3 * size()][columns].
    void multiply(const std::vector<double>& x, std::size_t columns,
                  std::vector<double>& result) const;

    /// No eigenvalue is above it.
    double bound() const { return bound_; }

  private:
    struct Spring {
        std::size_t other;
        Vec3 direction;  ///< unit vector times the root of k
    };

    std::vector<Vec3> nodes_;
    std::vector<Spring> springs_;      ///< of each node one after another
    std::vector<std::size_t> begins_;  ///< of the springs of each node, [size() + 1]
    double bound_ = 0;
};

/// A motion in which every node takes part.
struct NormalMode {
    double eigenvalue = 0;
    std::vector<Vec3> displacements;  ///< of unit length together; the largest component is > 0
};

/// The translations and rotations of the network as a whole, orthonormal: six, or fewer if all
/// nodes lie on a line. The Hessian takes all of them to 0.
std::vector<std::vector<double>> rigid_motions(const std::vector<Vec3>& nodes);

/// The softest `count` modes that are orthogonal to the rigid motions, softest first. Computed by a
/// block iteration with Chebyshev filters (Zhou & Saad 2007). The bits do not depend on the number
/// of threads. `name` of the network stands in errors. Throws Error if the network has too few
/// nodes, or if it falls into parts that move freely.
std::vector<NormalMode> softest_modes(const std::vector<Vec3>& nodes, std::size_t count,
                                      const std::string& name);

}  // namespace tessera::docking
