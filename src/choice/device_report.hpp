// What `tessera devices --json` of a build says.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::choice {

struct GpuReport {
    int number = 0;
    std::string name;     ///< a value of --device, "cuda:0"
    std::string model;    ///< "NVIDIA H200"
    std::string why_not;  ///< why the build cannot use it, or empty
};

struct DeviceReport {
    std::string revision;  ///< of the source
    bool cuda_build = false;
    std::string why_no_gpu;  ///< why the build can use none, or empty
    std::vector<GpuReport> gpus;
};

/// Reads the JSON; nullopt if it is something else.
std::optional<DeviceReport> read_device_report(const std::string& json);

}  // namespace tessera::choice
