// Measures the time of kernels without waiting for them in between.
#pragma once

#include <chrono>
#include <vector>

#include "kokkos_kernels/device/block_launch.hpp"

namespace tessera::kernels {

/// begin() and end() bracket launches. After the caller has waited for the device, collect() adds
/// up.
template <class Device>
class KernelClock {
    using Space = typename Device::execution_space;
    using Time = std::chrono::steady_clock;

  public:
    void begin(const Space& space) {
        space.fence("tessera::orbitals: the host's clock starts");
        start_ = Time::now();
    }
    void end(const Space& space) {
        space.fence("tessera::orbitals: the host's clock stops");
        seconds_ += std::chrono::duration<double>(Time::now() - start_).count();
    }
    void collect() {}
    double seconds() const { return seconds_; }

  private:
    Time::time_point start_;
    double seconds_ = 0;
};

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)

template <>
class KernelClock<CudaDevice> {
  public:
    KernelClock() = default;
    KernelClock(const KernelClock&) = delete;
    KernelClock& operator=(const KernelClock&) = delete;
    ~KernelClock() {
        for (cudaEvent_t event : events_) cudaEventDestroy(event);
    }

    void begin(const Kokkos::Cuda& space) { record(space); }
    void end(const Kokkos::Cuda& space) { record(space); }

    void collect() {
        for (std::size_t i = 0; i + 1 < used_; i += 2) {
            float milliseconds = 0;
            check_launch(cudaEventElapsedTime(&milliseconds, events_[i], events_[i + 1]),
                         "tessera::orbitals: kernel clock");
            seconds_ += milliseconds * 1e-3;
        }
        used_ = 0;
    }
    double seconds() const { return seconds_; }

  private:
    void record(const Kokkos::Cuda& space) {
        if (used_ == events_.size()) {
            events_.emplace_back();
            check_launch(cudaEventCreate(&events_.back()), "tessera::orbitals: kernel clock");
        }
        cudaEventRecord(events_[used_++], space.cuda_stream());
    }

    std::vector<cudaEvent_t> events_;
    std::size_t used_ = 0;
    double seconds_ = 0;
};

#endif

}  // namespace tessera::kernels
