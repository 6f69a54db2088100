#include "plan/orbital_sample.hpp"

#include <algorithm>
#include <cmath>

#include "plan/plan_request.hpp"

namespace tessera::plan {

namespace {

using orbitals::OrbitalInput;
using orbitals::OrbitalWork;
using orbitals::PreparedOrbitals;
using orbitals::TileKind;

constexpr double orbital_seconds = 0.3, most_seconds = 1;
constexpr int fewest_tiles = 3;  // middle, edge and one between, within most_seconds
constexpr std::size_t most_tiles = 4096;
constexpr std::int64_t host_planes = 32;  // one box of the tiles of a host

/// Number of quantities on a plane of the tile: orbitals, pairs of orbitals in a batch, or one
/// density.
double values_of(const OrbitalWork& tile) {
    if (tile.kind == TileKind::orbitals) return tile.count;
    return tile.kind == TileKind::overlaps ? tile.count * (tile.count + 1) / 2.0 : 1;
}

/// Runs any tiles of the first frame. They need not be tiles of the run.
class Trial {
  public:
    Trial(kernels::Backend backend, const OrbitalInput& input, const PreparedOrbitals& prepared)
        : input_(input),
          evaluator_(kernels::make_orbital_evaluator(backend)),
          fields_(kernels::make_field_evaluator(backend)),
          workload_(*evaluator_, input_, frame_,
                    {.surfaces = [](std::int32_t, std::int32_t, const kernels::SurfaceView&,
                                    std::span<const double>) {},
                     .fields = fields_.get()}) {
        frame_.frames = {prepared.frames.front()};
        frame_.selection = prepared.selection;
        frame_.density_fields = prepared.density_fields;
        frame_.combinations = prepared.combinations;
        frame_.sources = prepared.sources;
        frame_.different_geometries = prepared.different_geometries;
        frame_.tracked = prepared.tracked;
        frame_.grid = prepared.grid;
        frame_.orbital_level = prepared.orbital_level;
    }

    orbitals::OrbitalFrame& frame() { return frame_.frames.front(); }

    /// Launches the kernels that the bands need for the first time, also those for double
    /// precision.
    void warm_up(std::span<const OrbitalWork> bands, std::int64_t plane) {
        bool known[2] = {};
        for (OrbitalWork tile : bands)
            for (int item = tile.first; item < tile.first + tile.count; ++item) {
                bool& seen = known[evaluator_->computed_in_double(item)];
                if (seen) continue;
                seen = true;
                tile.first_plane = plane;
                tile.planes = 1;
                seconds(tile);
            }
    }

    double seconds(const OrbitalWork& tile) {
        frame_.tiles = {tile};
        return seconds_of([&] { workload_.run(Tile{{0}, 0, 1}); });
    }

