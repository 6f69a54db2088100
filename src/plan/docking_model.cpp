// The search on GPUs that are not here.
#include <algorithm>
#include <cmath>

#include "kokkos_kernels/fft/fft_shape.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

namespace {

// Fitted to bench_docking on one H200 (80^3 to 192^3, 1, 4 and 8 sets, seven channels): seconds a grid point.
constexpr double forward_point = 2.55e-12 / 7;  // a channel; of a rotation of an orbit of 24
constexpr double sum_point = 2.0e-12 / 7;       // a channel
constexpr double first_axis_point = 3.0e-12;    // a set, as the next two
constexpr double planes_point = 2.7e-12;
constexpr double filter_point = 0.1e-12;
constexpr double filter_rotation = 1.2e-6, filter_set = 0.35e-6;
/// Where the size has no transforms of our own, the whole inverse half against ours (bench_fused_inverse).
constexpr double vendor_route = 1.6;
/// Receptor spectra made anew for one pass of members: 142 against 121 us a rotation at 160^3.
constexpr double made_anew_point = 5.1e-12 / 7;  // a channel
constexpr double h200_bandwidth = 4.8e12, h200_fp32 = 67e12;

/// A refined pose on an H200 (docs/method/docking-refinement.md): 4,392 of 1D6R (ligand of 420 atoms) in 0.178 s,
/// 3,768 of 1BGX (6,432 atoms) in 0.295 s.
constexpr double refined_pose = 37.9e-6, refined_pose_atom = 6.3e-9;

/// How much longer than an H200: the kernels wait for memory as much as for arithmetic.
double slowness(const DeviceDescription& gpu) {
    return 0.5 * (h200_bandwidth / gpu.bandwidth + h200_fp32 / gpu.fp32_flops);
}

}  // namespace

double table_rotation_seconds(const DeviceDescription& gpu, const DockingSize& size,
                              const kernels::SearchMemory& memory) {
    const double points = std::pow(size.n, 3);
    const bool own =
        std::ranges::find(kernels::fast_fft_sizes, size.n) != std::end(kernels::fast_fft_sizes);
    const double inverse =
        points * (size.channels * sum_point + size.sets * (first_axis_point + planes_point));
    const double forward = points * size.channels * forward_point * 24 / size.members;
    const double filter = filter_rotation + size.sets * (filter_set + points * filter_point);
    const double anew =
        memory.members_resident < size.members ? points * size.channels * made_anew_point : 0;
    return slowness(gpu) * (forward + inverse * (own ? 1 : vendor_route) + filter + anew);
}

double table_refine_seconds(const DeviceDescription& gpu, const DockingSize& size) {
    return slowness(gpu) * (refined_pose + refined_pose_atom * size.atoms);
}

double table_start_seconds(const DeviceDescription& gpu, const DockingSize& size,
                           const kernels::SearchMemory& memory) {
    constexpr double pageable_rate = 5e9;  // bytes/s from the host, assumed
    const double points = std::pow(size.n, 3);
    const double uploads = 2 * size.channels * points * sizeof(float) / pageable_rate;
    return uploads + 4 * static_cast<double>(memory.total()) / gpu.bandwidth;
}

}  // namespace tessera::plan
