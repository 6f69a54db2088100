// Tiles of derived fields and of the potential (OrbitalWorkload, declared in workload.hpp).
#include <algorithm>

#include "orbitals/tiles/stopwatch.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

/// Loads the occupied orbitals of a frame alone, so that derived fields depend on nothing else.
void OrbitalWorkload::load_fields(std::int32_t frame) {
    if (frame == loaded_fields_) return;
    loaded_fields_ = -1;
    const io::Wavefunction& source = prepared_.frames[static_cast<std::size_t>(frame)].wavefunction;
    const auto [orbitals, occupations] = occupied_orbitals(source);
    kernels::OrbitalProblem problem;
    for (const DensityField& field : prepared_.density_fields)
        problem.derivatives = std::max(
            problem.derivatives,
            kernels::derivatives_of(*field.kind) == kernels::FieldDerivatives::first ? 1 : 2);
    fold(source, orbitals, problem);
    const Stopwatch watch(evaluation_seconds_);
    sinks_.fields->load(problem, {occupations.alpha, occupations.beta});
    loaded_fields_ = frame;
}

void OrbitalWorkload::evaluate_fields(const OrbitalWork& work, void* out,
                                      std::vector<OrbitalSum>& sums) {
    const Stopwatch watch(evaluation_seconds_);
    std::vector<kernels::DerivedField> kinds;
    kinds.reserve(prepared_.density_fields.size());
    for (const DensityField& field : prepared_.density_fields) kinds.push_back(*field.kind);
    const auto found =
        sinks_.fields->evaluate(slab(prepared_.grid, work.first_plane, work.planes), kinds, out);
    for (std::size_t i = 0; i < found.size(); ++i)
        sums.push_back({work.kind, work.frame, static_cast<std::int32_t>(i), 0, found[i]});
}

void OrbitalWorkload::evaluate_potential(const OrbitalWork& work, void* out) {
    const Stopwatch watch(evaluation_seconds_);
    sinks_.potential->on_planes_of(work, input_.double_precision, out);
}

}  // namespace tessera::orbitals
