#include "plan/orbital_sample.hpp"

#include <algorithm>
#include <cmath>

#include "plan/plan_request.hpp"

namespace tessera::plan {

namespace {

using orbitals::OrbitalInput;
using orbitals::OrbitalTile;
using orbitals::PreparedOrbitals;
using orbitals::TileKind;

constexpr double enough_seconds = 0.3;
constexpr std::int64_t host_planes = 32;  // a box of a host's tiles

/// Runs tiles of the first frame, whatever the run itself was cut into.
class Trial {
  public:
    Trial(kernels::Backend backend, const OrbitalInput& input, const PreparedOrbitals& prepared)
        : input_(input),
          evaluator_(kernels::make_orbital_evaluator(backend)),
          workload_(*evaluator_, input_, frame_, nullptr, {},
                    [](std::int32_t, std::int32_t, const kernels::SurfaceView&) {}) {
        frame_.frames = {prepared.frames.front()};
        frame_.selection = prepared.selection;
        frame_.grid = prepared.grid;
        input_.isosurface = input.isosurface;
    }

    orbitals::OrbitalFrame& frame() { return frame_.frames.front(); }

    double seconds(const OrbitalTile& tile) {
        frame_.tiles = {tile};
        return seconds_of([&] { workload_.run(Tile{{0}, 0, 1}); });
    }

  private:
    OrbitalInput input_;
    PreparedOrbitals frame_;
    std::unique_ptr<kernels::OrbitalEvaluator> evaluator_;
    orbitals::OrbitalWorkload workload_;
};

/// Seconds a plane of tiles like `tile`, from slabs spread over the grid.
double plane_seconds(Trial& trial, OrbitalTile tile, std::int64_t all_planes) {
    const std::int64_t step = std::min(tile.planes, all_planes);
    const std::int64_t slabs = (all_planes + step - 1) / step;
    double seconds = 0, planes = 0;
    std::vector<bool> done(static_cast<std::size_t>(slabs), false);
    for (std::int64_t turn = 0; turn < slabs && seconds < enough_seconds; ++turn) {
        // The golden ratio's multiples fill the range evenly, however many are taken.
        auto slab = static_cast<std::int64_t>(
            std::fmod((static_cast<double>(turn) + 0.8) * 0.6180339887498949, 1.0) *
            static_cast<double>(slabs));
        while (done[static_cast<std::size_t>(slab)]) slab = (slab + 1) % slabs;
        done[static_cast<std::size_t>(slab)] = true;
        tile.first_plane = slab * step;
        tile.planes = std::min(step, all_planes - tile.first_plane);
        seconds += trial.seconds(tile);
        planes += static_cast<double>(tile.planes);
    }
    return seconds / planes;
}

/// Of all pairs of the items: the first batch with itself is timed.
double overlap_plane_seconds(Trial& trial, int items, const std::array<std::int64_t, 3>& points) {
    const auto shape = orbitals::choose_tile_shape(items, points, true);
    const auto batch = static_cast<std::int32_t>(shape.batch);
    const auto pairs = [](double n) { return n * (n + 1) / 2; };
    return plane_seconds(trial, {TileKind::overlaps, 0, 0, batch, 0, shape.planes, 0, batch},
                         points[2]) *
           pairs(items) / pairs(batch);
}

double weighted(const orbitals::OrbitalFrame& frame, bool of_spin) {
    const auto weights = orbitals::density_weights(frame.wavefunction, of_spin);
    return static_cast<double>(
        std::ranges::count_if(weights, [](double weight) { return weight != 0; }));
}

}  // namespace

std::vector<orbitals::TrackedOrbital> items_to_try(const OrbitalInput& input,
                                                   const orbitals::OrbitalFrame& frame) {
    if (!frame.items.empty()) return frame.items;
    const auto weights =
        orbitals::density_weights(frame.wavefunction, !input.density && input.spin_density);
    std::vector<orbitals::TrackedOrbital> items;
    for (std::size_t i = 0; i < weights.size() && items.size() < 4; ++i)
        if (weights[i] != 0) items.push_back({static_cast<int>(i)});
    return items;
}

OrbitalSample sample_orbitals(kernels::Backend backend, const OrbitalInput& input,
                              const PreparedOrbitals& prepared) {
    const bool gpu = backend == kernels::Backend::cuda;
    Trial trial(backend, input, prepared);
    const std::int64_t all_planes = prepared.grid.shape[2];
    OrbitalSample sample;
    trial.frame().items = items_to_try(input, trial.frame());
    if (const int items = static_cast<int>(trial.frame().items.size()); items > 0) {
        const auto shape = orbitals::choose_tile_shape(items, prepared.grid.shape, input.grids);
        // A host does one orbital after another; a GPU many at once.
        const auto batch = static_cast<std::int32_t>(gpu ? shape.batch : std::min(items, 2));
        const std::int64_t planes = gpu ? shape.planes : host_planes;
        const OrbitalTile tile{TileKind::orbitals, 0, 0, batch, 0, std::min(planes, all_planes)};
        const OrbitalTile one{TileKind::orbitals, 0, 0, 1, all_planes / 2, 1};
        const double first = trial.seconds(one), again = trial.seconds(one);
        sample.load = first - again;  // with the first launches
        sample.orbital_plane = plane_seconds(trial, tile, all_planes) / batch;
        if (input.overlap_matrix)
            sample.overlap_plane = overlap_plane_seconds(trial, items, prepared.grid.shape);
    }
    const auto density = [&](TileKind kind, bool of_spin) {
        const double count = weighted(trial.frame(), of_spin);
        if (!gpu || count == 0) return sample.orbital_plane * count;
        const auto planes = orbitals::choose_tile_shape(1, prepared.grid.shape, input.grids).planes;
        return plane_seconds(trial, {kind, 0, 0, 0, 0, planes}, all_planes);
    };
    if (input.density) sample.density_plane = density(TileKind::density, false);
    if (input.spin_density) sample.spin_plane = density(TileKind::spin_density, true);
    if (input.isosurface > 0) {
        constexpr double surface_factor =
            1.3;  // over the values alone, where it is too long to try
        const auto planes = static_cast<double>(all_planes);
        sample.surface = surface_factor * sample.orbital_plane * planes;
        if (gpu || sample.surface < 2)
            sample.surface = trial.seconds({TileKind::surface, 0, 0, 1, 0, all_planes});
    }
    return sample;
}

}  // namespace tessera::plan
