// Where kernels write the grids of a call, and how those get to the caller.
#pragma once

#include <algorithm>
#include <cstring>

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/padded_rows.hpp"

namespace tessera::kernels {

/// Whether `pointer` is of a CUDA device's memory. Of its own in every source file: not all are CUDA's.
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

/// Grids of `points` numbers that are computed at once, if all do not fit: about a GiB.
template <class Real>
int grids_at_once(std::int64_t grids, std::int64_t points) {
    constexpr std::int64_t bytes = std::int64_t{1} << 30;
    return static_cast<int>(std::clamp<std::int64_t>(
        bytes / (points * static_cast<std::int64_t>(sizeof(Real))), 1, grids));
}

/// The grids of one call. Dense rows are written in place where the device reaches `out`, else they go
/// through a buffer; padded rows always do, and are made dense by the copy.
template <class Real, class Device, bool Padded>
class GridOutput {
    using Space = typename Device::execution_space;

  public:
    /// `out` [grid][z][y][x], of the host or the device, or null.
    GridOutput(const Space& space, Buffer<Real, Device>& buffer, const GridBlock& block, int grids,
               Real* out)
        : space_(space), buffer_(buffer), block_(block), out_(out) {
        const bool near = out == nullptr || is_host<Device> || on_device(out);
        batch_ = near ? grids : grids_at_once<Real>(grids, stored());
        if (out != nullptr && (Padded || !near))
            staged_ = buffer.get(space, "tessera::orbitals::values", batch_ * stored());
    }

    int batch() const { return batch_; }

    /// Of the batch that begins with grid `first`; null where no values are asked for.
    Real* grids(int first) const {
        return staged_ != nullptr || out_ == nullptr ? staged_ : out_ + first * block_.size();
    }

    /// Copies the batch's grids to the caller, after the work that the space has been given.
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
        if constexpr (!is_host<Device>) {
            check_launch(cudaMemcpy2DAsync(to, width, from, rows.pitch * sizeof(Real), width,
                                           height, cudaMemcpyDefault, space_.cuda_stream()),
                         "tessera::orbitals: the copy of rows");
            return;
        }
#endif
        for (std::int64_t row = 0; row < height; ++row)
            std::memcpy(to + row * block_.shape[0], from + row * rows.pitch, width);
    }

    const Space& space_;
    const Buffer<Real, Device>& buffer_;
    const GridBlock block_;
    Real* const out_;
    Real* staged_ = nullptr;
    int batch_ = 0;
};

}  // namespace tessera::kernels
