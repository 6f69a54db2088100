#include "bench/orbital/scaling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/run_tiles.hpp"
#include "io/files/sha256.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::bench {

namespace {

using orbitals::OrbitalSum;

/// The first `count` orbitals, or the HOMO, prepared as in the program.
orbitals::PreparedOrbitals prepared(const BenchCase& molecule, int count) {
    orbitals::PreparedOrbitals result;
    orbitals::OrbitalFrame& frame = result.frames.emplace_back();
    frame.wavefunction = molecule.wavefunction;
    for (int o = 0; o < count; ++o) {
        const int orbital = count == 1 ? molecule.homo : o;
        frame.items.push_back({orbital});
        result.selection.push_back({std::to_string(orbital + 1),
                                    orbitals::OrbitalRequest::Kind::numbers, 0, orbital,
                                    io::Spin::alpha});
    }
    result.grid = molecule.fine_grid;
    result.tiles = orbitals::cut_tiles({1, count, false, false, false, false, result.grid.shape});
    return result;
}

struct Pass {
    double seconds = 0;          ///< time of the slowest rank
    std::vector<double> shares;  ///< busy seconds of each rank
    std::string digest;          ///< of the sums' bits, on rank 0
};

Pass pass_over(const mpi::Communicator& world, const orbitals::PreparedOrbitals& work,
               const orbitals::OrbitalInput& input, kernels::OrbitalEvaluator& evaluator) {
    const auto tiles = static_cast<std::int64_t>(work.tiles.size());
    mpi::NodeTileIterator source(world, cut_into_tiles(tiles, 1));
    orbitals::OrbitalWorkload workload(evaluator, input, work);
    NoJournal<OrbitalSum> journal;
    world.barrier();
    const auto start = std::chrono::steady_clock::now();
    const auto run = run_tiles(workload, source, journal);
    world.barrier();
    Pass pass;
    pass.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    pass.shares = world.allgather(run.busy_seconds);
    std::string bytes;
    for (const auto& partial : mpi::gather_by_tile(world, run.partials, tiles))
        for (const OrbitalSum& sum : partial.records) {
            const double value = sum.sum.result();
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
    pass.digest = io::sha256_of(bytes).substr(0, 16);
    return pass;
}

}  // namespace

void time_scaling(const mpi::Communicator& world, const BenchCase& molecule, int orbitals,
                  const Options& options, kernels::OrbitalEvaluator& evaluator) {
    orbitals::OrbitalInput input;
    input.tolerance = options.tolerance;
    input.grids = false;
    if (world.is_root())
        std::printf(
            "\n%s, fine grid, %d rank%s: the tile queue, norms only\n%-14s %10s %13s %24s  %s\n",
            molecule.name.c_str(), world.size(), world.size() > 1 ? "s" : "", "orbitals", "ms",
            "Mpoint/s", "busy ms, least and most", "norms");
    for (const int count : {1, orbitals}) {
        const auto work = prepared(molecule, count);
        std::vector<Pass> passes;
        for (int i = 0; i < 6; ++i) passes.push_back(pass_over(world, work, input, evaluator));
        passes.erase(passes.begin());  // the first pass allocated memory
        std::ranges::nth_element(passes, passes.begin() + 2, {}, &Pass::seconds);
        const Pass& pass = passes[2];
        const auto [least, most] = std::ranges::minmax(pass.shares);
        if (!world.is_root()) continue;
        std::printf("%-14d %10.3f %13.1f %12.3f %11.3f  %s\n", count, pass.seconds * 1e3,
                    static_cast<double>(work.grid.size()) * count / pass.seconds * 1e-6,
                    least * 1e3, most * 1e3, pass.digest.c_str());
        std::fflush(stdout);
    }
}

}  // namespace tessera::bench
