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

}  // namespace

std::array<double, 3> zxz_angles(const Matrix3& r) {
    const double sine = std::hypot(r[2][0], r[2][1]);
    const double theta = std::atan2(sine, r[2][2]);
    // Without tilt only psi + phi (or psi - phi) is defined. Psi takes the whole angle.
    if (sine < 1e-12) return {std::atan2(r[1][0], r[0][0]), theta, 0.0};
    return {std::atan2(r[0][2], -r[1][2]), theta, std::atan2(r[2][0], r[2][1])};
}

void write_zdock(const std::string& path, const DockResult& result, const PoseList& list,
                 const std::string& receptor_path, const std::string& ligand_path) {
    const int n = result.frame.n;
    std::string text =
        fmt::format("{}\t{}\n{}\n", n, spacing_text(result.frame.spacing), no_rotation);
    text += partner_line(receptor_path, result.frame.receptor_center);
    text += partner_line(ligand_path, result.frame.ligand_center);
    for (const Pose& pose : list.poses) {
        const auto angles = zxz_angles(result.rotations.at(pose.rotation).matrix());
        text += fmt::format("{:.6f}\t{:.6f}\t{:.6f}", angles[0], angles[1], angles[2]);
        for (int t : kernels::wrapped_translation(pose.voxel, n))
            text += fmt::format("\t{}", (n - t) % n);
        text += fmt::format("\t{:.3f}\n", -pose.score);
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
