// Measures seconds by the wall clock. If one thread does all the work, it measures that thread's
// CPU time instead, which excludes other programs on a shared machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::bench {

class Stopwatch {
  public:
    explicit Stopwatch(const kernels::DeviceInfo& device)
        : of_cpu_(device.backend != kernels::Backend::cuda && device.threads == 1), start_(now()) {}

    double seconds() const { return now() - start_; }

  private:
    double now() const {
        if (of_cpu_) {
            std::timespec time{};
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
            return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }

    bool of_cpu_;
    double start_;
};

/// Of that many calls of work().
template <class Work>
double least_seconds(const kernels::DeviceInfo& device, int repeats, Work&& work) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i) {
        const Stopwatch watch(device);
        work();
        least = std::min(least, watch.seconds());
    }
    return least;
}

}  // namespace tessera::bench
