// Times of the docking search on GPUs that this machine does not have (declared in
// docking_plan.hpp).
#include <algorithm>
#include <cmath>

#include "kokkos_kernels/fft/fft_shape.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

namespace {

// Seconds for each grid point, fitted to bench_docking on one H200 (80^3 to 192^3 points, 1, 4 and
// 8 sets, seven channels).
constexpr double forward_point = 0.85e-12 / 7;  // each channel and rotation, in an orbit of 24
constexpr double sum_point = 1.71e-12 / 7;      // each channel
constexpr double first_axis_point = 1.85e-12;   // each set, as the next two
constexpr double planes_point = 2.0e-12;
constexpr double filter_point = 0.05e-12;
constexpr double filter_rotation = 0.84e-6, filter_set = 0.09e-6;
/// Time of the inverse half with the vendor's transforms relative to our own, which only some grid
/// sizes have (bench_fused_inverse).
constexpr double vendor_route = 2.0;
/// Receptor spectra that are recomputed for one pass of members: 119 instead of 79 us for a
/// rotation at 160^3 points.
constexpr double recomputed_point = 9.8e-12 / 7;  // each channel
constexpr double h200_bandwidth = 4.8e12, h200_fp32 = 67e12;

/// Seconds to refine one pose on an H200 (docs/method/docking-refinement.md): 4,392 poses of 1D6R
/// (420 ligand atoms) take 0.178 s, 3,768 poses of 1BGX (6,432 atoms) take 0.295 s.
constexpr double refined_pose = 37.9e-6, refined_pose_atom = 6.3e-9;

/// Time relative to an H200. Memory and arithmetic limit the kernels about equally.
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
    const double recomputed =
        memory.members_resident < size.members ? points * size.channels * recomputed_point : 0;
    return slowness(gpu) * (forward + inverse * (own ? 1 : vendor_route) + filter + recomputed);
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
