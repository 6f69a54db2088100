// Device memory that is kept from call to call, and pinned host memory that it is copied to.
#pragma once

#include <exception>
#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

/// Memory that only grows.
template <class T, class Device>
class Buffer {
  public:
    T* get(const typename Device::execution_space& space, const char* label, std::size_t size) {
        if (view_.size() < size) try {
                view_ = {};
                view_ = View1<T, Device>(
                    Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)),
                    size);
            } catch (const std::exception&) {
                throw TileFailure(TileFailure::Reason::out_of_memory,
                                  std::string(label) + " of " +
                                      std::to_string(size * sizeof(T) >> 20) + " MiB");
            }
        return view_.data();
    }

    T* upload(const typename Device::execution_space& space, const char* label, const T* from,
              std::size_t size) {
        T* data = get(space, label, size);
        using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
        Kokkos::deep_copy(space, Kokkos::View<T*, Device, Unmanaged>(data, size),
                          Kokkos::View<const T*, Kokkos::HostSpace, Unmanaged>(from, size));
        return data;
    }

    void download(const typename Device::execution_space& space, T* to, std::size_t size) const {
        using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
        Kokkos::deep_copy(space, Kokkos::View<T*, Kokkos::HostSpace, Unmanaged>(to, size),
                          Kokkos::View<const T*, Device, Unmanaged>(view_.data(), size));
    }

  private:
    View1<T, Device> view_;
};

/// Host memory to which a device copies at full speed. It only grows. On a host, the arrays
/// themselves serve.
template <class T>
class PinnedBuffer {
  public:
    /// The first `size` elements of `from`. They are valid after a fence of `space`.
    template <class Device>
    const T* download(const typename Device::execution_space& space, const char* label,
                      const T* from, std::size_t size) {
        if constexpr (is_host<Device>) {
            return from;
        } else {
            if (view_.size() < size) try {
                    view_ = {};
                    view_ = decltype(view_)(
                        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), size);
                } catch (const std::exception&) {
                    throw TileFailure(TileFailure::Reason::out_of_memory,
                                      std::string(label) + " of " +
                                          std::to_string(size * sizeof(T) >> 20) + " MiB");
                }
            using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
            using Pinned = Kokkos::SharedHostPinnedSpace;
            Kokkos::deep_copy(space, Kokkos::View<T*, Pinned, Unmanaged>(view_.data(), size),
                              Kokkos::View<const T*, Device, Unmanaged>(from, size));
            return view_.data();
        }
    }

  private:
    Kokkos::View<T*, Kokkos::SharedHostPinnedSpace> view_;
};

}  // namespace tessera::kernels
