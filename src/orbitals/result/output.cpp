#include "orbitals/result/output.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <span>

#include "engine/build_record.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "io/hdf5/grid_store.hpp"
#include "orbitals/result/point_file.hpp"
#include "orbitals/result/surface_file.hpp"

namespace tessera::orbitals {

namespace {

/// Makes sure that all chunks are there, because HDF5 reads a missing chunk as zeros.
void require_chunks(const std::vector<io::GridSpec>& specs, std::int64_t written) {
    std::int64_t all = 0;
    for (const io::GridSpec& spec : specs) all += spec.grids() * spec.chunks_of_grid();
    if (written != all)
        throw Error("the journals hold " + std::to_string(written) + " of " + std::to_string(all) +
                        " chunks of grids",
                    "tiles were recorded without their grids", "please report this",
                    ExitCode::internal);
}

PointSums unpack_sums(io::Record bytes) {
    PointSums sums(bytes.size() / sizeof(SumPair));
    std::ranges::copy(bytes.first(sums.bytes().size()), sums.bytes().data());
    return sums;
}

}  // namespace

OrbitalOutput::OrbitalOutput(const mpi::Communicator& world, const JournalRequest& request,
                             const OrbitalInput& input, const PreparedOrbitals& prepared,
                             const GridOutput& grids, kernels::Backend backend)
    : input_(input), prepared_(prepared), grids_(grids), disk_(world, request) {
    open_store(world, backend);
    // The bytes of all ranks must be on the disk before rank 0 gives the file its name.
    recorder_ = std::make_unique<OrbitalRecorder>(disk_, *writer_, has_store());
}

OrbitalOutput::~OrbitalOutput() {
    try {
        if (writer_) writer_->finish();
    } catch (const std::exception&) {
        // The run is already ending with this error or an earlier one.
    }
}

bool OrbitalOutput::has_store() const { return !grids_.specs.empty() && input_.deflate == 0; }

void OrbitalOutput::open_store(const mpi::Communicator& world, kernels::Backend backend) {
    std::vector<std::vector<std::uint64_t>> addresses(grids_.specs.size());
    if (has_store()) {
        disk_.forget_uncertain();
        const std::string between = disk_.file("result.begun");
        world.together([&] {
            if (!world.is_root()) return;
            if (disk_.tiles_resumed() > 0)
                io::restore_grid_store(store(), between, disk_.key());
            else
                io::begin_grid_store(store(), between, disk_.key(), grids_.specs);
            addresses = io::grid_store_addresses(store(), grids_.specs);
        });
        for (auto& list : addresses) world.broadcast(list);
        disk_.sync_with([file = store()] { io::sync_file(file); });
    }
    world.together([&] {
        writer_ = std::make_unique<io::GridWriter>(
            grids_.specs, std::move(addresses), store(), largest_tile_bytes(input_, prepared_),
            [&](std::size_t bytes) { return kernels::host_buffer(backend, bytes); });
    });
}

std::unique_ptr<io::ResultFile> OrbitalOutput::make_file(const std::string& path,
                                                         bool force) const {
    auto file = std::make_unique<io::ResultFile>(path, "orbital", engine::program_version(), force,
                                                 io::TemporaryPlace{store(), has_store()});
    if (!has_store())
        for (const io::GridSpec& spec : grids_.specs) io::create_grid(file->root(), spec);
    if (prepared_.orbital_level == 0 && prepared_.density_level == 0 && input_.deflate == 0 &&
        prepared_.points.empty())
        return file;
    PointPotentials potentials(prepared_);
    const auto take_surface = [&](std::int32_t frame, std::int32_t item, const auto& view,
                                  std::span<const double> scalars) {
        write_surface(file->root(), prepared_, {frame, item}, view, scalars);
    };
    std::int64_t chunks = 0;
    disk_.read_attachments([&](TileId id, io::Record bytes) {
        const OrbitalWork& work = prepared_.tiles[static_cast<std::size_t>(id.value)];
        if (is_surface(work.kind))
            unpack_surface(bytes, take_surface);
        else if (work.kind == TileKind::potential_points)
            potentials.take(work, bytes);
        else if (work.kind != TileKind::mean_density)
            chunks += io::write_packed(file->root(), grids_.specs, bytes);
    });
    if (!has_store()) require_chunks(grids_.specs, chunks);
    for (const io::GridSpec& spec : grids_.specs)
        if (spec.largest_error > 0) io::note_rounding(file->root(), spec.name, spec.largest_error);
    potentials.write(file->root());
    return file;
}

std::map<TileId, PointSums>
OrbitalOutput::density_sums(const std::vector<TilePartial<OrbitalSum>>& partials) const {
    std::map<TileId, PointSums> counted;
    std::set<TileId> missing;
    for (const auto& partial : partials) {
        if (prepared_.tiles[static_cast<std::size_t>(partial.id.value)].kind !=
            TileKind::mean_density)
            continue;
        auto sums = recorder_->density_sums().extract(partial.id);
        if (sums.empty())
            missing.insert(partial.id);
        else
            counted.insert(std::move(sums));
    }
    recorder_->density_sums().clear();
    if (missing.empty()) return counted;
    disk_.read_attachments([&](TileId id, io::Record bytes) {
        if (missing.contains(id)) counted.emplace(id, unpack_sums(bytes));
    });
    return counted;
}

}  // namespace tessera::orbitals
