#include "plan/likelihood_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/model/halo.hpp"

namespace tessera::plan {

namespace {

using kernels::Backend;
using kernels::Precision;
using likelihood::StreamModel;

// Operations for one point, where a fused multiply-add counts as one. They were counted in the
// machine code for sm_90 of integrate_columns.hpp: the loops over nodes, and a 32nd of the cost of
// a chunk.
constexpr double halo_operations = 15.4, disk_operations = 17, stream_operations = 10.8;
/// The operations that are in double in every precision, because they belong to a chunk.
constexpr double chunk_operations = 0.8;
/// Share of segments to which a stream contributes, measured on four streams with sigma from 0.86
/// to 22 kpc.
constexpr double stream_share = 0.53;

/// Share of the peak rate that the kernels reach. Hosts were measured on one core
/// (bench_likelihood). An H200 takes 0.098 s (south) and 0.0425 s (north) in double, 0.0638 and
/// 0.0324 s in FP32.
struct Efficiency {
    double fp64, fp32;
};
Efficiency efficiency(Backend backend) {
    return backend == Backend::cuda ? Efficiency{0.75, 0.57} : Efficiency{0.67, 0.45};
}

/// Seconds for one star of the exact integration on an H200: the time of evaluations without their
/// integrals and without 7 ms of tables.
constexpr double gpu_star_seconds = 7e-8;

// Compressed integration to 1e-11 at the FP64 rate of an H200 (south and north, bench_compressed):
// the integral of a component, the density of one component at a star, and the latency of launches
// and copies.
constexpr double h200_fp64 = 34e12;
constexpr double gpu_integral_seconds = 2.39e-5, gpu_star_component_seconds = 5.9e-10;
constexpr double gpu_latency = 1.15e-4, gpu_set_up_seconds = 0.045, gradient_factor = 1.55;

// The same on one core, from 4 streams with 38,000 stars (0.036 s) and 2 streams with 106,000 stars
// (0.045 s).
constexpr double core_integral_operations = 8.2e7, core_star_operations = 1.2e3;
/// Seconds to make the tables on a core of 48 Gflop/s, measured with 84,000 nodes.
constexpr double core_set_up_seconds = 0.16, core_fp64 = 48e9;

double terms(const EvaluationSize& size) { return 1 + size.disks + stream_share * size.streams; }

}  // namespace

EvaluationSize evaluation_size(const StreamModel& model, std::size_t stars) {
    EvaluationSize size;
    for (const io::Area& area : model.areas)
        size.points +=
            static_cast<double>(area.r.steps) * area.mu.steps * area.nu.steps * model.convolve;
    size.stars = static_cast<double>(stars);
    size.star_nodes = model.convolve;
    size.streams = static_cast<int>(model.streams.size());
    const io::Background& b = model.background;
    size.disks = likelihood::has_disk(model) ? 1 : (b.thin_disk ? 1 : 0) + (b.thick_disk ? 1 : 0);
    return size;
}

double point_operations(const EvaluationSize& size) {
    return halo_operations + disk_operations * size.disks +
           stream_operations * stream_share * size.streams;
}

double exact_seconds(const DeviceDescription& device, const EvaluationSize& size,
                     Precision precision) {
    const Efficiency reached = efficiency(device.backend);
    const double operations = point_operations(size);
    const double fp64 = 2 / (device.fp64_flops * reached.fp64);  // seconds for one operation
    const double fp32 = 2 / (device.fp32_flops * reached.fp32);
    const double stars = device.backend == Backend::cuda
                             ? size.stars * gpu_star_seconds * h200_fp64 / device.fp64_flops
                             : size.stars * size.star_nodes * operations * fp64;
    if (precision == Precision::double_precision) return size.points * operations * fp64 + stars;
    const double in_double = chunk_operations * terms(size);
    return size.points * (in_double * fp64 + (operations - in_double) * fp32) + stars;
}

CompressedSeconds compressed_seconds(const DeviceDescription& device, const EvaluationSize& size) {
    const double components = 1 + size.streams;
    CompressedSeconds seconds;
    if (device.backend == Backend::cuda) {
        seconds.value_of_many = components *
                                (gpu_integral_seconds + gpu_star_component_seconds * size.stars) *
                                h200_fp64 / device.fp64_flops;
        seconds.value = seconds.value_of_many + gpu_latency;
        seconds.gradient = seconds.value_of_many * gradient_factor + gpu_latency;
        seconds.set_up = gpu_set_up_seconds;
        return seconds;
    }
    seconds.value_of_many = components *
                            (core_integral_operations + core_star_operations * size.stars) * 2 /
                            (device.fp64_flops * efficiency(device.backend).fp64);
    seconds.value = seconds.value_of_many;
    seconds.gradient = seconds.value * gradient_factor;
    seconds.set_up = core_set_up_seconds * core_fp64 * device.threads / device.fp64_flops;
    return seconds;
}

EvaluationChoice choose_evaluation(std::span<const DeviceDescription> devices,
                                   const EvaluationSize& size, double wanted_error) {
    constexpr double single_error = 2e-8;  // limit of compensated FP32 in tests/likelihood
    if (devices.empty())
        throw Error("no device to plan for", "the list is empty", "name at least one device",
                    ExitCode::internal);
    EvaluationChoice best;
    best.exact_seconds = HUGE_VAL;
    for (const DeviceDescription& device : devices)
        for (const Precision precision :
             {Precision::double_precision, Precision::single_compensated}) {
            if (precision == Precision::single_compensated && wanted_error < single_error) continue;
            const double seconds = exact_seconds(device, size, precision);
            if (seconds < best.exact_seconds)
                best = {device, precision, seconds, compressed_seconds(device, size)};
        }
    return best;
}

}  // namespace tessera::plan