  private:
    OrbitalInput input_;
    PreparedOrbitals frame_;
    std::unique_ptr<kernels::OrbitalEvaluator> evaluator_;
    std::unique_ptr<kernels::FieldEvaluator> fields_;
    orbitals::OrbitalWorkload workload_;
};

/// Seconds for one quantity on one plane, averaged over tiles of the bands.
double plane_seconds(Trial& trial, std::span<const OrbitalWork> bands, std::int64_t all_planes) {
    double seconds = 0, work = 0;
    int tried = 0;
    for (const OrbitalWork& tile : spread_tiles(bands, all_planes)) {
        if (seconds >= (tried < fewest_tiles ? most_seconds : orbital_seconds)) break;
        seconds += trial.seconds(tile);
        work += static_cast<double>(tile.planes) * values_of(tile);
        ++tried;
    }
    return seconds / work;
}

/// The items in batches, with `planes` planes in a tile.
std::vector<OrbitalWork> bands_of(int items, std::int32_t batch, std::int64_t planes) {
    std::vector<OrbitalWork> bands;
    for (std::int32_t first = 0; first < items; first += batch)
        bands.push_back({TileKind::orbitals, 0, first, std::min(batch, items - first), 0, planes});
    return bands;
}

/// Seconds for all pairs of items on one plane. The first batch with itself is timed.
double overlap_plane_seconds(Trial& trial, int items, const std::array<std::int64_t, 3>& points) {
    const auto shape = orbitals::choose_tile_shape(items, points, true);
    const auto batch = static_cast<std::int32_t>(shape.batch);
    const OrbitalWork tile{TileKind::overlaps, 0, 0, batch, 0, shape.planes, 0, batch};
    const double all = static_cast<double>(items) * (items + 1) / 2;
    return plane_seconds(trial, {&tile, 1}, points[2]) * all;
}

/// Seconds for the density, for all derived fields, or for a combination, on one plane, from all
/// orbitals with a weight. Returns `guess` if a trial would take too long on a host.
double density_plane_seconds(Trial& trial, OrbitalWork tile, bool gpu,
                             const std::array<std::int64_t, 3>& points, bool stored, double guess) {
    if (!gpu && guess * static_cast<double>(host_planes) > most_seconds) return guess;
    tile.first_plane = points[2] / 2;
    tile.planes = 1;
    trial.seconds(tile);  // the first launches
    tile.planes = gpu ? orbitals::choose_tile_shape(std::max(tile.count, 1), points, stored).planes
                      : host_planes;
    return plane_seconds(trial, {&tile, 1}, points[2]);
}

/// Seconds for one combination on one plane, the mean of all. `orbital`: seconds for one orbital.
double combination_plane_seconds(Trial& trial, bool gpu, const PreparedOrbitals& prepared,
                                 bool stored, double orbital) {
    constexpr double times_double = 2;
    double seconds = 0;
    for (std::size_t c = 0; c < prepared.combinations.size(); ++c) {
        const auto rows = static_cast<double>(combine(prepared, 0, c).weights.size());
        seconds +=
            density_plane_seconds(trial, {TileKind::combination, 0, static_cast<int>(c), 1}, gpu,
                                  prepared.grid.shape, stored, times_double * orbital * rows);
    }
    return seconds / static_cast<double>(prepared.combinations.size());
}

/// Times points that are spread over the grid, in growing numbers until that takes long enough.
void time_potential(kernels::Backend backend, const OrbitalInput& input,
                    const PreparedOrbitals& prepared, OrbitalSample& sample) {
    orbitals::FramePotential potential(kernels::make_potential_evaluator(backend), prepared,
                                       input.potential_tolerance);
    const auto& shape = prepared.grid.shape;
    std::vector<Vec3> points;
    const auto grow = [&](std::size_t count) {
        while (points.size() < count) {
            const auto turn = static_cast<double>(points.size());
            const auto along = [&](double irrational, std::size_t axis) {
                return static_cast<std::int64_t>(std::fmod(turn * irrational, 1.0) *
                                                 static_cast<double>(shape[axis]));
            };
            points.push_back(prepared.grid.point(along(0.8191725134, 0), along(0.6710436067, 1),
                                                 along(0.5497004779, 2)));
        }
    };
    grow(1);
    sample.potential_load = seconds_of([&] { potential.at(0, points); });
    constexpr std::size_t most_points = std::size_t{1} << 17;
    for (std::size_t count = 64; count <= most_points; count *= 4) {
        grow(count);
        const double seconds = seconds_of([&] { potential.at(0, points); });
        sample.potential_point = seconds / static_cast<double>(count);
        if (seconds > orbital_seconds / 2) break;
    }
}

}  // namespace

std::vector<OrbitalWork> spread_tiles(std::span<const OrbitalWork> bands, std::int64_t all_planes) {
    // Multiples of irrational numbers fill a range evenly, whatever their number. The middle of a
    // molecule takes longest, so the first tile lies between the middle and the edge.
    constexpr double slab_step = 0.6180339887498949, band_step = 0.41421356237309515;
    std::vector<OrbitalWork> tiles;
    const auto step = std::min(bands.front().planes, all_planes);
    const auto slabs = static_cast<std::size_t>((all_planes + step - 1) / step);
    std::vector<bool> taken(slabs * bands.size(), false);
    for (double turn = 0; tiles.size() < std::min(taken.size(), most_tiles); ++turn) {
        const auto share = [&](double irrational, std::size_t count) {
            return static_cast<std::size_t>(std::fmod((turn + 0.4) * irrational, 1.0) *
                                            static_cast<double>(count));
        };
        std::size_t place = share(slab_step, slabs) * bands.size() + share(band_step, bands.size());
        while (taken[place]) place = (place + 1) % taken.size();
        taken[place] = true;
        OrbitalWork tile = bands[place % bands.size()];
        tile.first_plane = static_cast<std::int64_t>(place / bands.size()) * step;
        tile.planes = std::min(step, all_planes - tile.first_plane);
        tiles.push_back(tile);
    }
    return tiles;
}

std::vector<orbitals::TrackedOrbital> items_to_try(const OrbitalInput& input,
                                                   const orbitals::OrbitalFrame& frame) {
    if (!frame.items.empty()) return frame.items;
    const bool of_density = needs_density(input) || input.spin_density || !input.fields.empty();
    const auto weights = of_density || input.combine.empty()
                             ? orbitals::density_weights(
                                   frame.wavefunction, !needs_density(input) && input.spin_density)
                             : std::vector<double>(frame.wavefunction.orbitals.size(), 1.0);
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
        // A host computes one orbital after another, a GPU many at once.
        const auto bands =
            bands_of(items, static_cast<std::int32_t>(gpu ? shape.batch : std::min(items, 2)),
                     gpu ? shape.planes : host_planes);
        const OrbitalWork one{TileKind::orbitals, 0, 0, 1, all_planes / 2, 1};
        const double first = trial.seconds(one), again = trial.seconds(one);
        sample.load = first - again;  // includes the first launches
        trial.warm_up(bands, all_planes / 2);
        sample.orbital_plane = plane_seconds(trial, bands, all_planes);
        if (input.overlap_matrix)
            sample.overlap_plane = overlap_plane_seconds(trial, items, prepared.grid.shape);
    }
    const auto density = [&](TileKind kind, bool of_spin) {
        const auto weights = orbitals::density_weights(trial.frame().wavefunction, of_spin);
        const auto count =
            std::ranges::count_if(weights, [](double weight) { return weight != 0; });
        // Derived fields take as many products as six densities in double precision.
        const double times = kind == TileKind::fields ? 12 : 1;
        const auto fields = kind == TileKind::fields ? prepared.density_fields.size() : 0;
        return density_plane_seconds(trial, {kind, 0, 0, static_cast<std::int32_t>(fields)}, gpu,
                                     prepared.grid.shape, input.grids,
                                     times * sample.orbital_plane * static_cast<double>(count));
    };
    if (needs_density(input)) sample.density_plane = density(TileKind::density, false);
    if (input.spin_density) sample.spin_plane = density(TileKind::spin_density, true);
    if (!prepared.density_fields.empty()) sample.fields_plane = density(TileKind::fields, false);
    if (!prepared.combinations.empty())
        sample.combination_plane =
            combination_plane_seconds(trial, gpu, prepared, input.grids, sample.orbital_plane);
    if (has_potential(prepared)) time_potential(backend, input, prepared, sample);
    if (prepared.orbital_level > 0) {
        // Time relative to the values alone, for a host that would take too long to try it.
        constexpr double surface_factor = 1.3;
        const auto planes = static_cast<double>(all_planes);
        sample.surface = surface_factor * sample.orbital_plane * planes;
        if (gpu || sample.surface < 2)
            sample.surface = trial.seconds({TileKind::surface, 0, 0, 1, 0, all_planes});
    }
    return sample;
}

}  // namespace tessera::plan
