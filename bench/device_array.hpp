// An array in the memory of the device, for benchmarks.
#pragma once

#include <vector>

#include "core/device_operations.hpp"

namespace tessera::bench {

class DeviceArray {
  public:
    DeviceArray(DeviceOperations& device, std::size_t bytes)
        : device_(device), data_(device.allocate(bytes)) {}
    ~DeviceArray() { device_.release(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    template <class T>
    T* as() const {
        return static_cast<T*>(data_);
    }
    template <class T>
    void write(const std::vector<T>& values) const {
        device_.copy(data_, values.data(), values.size() * sizeof(T));
        device_.synchronize();
    }
    template <class T>
    std::vector<T> read(std::size_t count) const {
        std::vector<T> values(count);
        device_.copy(values.data(), data_, count * sizeof(T));
        device_.synchronize();
        return values;
    }

  private:
    DeviceOperations& device_;
    void* data_;
};

}  // namespace tessera::bench
