#include "plan/grid_trial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "orbitals/result/result.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

namespace {

using orbitals::OrbitalWork;
using orbitals::PreparedOrbitals;

constexpr double trial_seconds = 0.3;
constexpr double longest_tile = 0.05;  // seconds for one tile, if the batch can be made smaller
constexpr std::size_t enough_bytes = std::size_t{1} << 28;

/// An unnamed file in the folder of `output`, which vanishes with the object. It is not open if the
/// folder's file system has no unnamed files.
class NamelessFile {
  public:
    explicit NamelessFile(const std::string& output) {
        if (output.empty()) return;
        const auto folder = std::filesystem::absolute(output).parent_path();
        descriptor_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    }
    ~NamelessFile() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;

    bool is_open() const { return descriptor_ >= 0; }
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  private:
    int descriptor_ = -1;
};

/// The first frame with `count` of its orbitals, and no tiles yet.
PreparedOrbitals first_frame(const orbitals::OrbitalInput& input, const PreparedOrbitals& prepared,
                             std::size_t count) {
    PreparedOrbitals work;
    work.grid = prepared.grid;
    orbitals::OrbitalFrame& frame = work.frames.emplace_back(prepared.frames.front());
    frame.items = items_to_try(input, prepared.frames.front());
    frame.items.resize(std::min(count, frame.items.size()));
    work.selection.resize(frame.items.size());
    return work;
}

/// File offsets of the chunks, one after another.
std::vector<std::uint64_t> places_of(const io::GridSpec& spec) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(spec.chunk_planes) * spec.plane_bytes();
    std::vector<std::uint64_t> places(
        static_cast<std::size_t>(spec.grids() * spec.chunks_of_grid()));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i * bytes;
    return places;
}

}  // namespace

double assumed_byte_seconds(const orbitals::OrbitalInput& input) {
    if (input.zfp) return 1 / 120e6;  // packed, unpacked and compared
    // Bytes/s of gzip after a byte shuffle, on one core.
    if (input.deflate > 0)
        return 1 / (input.deflate <= 3 ? 60e6 : input.deflate <= 6 ? 35e6 : 12e6);
    return 1e-9;
}

GridTrial try_grids(kernels::Backend backend, const orbitals::OrbitalInput& input,
                    const PreparedOrbitals& prepared, const OrbitalSample& sample,
                    const std::string& output) {
    GridTrial trial{assumed_byte_seconds(input)};
    const NamelessFile file(output);
    if (!file.is_open()) return trial;
    const auto items = std::ssize(items_to_try(input, prepared.frames.front()));
    const auto shape = orbitals::choose_tile_shape(items, prepared.grid.shape, true);
    const double one = sample.orbital_plane * static_cast<double>(shape.planes);
    const auto batch = static_cast<std::int32_t>(
        std::clamp(longest_tile / std::max(one, 1e-9), 1.0, static_cast<double>(shape.batch)));
    PreparedOrbitals work = first_frame(input, prepared, static_cast<std::size_t>(batch));
    io::GridSpec spec = orbitals::grids_of(input, work).specs.front();

    const std::size_t tile_bytes =
        static_cast<std::size_t>(batch * shape.planes) * spec.plane_bytes();
    io::GridWriter writer({spec}, {places_of(spec)}, file.path(), tile_bytes,
                          [&](std::size_t bytes) { return kernels::host_buffer(backend, bytes); });
    const auto evaluator = kernels::make_orbital_evaluator(backend);
    const auto run = [&](orbitals::OrbitalWorkload& workload, const OrbitalWork& tile) {
        work.tiles = {tile};
        return seconds_of([&] { workload.run(Tile{{0}, 0, 1}); });
    };
    OrbitalWork tile{orbitals::TileKind::orbitals, 0, 0, batch, 0, shape.planes};
    {
        orbitals::OrbitalWorkload first_launches(*evaluator, input, work);
        run(first_launches, tile);
    }
    orbitals::OrbitalWorkload plain(*evaluator, input, work);
    orbitals::OrbitalWorkload written(*evaluator, input, work, {&writer, {0, -1, -1}});
    double seconds = 0, computing = 0, bytes = 0;
    const auto all_planes = prepared.grid.shape[2];
    for (; tile.first_plane < all_planes && seconds < trial_seconds && bytes < enough_bytes;
         tile.first_plane += shape.planes) {
        tile.planes = std::min(shape.planes, all_planes - tile.first_plane);
        // Each workload loads the frame before its first tile.
        computing += run(plain, tile);
        seconds += run(written, tile);
        bytes += static_cast<double>(tile.planes * batch) * static_cast<double>(spec.plane_bytes());
    }
    seconds += seconds_of([&] { writer.finish(); });
    trial.byte_seconds = std::max(0.0, seconds - computing) / bytes;
    if (input.deflate == 0)
        trial.synced_rate = bytes / std::max(seconds_of([&] { io::sync_file(file.path()); }), 1e-6);
    return trial;
}

}  // namespace tessera::plan
