// Device memory of an evaluator: permanent tables, and one packet in each direction per evaluation.
#pragma once

#include <cstring>
#include <vector>

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels::compressed {

/// Memory that only grows.
template <class Space>
class Bytes {
  public:
    std::byte* get(std::size_t bytes) {
        if (view_.size() < bytes) {
            view_ = {};
            view_ = View(
                Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::likelihood::compressed"),
                bytes + bytes / 4);
        }
        return view_.data();
    }
    template <class T>
    T* get_of(std::size_t count) {
        return reinterpret_cast<T*>(get(count * sizeof(T)));
    }
    auto part(std::size_t bytes) const {
        return Kokkos::subview(view_, std::make_pair(std::size_t{0}, bytes));
    }

  private:
    using View = Kokkos::View<std::byte*, Space>;
    View view_;
};

/// Memory in which the host writes packets to the device and reads packets from it. It is
/// page-locked for GPUs.
template <class Memory>
struct Staging {
    using Space = Kokkos::HostSpace;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct Staging<CudaDevice> {
    using Space = Kokkos::CudaHostPinnedSpace;
};
#endif

/// Places of arrays in a packet. Each starts on a multiple of 256 bytes.
class PacketLayout {
  public:
    std::size_t place(std::size_t bytes) {
        const std::size_t at = size_;
        size_ += (bytes + 255) / 256 * 256;
        return at;
    }
    std::size_t size() const { return size_; }

  private:
    std::size_t size_ = 0;
};

/// Tables that stay for the life of an evaluator.
template <class Memory>
class Tables {
  public:
    template <class T>
    const T* keep(const typename Memory::execution_space& space, const std::vector<T>& values) {
        if (values.empty()) return nullptr;
        auto view = to_device<std::byte, Memory>(space, "tessera::likelihood::compressed_tables",
                                                 reinterpret_cast<const std::byte*>(values.data()),
                                                 values.size() * sizeof(T));
        kept_.push_back(view);
        return reinterpret_cast<const T*>(view.data());
    }

  private:
    std::vector<View1<std::byte, Memory>> kept_;
};

}  // namespace tessera::kernels::compressed
