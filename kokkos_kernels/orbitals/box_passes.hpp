// The lists of boxes. A pass takes as many boxes as fit into memory.
#pragma once

#include <algorithm>

#include "kokkos_kernels/orbitals/box_lists.hpp"
#include "kokkos_kernels/orbitals/loaded_problem.hpp"

namespace tessera::kernels {

/// The results of BoxLists, and the number of boxes they cover.
struct PassLists {
    int boxes;
    int *lists, *lengths;
    float* threshold;
};

template <class Device>
class BoxPasses {
    using Space = typename Device::execution_space;
    static constexpr int threads = is_host<Device> ? 1 : 128;
    static constexpr std::int64_t entries = std::int64_t{1}
                                            << 26;  ///< numbers in the lists of a pass

  public:
    /// Gets memory for passes over a frame's boxes. What build() writes there stays until the next
    /// build().
    template <class Real>
    PassLists begin(const Space& space, const LoadedProblem<Real, Device>& problem,
                    const TileFrame& where) {
        const int groups = std::max(problem.group_count, 1);
        const int boxes =
            static_cast<int>(std::clamp<std::int64_t>(entries / groups, 1, where.box_count()));
        passes_ = {boxes,
                   lists_.get(space, "tessera::orbitals::lists", std::int64_t{boxes} * groups),
                   lengths_.get(space, "tessera::orbitals::lengths", boxes),
                   threshold_.get(space, "tessera::orbitals::threshold", boxes)};
        return passes_;
    }

    /// Builds the lists of the boxes [first, first + count).
    template <class Shape, class Real>
    void build(const Space& space, const LoadedProblem<Real, Device>& problem,
               const TileFrame& where, int first, int count) const {
        launch_blocks("tessera::orbitals::box_lists", space, count,
                      BoxLists<Shape, threads>{where, problem.thresholds, problem.bounds,
                                               problem.group_count, first, passes_.lists,
                                               passes_.lengths, passes_.threshold});
    }

  private:
    PassLists passes_{};
    Buffer<int, Device> lists_, lengths_;
    Buffer<float, Device> threshold_;
};

}  // namespace tessera::kernels
