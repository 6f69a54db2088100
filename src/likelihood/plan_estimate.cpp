#include "likelihood/plan_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"

namespace tessera::likelihood {

namespace {

using kernels::Precision;

struct KnownDevice {
    const char* part_of_name;
    double fp64_flops, fp32_flops;
};

/// Vector peaks of the makers' data sheets (SXM boards where there are several).
constexpr std::array<KnownDevice, 7> known_gpus{{{"H200", 34e12, 67e12},
                                                 {"H100", 34e12, 67e12},
                                                 {"A100", 9.7e12, 19.5e12},
                                                 {"V100", 7.8e12, 15.7e12},
                                                 {"L40S", 1.43e12, 91.6e12},
                                                 {"RTX 4090", 1.29e12, 82.6e12},
                                                 {"P100", 5.3e12, 10.6e12}}};

/// 2 fused multiply-adds on 4 doubles a cycle at 3 GHz.
constexpr double core_fp64_flops = 48e9, core_fp32_flops = 96e9;

// Operations of a point, a fused multiply-add as one, counted in the machine code of the kernels for
// sm_90 (integrate_columns.hpp): loops over nodes, and a 32nd of what a chunk costs.
constexpr double halo_operations = 15.4, disk_operations = 17, stream_operations = 10.8;
/// Of those, what a chunk does in double whatever the precision.
constexpr double chunk_operations = 0.8;
/// Share of segments that a stream is seen in, measured on four streams with sigma from 0.86 to 22 kpc.
constexpr double stream_share = 0.53;

/// Of the compressed mode at a tolerance of 1e-10, from the times of one core for 4 streams with 38,000
/// stars (0.050 s) and 2 streams with 106,000 (0.045 s): a component's integral, and a star's density of
/// one component.
constexpr double compressed_integral_operations = 1.13e8, compressed_star_operations = 1.2e3;
/// Launches and copies of an evaluation on a GPU, assumed.
constexpr double gpu_latency = 0.3e-3;

/// Share of the peak that the kernels reach. Hosts: measured on one core (bench_likelihood, 3.4 ns a
/// point in double, 2.9 ns in FP32, four streams and a disk). GPUs: assumed.
struct Efficiency {
    double fp64, fp32;
};
Efficiency efficiency(kernels::Backend backend) {
    return backend == kernels::Backend::cuda ? Efficiency{0.75, 0.5} : Efficiency{0.67, 0.45};
}

double operations(const EvaluationSize& size) {
    return halo_operations + (size.disk ? disk_operations : 0) +
           stream_operations * stream_share * size.streams;
}

double terms(const EvaluationSize& size) {
    return 1 + (size.disk ? 1 : 0) + stream_share * size.streams;
}

}  // namespace

std::optional<DeviceRates> known_rates(const kernels::DeviceInfo& device) {
    if (device.backend != kernels::Backend::cuda)
        return DeviceRates{device.backend, device.name, core_fp64_flops * device.threads,
                           core_fp32_flops * device.threads};
    for (const KnownDevice& known : known_gpus)
        if (device.name.find(known.part_of_name) != std::string::npos)
            return DeviceRates{device.backend, device.name, known.fp64_flops, known.fp32_flops};
    return std::nullopt;
}

EvaluationSize evaluation_size(const StreamModel& model, std::size_t stars) {
    EvaluationSize size;
    for (const io::Area& area : model.areas)
        size.points +=
            static_cast<double>(area.r.steps) * area.mu.steps * area.nu.steps * model.convolve;
    size.stars = static_cast<double>(stars);
    size.star_nodes = model.convolve;
    size.streams = static_cast<int>(model.streams.size());
    size.disk =
        model.model == io::Model::model2018 && model.background.profile == io::Profile::hernquist;
    return size;
}

double exact_seconds(const DeviceRates& device, const EvaluationSize& size, Precision precision) {
    const Efficiency reached = efficiency(device.backend);
    const double fp64 = 2 / (device.fp64_flops * reached.fp64);  // seconds an operation
    const double fp32 = 2 / (device.fp32_flops * reached.fp32);
    const double stars = size.stars * size.star_nodes * operations(size) * fp64;
    if (precision == Precision::double_precision)
        return size.points * operations(size) * fp64 + stars;
    const double in_double = chunk_operations * terms(size);
    return size.points * (in_double * fp64 + (operations(size) - in_double) * fp32) + stars;
}

double compressed_seconds(const DeviceRates& device, const EvaluationSize& size) {
    const double rate = device.fp64_flops * efficiency(device.backend).fp64 / 2;
    const double components = 1 + size.streams;
    const double work =
        components * (compressed_integral_operations + compressed_star_operations * size.stars);
    const double seconds = work / rate;
    return device.backend == kernels::Backend::cuda ? seconds + gpu_latency : seconds;
}

PlanEstimate plan_evaluation(std::span<const DeviceRates> devices, const EvaluationSize& size,
                             double wanted_error) {
    constexpr double single_error = 2e-8;  // what tests/likelihood hold FP32 with compensation to
    if (devices.empty())
        throw Error("no device to plan for", "the list is empty", "name at least one device",
                    ExitCode::internal);
    PlanEstimate best;
    best.exact_seconds = HUGE_VAL;
    for (const DeviceRates& device : devices)
        for (const Precision precision :
             {Precision::double_precision, Precision::single_compensated}) {
            if (precision == Precision::single_compensated && wanted_error < single_error) continue;
            const double seconds = exact_seconds(device, size, precision);
            if (seconds < best.exact_seconds)
                best = {device, precision, seconds, compressed_seconds(device, size)};
        }
    return best;
}

}  // namespace tessera::likelihood
