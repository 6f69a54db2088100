// Values that are computed in double precision and delivered in single.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/large_pages.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/grid_output.hpp"

namespace tessera::kernels {

template <class Real>
struct RoundValues {
    const Real* from;
    float* to;
    KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = static_cast<float>(from[i]); }
};

template <class Real, class Device>
class RoundedOutput {
    using Space = typename Device::execution_space;

  public:
    /// Computes grids of `points` values in batches that fit into memory, and rounds them into
    /// `out` [item][points], in host or device memory. run(items, to) computes a batch into the
    /// device's memory and returns a sum for each item.
    template <class Item, class Run>
    std::vector<CompensatedSum<double>> run(const Space& space, Buffer<Real, Device>& buffer,
                                            std::int64_t points, std::span<const Item> items,
                                            float* out, const Run& compute) {
        const bool in_place = is_host<Device> || on_device(out);
        const auto count = static_cast<std::int64_t>(items.size());
        const std::int64_t batch = grids_at_once<Real>(count, points);
        std::vector<CompensatedSum<double>> sums;
        for (std::int64_t first = 0; first < count; first += batch) {
            const auto some = items.subspan(first, std::min(batch, count - first));
            Real* wide = buffer.get(space, "tessera::orbitals::values", std::ssize(some) * points);
            if constexpr (is_host<Device>)
                prefer_large_pages(wide, some.size() * sizeof(Real) * points);
            const auto parts = compute(some, wide);
            sums.insert(sums.end(), parts.begin(), parts.end());
            deliver(space, wide, out + first * points, std::ssize(some) * points, in_place);
        }
        return sums;
    }

  private:
    void deliver(const Space& space, const Real* wide, float* out, std::int64_t size,
                 bool in_place) {
        float* const to = in_place ? out : rounded_.get(space, "tessera::orbitals::rounded", size);
        Kokkos::parallel_for(
            "tessera::orbitals::round_values",
            Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, size),
            RoundValues<Real>{wide, to});
        if (!in_place) rounded_.download(space, out, size);
        space.fence("tessera::orbitals: rounded values are read");
    }

    Buffer<float, Device> rounded_;
};

}  // namespace tessera::kernels
