#include "docking/result/zdock_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/terminal.hpp"
#include "io/files/input_file.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/output_path.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

namespace {

constexpr const char* no_rotation = "0.000000\t0.000000\t0.000000";

std::string partner_line(const std::string& path, Vec3 center) {
    return fmt::format("{}\t{:.3f}\t{:.3f}\t{:.3f}\n", printable(path), center.x, center.y,
                       center.z);
}

/// One decimal if that is exact, as in ZDOCK's files, and otherwise as many as the spacing needs.
std::string spacing_text(double spacing) {
    return std::abs(spacing * 10 - std::round(spacing * 10)) < 1e-9 ? fmt::format("{:.1f}", spacing)
                                                                    : fmt::format("{}", spacing);
}

/// The translations of all poses as steps of a grid of n points, from -n/2 to n/2.
struct ZdockGrid {
    std::int64_t n = 0;
    double spacing = 0;  ///< Angstrom
    std::vector<std::array<std::int64_t, 3>> steps;
};

/// The grid of the search, on which the poses of a set lie.
ZdockGrid search_grid(const DockingFrame& frame, const ChosenList& list) {
    ZdockGrid grid{frame.n, frame.spacing, {}};
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto steps = kernels::wrapped_translation(*list.voxel(i), frame.n);
        grid.steps.push_back({steps[0], steps[1], steps[2]});
    }
    return grid;
}

/// A grid for refined poses. It is larger than that of the search if the refinement moved a ligand
/// beyond its edge.
ZdockGrid fine_grid(const DockingFrame& frame, const ChosenList& list) {
    constexpr int finer = 100;
    ZdockGrid grid{std::int64_t{frame.n} * finer, frame.spacing / finer, {}};
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Vec3 t = list.placement(i).translation - frame.receptor_center;
        auto& steps = grid.steps.emplace_back();
        std::ranges::transform(std::array{t.x, t.y, t.z}, steps.begin(),
                               [&](double x) { return std::llround(x / grid.spacing); });
        for (const std::int64_t step : steps) grid.n = std::max(grid.n, 2 * std::abs(step) + 2);
    }
    return grid;
}

}  // namespace

std::array<double, 3> zxz_angles(const Matrix3& r) {
    const double sine = std::hypot(r[2][0], r[2][1]);
    const double theta = std::atan2(sine, r[2][2]);
    // Without tilt only psi + phi (or psi - phi) is defined. Psi takes the whole angle.
    if (sine < 1e-12) return {std::atan2(r[1][0], r[0][0]), theta, 0.0};
    return {std::atan2(r[0][2], -r[1][2]), theta, std::atan2(r[2][0], r[2][1])};
}

void write_zdock(const std::string& path, const DockResult& result, const ChosenList& list,
                 const std::string& receptor_path, const std::string& ligand_path) {
    const bool on_points = list.size() == 0 || list.voxel(0);
    const ZdockGrid grid =
        on_points ? search_grid(result.frame, list) : fine_grid(result.frame, list);
    std::string text = fmt::format("{}\t{}\n{}\n", grid.n, spacing_text(grid.spacing), no_rotation);
    text += partner_line(receptor_path, result.frame.receptor_center);
    text += partner_line(ligand_path, result.frame.ligand_center);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto angles = zxz_angles(list.placement(i).rotation.matrix());
        text += fmt::format("{:.6f}\t{:.6f}\t{:.6f}", angles[0], angles[1], angles[2]);
        for (const std::int64_t step : grid.steps[i])
            text += fmt::format("\t{}", (grid.n - step) % grid.n);
        text += fmt::format("\t{:.3f}\n", -list.score(i));
    }
    io::WholeFile file(path);
    file.write(text);
    file.commit();
}

bool is_zdock_export(const std::string& path) {
    std::istringstream text(io::beginning_of(path));
    std::array<std::string, 4> header;
    for (std::string& line : header) std::getline(text, line);
    const auto tabs = [](const std::string& line) { return std::ranges::count(line, '\t'); };
    return text.good() && tabs(header[0]) == 1 && header[1] == no_rotation &&
           tabs(header[2]) == 3 && tabs(header[3]) == 3;
}

}  // namespace tessera::docking
