#include "plan/device_description.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "kokkos_kernels/device/device_rates.hpp"

namespace tessera::plan {

namespace {

struct KnownGpu {
    const char* part_of_name;
    double fp64, fp32;      // 1e12 operations/s
    double bandwidth;       // 1e9 bytes/s
    double memory;          // GiB
    const char* full = "";  // its name in the driver
};

constexpr std::array<KnownGpu, 8> known_gpus{{
    {"H200", 34, 67, 4800, 139.8, "NVIDIA H200"},
    {"H100", 34, 67, 3350, 79.6, "NVIDIA H100 80GB HBM3"},
    {"A100", 9.7, 19.5, 2039, 79.3, "NVIDIA A100-SXM4-80GB"},
    {"L40S", 1.43, 91.6, 864, 44.4, "NVIDIA L40S"},
    {"L4", 0.47, 30.3, 300, 22.0, "NVIDIA L4"},
    {"A40", 0.58, 37.4, 696, 44.4, "NVIDIA A40"},
    {"RTX 4090", 1.29, 82.6, 1008, 23.5, "NVIDIA GeForce RTX 4090"},
    {"RTX 3090", 0.56, 35.6, 936, 23.6, "NVIDIA GeForce RTX 3090"},
}};

/// Whether `text` has `word` as a whole word: L40 does not have L4, and GH200 does not have H200.
bool has_word(std::string_view text, std::string_view word) {
    const auto is_part = [&](std::size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    };
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (!(at > 0 && is_part(at - 1)) && !is_part(at + word.size())) return true;
    return false;
}

}  // namespace

std::string name_of(Basis basis) {
    switch (basis) {
        case Basis::table: return "table";
        case Basis::sampled: return "sampled";
        default: return "measured";
    }
}

std::optional<DeviceDescription> known_gpu(std::string_view name) {
    for (const KnownGpu& known : known_gpus) {
        if (!has_word(name, known.part_of_name)) continue;
        DeviceDescription device;
        device.backend = kernels::Backend::cuda;
        device.name = known.full;
        device.memory_bytes = static_cast<std::int64_t>(known.memory * 0x1p30);
        device.free_bytes = static_cast<std::int64_t>(0.97 * known.memory * 0x1p30);
        device.fp32_flops = known.fp32 * 1e12;
        device.fp64_flops = known.fp64 * 1e12;
        device.bandwidth = known.bandwidth * 1e9;
        return device;
    }
    return std::nullopt;
}

std::string known_gpu_names() {
    std::string names;
    for (const KnownGpu& known : known_gpus)
        names += (names.empty() ? "" : ", ") + std::string(known.part_of_name);
    return names;
}

DeviceDescription require_known_gpu(std::string_view name) {
    if (auto device = known_gpu(name)) return *device;
    throw Error("unknown device '" + io::one_line(std::string(name)) + "'",
                "--for-device knows " + known_gpu_names(),
                "choose one of them, or plan on a node that has the device");
}

DeviceDescription describe(const kernels::DeviceInfo& info) {
    DeviceDescription device;
    if (const auto known = known_gpu(info.name); known && info.backend == kernels::Backend::cuda) {
        device = *known;
    } else {
        const kernels::DeviceRates rates = kernels::measure_rates(info.backend);
        device.fp32_flops = rates.fp32_flops;
        device.fp64_flops = rates.fp64_flops;
        device.bandwidth = rates.bandwidth;
        device.rates = Basis::measured;
    }
    device.backend = info.backend;
    device.name = info.name;
    device.threads = info.threads;
    device.memory_bytes = info.memory_bytes;
    device.free_bytes = info.available_bytes;
    return device;
}

}  // namespace tessera::plan
