// Disk space and device memory of an orbital run, and the times of its kernels on GPUs that this
// machine does not have (declared in orbital_plan.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "io/hdf5/grid_store.hpp"
#include "plan/loaded_orbitals.hpp"
#include "plan/orbital_plan.hpp"

namespace tessera::plan {

using orbitals::OrbitalInput;
using orbitals::PreparedOrbitals;

double grid_bytes(const orbitals::GridOutput& grids) {
    double bytes = 0;
    for (const io::GridSpec& spec : grids.specs)
        bytes += static_cast<double>(spec.grids()) * static_cast<double>(spec.shape[2]) *
                 static_cast<double>(spec.plane_bytes());
    return bytes;
}

void require_disk(const std::string& output, const orbitals::GridOutput& grids) {
    orbitals::GridOutput plain = grids;
    std::erase_if(plain.specs, [](const io::GridSpec& spec) { return spec.deflate != 0; });
    const double bytes =
        grid_bytes(plain) - static_cast<double>(io::bytes_on_disk(output + ".partial/result.h5"));
    const auto folder = std::filesystem::absolute(output).parent_path();
    std::error_code failure;
    const auto space = std::filesystem::space(folder, failure);
    if (!failure && bytes > static_cast<double>(space.available))
        throw Error(
            fmt::format("the grids of this run do not fit on the disk of '{}'", folder.string()),
            fmt::format("{:.3g} GiB are needed, {:.3g} are free", bytes / 0x1p30,
                        static_cast<double>(space.available) / 0x1p30),
            "use a coarser --spacing, --norms-only, --compress or another disk",
            ExitCode::resources);
}

double bytes_kept_in_memory() {
    const auto setting = [](const char* name) {
        double value = 0;
        std::ifstream(std::string("/proc/sys/vm/dirty_background_") + name) >> value;
        return value;
    };
    if (const double bytes = setting("bytes"); bytes > 0) return bytes;
    const double kept = setting("ratio") / 100 * static_cast<double>(host_memory("MemAvailable"));
    return kept > 0 ? kept : std::numeric_limits<double>::infinity();
}

namespace {

bool is_surface_of_orbital(const orbitals::OrbitalWork& tile, const PreparedOrbitals& prepared) {
    return tile.kind == orbitals::TileKind::surface ||
           (tile.kind == orbitals::TileKind::combination_surface &&
            prepared.combinations[static_cast<std::size_t>(tile.first)].of_orbitals());
}

}  // namespace

std::int64_t device_bytes(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    constexpr std::int64_t lists = std::int64_t{1} << 28;  // 2^26 entries of 4 bytes
    constexpr std::int64_t surface_point = 12;  // bytes: the value, and the data of marching cubes
    constexpr std::int64_t mean_point = 24;     // bytes: a value in double, and its sum
    constexpr std::int64_t potential_bytes = std::int64_t{1} << 29;    // products and sums
    const std::int64_t field_point = input.double_precision ? 8 : 12;  // the rounded value as well
    std::int64_t values = 0;
    for (const orbitals::OrbitalWork& tile : prepared.tiles) {
        const std::int64_t plane = prepared.grid.shape[0] * prepared.grid.shape[1];
        if (is_surface_of_orbital(tile, prepared))
            values = std::max(values, surface_point * plane *
                                          std::min(tile.planes, orbitals::choose_surface_planes(
                                                                    prepared.grid.shape)));
        else if (is_surface(tile.kind))  // of a density, whose slabs go to the host
            values = std::max(values, plane *
                                          orbitals::choose_density_slabs(prepared.grid.shape,
                                                                         input.double_precision)
                                              .planes *
                                          (input.double_precision ? 8 : 4));
        else if (tile.kind == orbitals::TileKind::overlaps)
            values = std::max(values, plane * tile.planes * (tile.count + tile.other_count) *
                                          (input.double_precision ? 8 : 4));
        else if (tile.kind == orbitals::TileKind::mean_density)
            values = std::max(values, plane * tile.planes * mean_point);
        else if (tile.kind == orbitals::TileKind::potential ||
                 tile.kind == orbitals::TileKind::potential_points)
            values = std::max(values, potential_bytes);
        else if (tile.kind == orbitals::TileKind::fields)
            values = std::max(values, plane * tile.planes * tile.count * field_point);
        else if (tile.kind == orbitals::TileKind::combination)
            values = std::max(values, plane * tile.planes * 8);  // in double precision
        else if (input.grids)
            values = std::max(values, plane * tile.planes * std::max(tile.count, 1) *
                                          (input.double_precision ? 8 : 4));
    }
    return lists + values + coefficient_bytes(input, prepared);
}

double table_kernel_seconds(const DeviceDescription& gpu, const kernels::ScreenedWork& work,
                            double orbitals, bool in_double) {
    // Shares of the peak rate, from C60 on grids of 0.075 and 0.025 Angstrom: one orbital takes
    // 0.083 and 1.04 ms, in double 0.174 ms on the coarser grid. Each of 192 takes 0.034 ms on the
    // coarser grid.
    constexpr double share_of_one = 0.235, share_of_many = 0.42, double_share = 0.77;
    constexpr double list_seconds = 2.5e-5;
    const double peak = in_double ? gpu.fp64_flops * double_share : gpu.fp32_flops;
    const double share = orbitals >= 48 ? share_of_many : share_of_one;
    const double arithmetic = 2 * (work.products + work.rows) / (peak * share);
    const double memory = work.tile_points * (in_double ? 8 : 4) / gpu.bandwidth;
    return list_seconds / orbitals + std::max(arithmetic, memory);
}

}  // namespace tessera::plan
