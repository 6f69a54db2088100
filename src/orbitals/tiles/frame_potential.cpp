#include "orbitals/tiles/frame_potential.hpp"

#include <algorithm>

#include "orbitals/basis/hermite_density.hpp"

namespace tessera::orbitals {

std::vector<double> FramePotential::at(std::int32_t frame, std::span<const Vec3> points) {
    if (frame != loaded_) {
        loaded_ = -1;
        const io::Wavefunction& source =
            prepared_.frames[static_cast<std::size_t>(frame)].wavefunction;
        evaluator_->load(potential_problem(source, density_weights(source, false), tolerance_));
        loaded_ = frame;
    }
    return evaluator_->evaluate(points);
}

std::vector<double> FramePotential::at_points_of(const OrbitalWork& work) {
    return at(work.frame, std::span(prepared_.points)
                              .subspan(static_cast<std::size_t>(work.first_plane),
                                       static_cast<std::size_t>(work.planes)));
}

void FramePotential::on_planes_of(const OrbitalWork& work, bool as_doubles, void* out) {
    const UniformGrid& grid = prepared_.grid;
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(grid.shape[0] * grid.shape[1] * work.planes));
    for (std::int64_t k = work.first_plane; k < work.first_plane + work.planes; ++k)
        for (std::int64_t j = 0; j < grid.shape[1]; ++j)
            for (std::int64_t i = 0; i < grid.shape[0]; ++i) points.push_back(grid.point(i, j, k));
    const std::vector<double> values = at(work.frame, points);
    if (!out) return;
    if (as_doubles)
        std::ranges::copy(values, static_cast<double*>(out));
    else
        std::ranges::transform(values, static_cast<float*>(out),
                               [](double value) { return static_cast<float>(value); });
}

}  // namespace tessera::orbitals
