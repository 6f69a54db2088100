// Adds up the densities of several frames, point by point, in the memory of this rank's device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "core/device_operations.hpp"

namespace tessera::orbitals {

/// Sums in host memory, one for each point of a slab. They are kept as bytes, since they only
/// travel between device, journal and other ranks. Copies of the object share them.
struct PointSums {
    std::shared_ptr<std::byte[]> memory;
    std::size_t points = 0;

    PointSums() = default;
    explicit PointSums(std::size_t count)
        : memory(std::make_shared_for_overwrite<std::byte[]>(count * sizeof(SumPair))),
          points(count) {}
    std::span<std::byte> bytes() const { return {memory.get(), points * sizeof(SumPair)}; }
};

class DensitySums {
  public:
    explicit DensitySums(std::unique_ptr<DeviceOperations> device) : device_(std::move(device)) {}
    ~DensitySums();
    DensitySums(const DensitySums&) = delete;
    DensitySums& operator=(const DensitySums&) = delete;

    /// Begins sums of zero. Throws TileFailure if the device has no room for them.
    void begin(std::int64_t points, bool single);
    /// The device's memory for the density of one frame: floats, or doubles if not `single`.
    void* density() const { return density_; }
    /// Adds density() to the sums. Throws TileFailure if the device fails.
    void add();
    /// Copies the sums to host memory. Throws TileFailure if the device fails.
    PointSums finish();

  private:
    void release() noexcept;

    std::unique_ptr<DeviceOperations> device_;
    std::size_t points_ = 0, room_ = 0;  ///< of this tile; of the largest so far
    bool single_ = true;
    void* density_ = nullptr;
    SumPair* sums_ = nullptr;
};

}  // namespace tessera::orbitals
