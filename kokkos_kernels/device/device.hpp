// The device that a rank computes on. The interface uses neither Kokkos nor CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tessera::kernels {

enum class Backend { cuda, openmp, serial };

/// "cuda", "openmp", "serial".
std::string name_of(Backend backend);

struct DeviceRequest {
    std::string device = "auto";  ///< a value of --device
    int node_rank = 0;            ///< rank within the node: takes the devices named in turn
    int node_size = 1;            ///< ranks of the node, which share its memory
    int cores = 0;    ///< the rank's share of cores (core_share()); 0: all that it may run on
    int threads = 0;  ///< host threads; 0: OMP_NUM_THREADS, or else one for each of `cores`
};

struct DeviceInfo {
    Backend backend = Backend::openmp;
    std::string name;        ///< "NVIDIA H200" or the CPU's model name
    std::string arithmetic;  ///< vector units and libraries, on which the last bits depend
    int threads = 1;
    std::int64_t memory_bytes = 0;     ///< of the device or the host
    std::int64_t available_bytes = 0;  ///< this rank's share of the free memory
};

/// Host memory that the backend's device copies to and from at full speed (pinned for a GPU). It is
/// not cleared. It must be freed before the DeviceRuntime. Throws std::bad_alloc.
std::shared_ptr<std::byte[]> host_buffer(Backend backend, std::size_t bytes);

/// Starts Kokkos on the chosen device for the life of the object. Throws Error if the requested
/// device is missing.
class DeviceRuntime {
  public:
    explicit DeviceRuntime(const DeviceRequest& request);
    ~DeviceRuntime();
    DeviceRuntime(const DeviceRuntime&) = delete;
    DeviceRuntime& operator=(const DeviceRuntime&) = delete;

    const DeviceInfo& info() const { return info_; }

  private:
    DeviceInfo info_;
};

}  // namespace tessera::kernels
