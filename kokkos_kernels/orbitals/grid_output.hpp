// Where kernels write the grids of a call, and how the grids get to the caller.
#pragma once

#include <algorithm>
#include <cstring>

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/padded_rows.hpp"

namespace tessera::kernels {

/// Whether `pointer` points to memory of a CUDA device. It is static, because not all source files
/// that include it are compiled as CUDA.
static inline bool on_device([[maybe_unused]] const void* pointer) {
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    return attributes.type == cudaMemoryTypeDevice;
#else
    return false;
#endif
}

/// How many grids of `points` numbers are computed at once if not all fit: about a GiB.
template <class Real>
int grids_at_once(std::int64_t grids, std::int64_t points) {
    constexpr std::int64_t bytes = std::int64_t{1} << 30;
    return static_cast<int>(std::clamp<std::int64_t>(
        bytes / (points * static_cast<std::int64_t>(sizeof(Real))), 1, grids));
}

/// The grids of one call. Dense rows are written in place if the device reaches `out`, and
/// otherwise go through a buffer. Padded rows always use the buffer, and the copy makes them dense.
template <class Real, class Device, bool Padded>
class GridOutput {
    using Space = typename Device::execution_space;

  public:
    /// `out` is [grid][z][y][x] in host or device memory, or null.
    GridOutput(const Space& space, Buffer<Real, Device>& buffer, const PointBlock& block, int grids,
               Real* out)
        : space_(space), buffer_(buffer), block_(block), out_(out) {
        const bool near = out == nullptr || is_host<Device> || on_device(out);
        batch_ = near ? grids : grids_at_once<Real>(grids, stored());
        if (out != nullptr && (Padded || !near))
            staged_ = buffer.get(space, "tessera::orbitals::values", batch_ * stored());
    }

    int batch() const { return batch_; }

    /// Memory for the batch that begins with grid `first`, or null if no values are requested.
    Real* grids(int first) const {
        return staged_ != nullptr || out_ == nullptr ? staged_ : out_ + first * block_.size();
    }

    /// Copies the batch's grids to the caller, after the work that is already queued on the space.
    void deliver(int first, int count) const {
        if (staged_ == nullptr) return;
        Real* to = out_ + first * block_.size();
        if constexpr (Padded)
            copy_rows(to, count);
        else
            buffer_.download(space_, to, count * block_.size());
    }

  private:
    std::int64_t stored() const { return Padded ? PaddedRows(block_).size(block_) : block_.size(); }

    void copy_rows(Real* to, int count) const {
        const PaddedRows rows(block_);
        const std::size_t width = block_.shape[0] * sizeof(Real);
        const std::int64_t height = count * block_.shape[1] * block_.shape[2];
        const Real* from = staged_ + (block_.begin[0] - rows.begin);
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
        if constexpr (!is_host<Device>)
            check_launch(cudaMemcpy2DAsync(to, width, from, rows.pitch * sizeof(Real), width,
                                           height, cudaMemcpyDefault, space_.cuda_stream()),
                         "tessera::orbitals: the copy of rows");
        else
#endif
            for (std::int64_t row = 0; row < height; ++row)
                std::memcpy(to + row * block_.shape[0], from + row * rows.pitch, width);
    }

    const Space& space_;
    const Buffer<Real, Device>& buffer_;
    const PointBlock block_;
    Real* const out_;
    Real* staged_ = nullptr;
    int batch_ = 0;
};

}  // namespace tessera::kernels
