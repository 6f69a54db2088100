#include "orbitals/run/mean_density.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "kokkos_kernels/device/device_operations.hpp"
#include "mpi/collectives/device_communicator.hpp"

namespace tessera::orbitals {

namespace {

/// The sums of all blocks of frames on one slab; null pointers for those on other ranks. The
/// position of a block is its key.
struct Slab {
    std::size_t points = 0;
    std::vector<const PointSums*> blocks;
};

std::vector<Slab> slabs_of(const PreparedOrbitals& prepared,
                           const std::map<TileId, PointSums>& sums) {
    std::vector<Slab> slabs;
    std::int64_t last_plane = -1;
    for (std::size_t id = 0; id < prepared.tiles.size(); ++id) {
        const OrbitalWork& work = prepared.tiles[id];
        if (work.kind != TileKind::mean_density) continue;
        if (work.first_plane != last_plane)
            slabs.push_back({static_cast<std::size_t>(prepared.grid.shape[0] *
                                                      prepared.grid.shape[1] * work.planes),
                             {}});
        last_plane = work.first_plane;
        const auto own = sums.find({static_cast<std::int64_t>(id)});
        slabs.back().blocks.push_back(own == sums.end() ? nullptr : &own->second);
    }
    return slabs;
}

/// Device memory for a piece of each of this rank's blocks, and for the sum of a piece.
class PieceArrays {
  public:
    /// Pieces are so short that the arrays of a rank with all blocks have 256 MiB.
    PieceArrays(DeviceOperations& device, const std::vector<Slab>& slabs) : device_(device) {
        constexpr std::size_t bytes = std::size_t{1} << 28;
        std::size_t blocks = 1, own = 0, points = 1;
        for (const Slab& slab : slabs) {
            blocks = std::max(blocks, slab.blocks.size());
            points = std::max(points, slab.points);
            own = std::max(own, slab.blocks.size() - static_cast<std::size_t>(
                                                         std::ranges::count(slab.blocks, nullptr)));
        }
        piece_ = std::min(points, bytes / sizeof(SumPair) / (blocks + 1));
        memory_ = static_cast<SumPair*>(device_.allocate((own + 1) * piece_ * sizeof(SumPair)));
    }
    ~PieceArrays() { device_.release(memory_); }
    PieceArrays(const PieceArrays&) = delete;
    PieceArrays& operator=(const PieceArrays&) = delete;

    std::size_t piece() const { return piece_; }
    SumPair* result() const { return memory_; }
    SumPair* of_block(std::size_t own) const { return memory_ + (own + 1) * piece_; }

  private:
    DeviceOperations& device_;
    std::size_t piece_ = 0;
    SumPair* memory_ = nullptr;
};

/// Copies elements [first, first + count) of this rank's blocks to the device.
std::vector<mpi::KeyedSums> load(DeviceOperations& device, const PieceArrays& arrays,
                                 const Slab& slab, std::size_t first, std::size_t count) {
    std::vector<mpi::KeyedSums> loaded;
    for (std::size_t key = 0; key < slab.blocks.size(); ++key) {
        if (!slab.blocks[key]) continue;
        SumPair* const to = arrays.of_block(loaded.size());
        device.copy(to, slab.blocks[key]->bytes().data() + first * sizeof(SumPair),
                    count * sizeof(SumPair));
        loaded.push_back({{static_cast<std::int64_t>(key), 0}, to});
    }
    device.synchronize();
    return loaded;
}

/// Adds up the sums of the tiles of all ranks in `device`, which lies on a GPU for all or for none.
std::vector<double> add_up(const mpi::Communicator& ranks, DeviceOperations& device,
                           const PreparedOrbitals& prepared,
                           const std::map<TileId, PointSums>& sums) {
    const std::vector<Slab> slabs = slabs_of(prepared, sums);
    std::unique_ptr<PieceArrays> arrays;
    ranks.together([&] { arrays = std::make_unique<PieceArrays>(device, slabs); });
    mpi::DeviceCommunicatorOptions options;
    // NCCL connects in 0.8 s, in which MPI moves about so much (docs/notebook/collectives.md).
    constexpr std::int64_t worth_points = (std::int64_t{256} << 20) / sizeof(SumPair);
    options.use_nccl = ranks.size() > 1 && prepared.grid.size() >= worth_points;
    mpi::DeviceCommunicator communicator(ranks, device, options);
    const auto frames = static_cast<double>(prepared.frames.size());
    std::vector<double> mean;
    if (ranks.is_root()) mean.reserve(static_cast<std::size_t>(prepared.grid.size()));
    std::vector<SumPair> piece(arrays->piece());
    for (const Slab& slab : slabs)
        for (std::size_t first = 0; first < slab.points; first += piece.size()) {
            const std::size_t count = std::min(piece.size(), slab.points - first);
            const auto own = load(device, *arrays, slab, first, count);
            communicator.all_reduce(own, std::ssize(slab.blocks), count, arrays->result());
            if (!ranks.is_root()) continue;
            device.copy(piece.data(), arrays->result(), count * sizeof(SumPair));
            device.synchronize();
            for (const SumPair& sum : std::span(piece).first(count))
                mean.push_back(sum.result() / frames);
        }
    return mean;
}

}  // namespace

std::vector<double> mean_density(const mpi::Communicator& world, kernels::Backend backend,
                                 const PreparedOrbitals& prepared, const OrbitalOutput& output,
                                 const TileRun<OrbitalSum>& run) {
    std::map<TileId, PointSums> sums;
    world.together([&] { sums = output.density_sums(run.partials); });
    const bool has_gpu = backend == kernels::Backend::cuda && !run.device_lost;
    const bool on_gpus = world.allreduce_min(has_gpu ? 1 : 0) == 1;
    const auto device =
        kernels::make_device_operations(on_gpus ? backend : kernels::Backend::openmp);
    return add_up(world, *device, prepared, sums);
}

}  // namespace tessera::orbitals
