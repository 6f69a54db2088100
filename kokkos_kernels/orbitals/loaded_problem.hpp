// A problem in a device's memory.
#pragma once

#include <type_traits>

#include "kokkos_kernels/orbitals/box_lists.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/function_pairs.hpp"

namespace tessera::kernels {

/// What kernels read from the last loaded problem. Memory is kept from one problem to the next.
template <class Real, class Device>
class LoadedProblem {
    using Space = typename Device::execution_space;

  public:
    UniformGrid grid;
    DropThresholds thresholds{0, 0};
    bool large = false;    ///< large tiles
    bool rounded = false;  ///< values are computed in double and returned as float
    int group_count = 0;
    DegreeIndex degrees;
    const DeviceGroup* groups = nullptr;
    GroupBounds bounds{};
    const Real* coefficients = nullptr;  ///< [row][stride]
    std::int64_t stride = 0;
    // Only if products are used:
    const GroupFunctions* functions = nullptr;
    const PairSource* pair_sources = nullptr;  ///< [pair_count]
    const float* row_scale = nullptr;          ///< [row]
    int pair_count = 0;

    /// Throws Error for groups that the kernels cannot evaluate, and TileFailure if memory runs
    /// out.
    void load(const Space& space, const OrbitalProblem& problem, bool products) {
        const PrimitiveTable<Real> table(problem);
        grid = problem.grid;
        rounded = sizeof(Real) == sizeof(double) && !problem.double_precision;
        group_count = static_cast<int>(table.groups.size());
        thresholds = DropThresholds(problem.tolerance, group_count);
        degrees = table.degrees;
        stride = table.stride;
        const Vec3 h = problem.grid.spacing;
        large = h.x * h.y * h.z * LargeTile::points <= tile_volume_limit;
        groups = group_buffer_.upload(space, "tessera::orbitals::groups", table.groups.data(),
                                      table.groups.size());
        coefficients =
            coefficient_buffer_.upload(space, "tessera::orbitals::coefficients",
                                       table.coefficients.get(), table.rows * table.stride);
        bounds = {center_buffer_.upload(space, "tessera::orbitals::centers", table.centers.data(),
                                        table.centers.size()),
                  bound_buffer_.upload(space, "tessera::orbitals::bounds", table.bounds.data(),
                                       table.bounds.size()),
                  table.pitch};
        if constexpr (std::is_same_v<Real, float>)
            if (products) load_functions(space, FunctionPairs(table));
        space.fence("tessera::orbitals: the host table may go away");
    }

  private:
    void load_functions(const Space& space, const FunctionPairs& pairs) {
        functions = function_buffer_.upload(space, "tessera::orbitals::functions",
                                            pairs.groups.data(), pairs.groups.size());
        pair_count = static_cast<int>(pairs.sources.size());
        pair_sources = source_buffer_.upload(space, "tessera::orbitals::pair_sources",
                                             pairs.sources.data(), pairs.sources.size());
        row_scale = scale_buffer_.upload(space, "tessera::orbitals::row_scale",
                                         pairs.row_scale.data(), pairs.row_scale.size());
        space.fence("tessera::orbitals: the host functions may go away");
    }

    Buffer<DeviceGroup, Device> group_buffer_;
    Buffer<Real, Device> coefficient_buffer_;
    Buffer<double, Device> center_buffer_;
    Buffer<float, Device> bound_buffer_, scale_buffer_;
    Buffer<GroupFunctions, Device> function_buffer_;
    Buffer<PairSource, Device> source_buffer_;
};

}  // namespace tessera::kernels
