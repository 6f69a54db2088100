// The device a rank computes on, without a word of Kokkos or CUDA in the interface.
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
    std::string device = "auto";  ///< auto | cuda | openmp | serial
    int node_rank = 0;            ///< rank within the node: binds to GPU node_rank modulo GPUs
    int node_size = 1;            ///< ranks of the node: they share its cores and memory
    int threads = 0;  ///< host threads; 0: OMP_NUM_THREADS, else the rank's share of cores
};

struct DeviceInfo {
    Backend backend = Backend::openmp;
    std::string name;        ///< "NVIDIA H200" or the CPU's model name
    std::string arithmetic;  ///< vector units and libraries: what else the last bits depend on
    int threads = 1;
    std::int64_t memory_bytes = 0;     ///< of the device, or of the host
    std::int64_t available_bytes = 0;  ///< this rank's share of what is free now
};

/// Host memory that the backend's device copies to and from at full speed (pinned where there is a GPU);
/// to be dropped before the DeviceRuntime. Not cleared. Throws std::bad_alloc.
std::shared_ptr<std::byte[]> host_buffer(Backend backend, std::size_t bytes);

/// Why the GPU of this rank, number `node_rank` of its node, cannot be used; nothing where it can, and in
/// builds without CUDA. DeviceRuntime then takes this GPU, whatever number it is told. Kokkos is not started.
std::optional<std::string> device_problem(int node_rank);

/// For tests on hosts: what device_problem() finds.
void pretend_device_problem(const std::string& problem);

/// Starts Kokkos on the chosen device for the life of the object. Throws Error when the device asked
/// for is not there.
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
