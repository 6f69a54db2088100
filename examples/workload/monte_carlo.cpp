// A workload from beginning to end: pi from random points in a square, on any number of ranks.
//     mpirun -n 4 monte_carlo out.h5 1000000000
// docs/architecture.md explains the parts; CONTRIBUTING.md walks through this file.
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "core/ordered_sum.hpp"
#include "core/stop_flag.hpp"
#include "core/tile.hpp"
#include "engine/agreement.hpp"
#include "engine/finish_run.hpp"
#include "engine/resume.hpp"
#include "engine/run_workload.hpp"
#include "engine/start_device.hpp"
#include "engine/tile_journal.hpp"
#include "io/files/sha256.hpp"
#include "io/hdf5/output_path.hpp"
#include "mpi/session.hpp"

namespace {

using namespace tessera;

/// A tile is a range of points; its partial is the number of points inside the circle.
struct Circle {
    using Payload = double;

    TilePartial<Payload> run(const Tile& tile) {
        std::mt19937_64 random(
            static_cast<std::uint64_t>(tile.id.value));  // depends on the tile alone
        std::uniform_real_distribution<double> coordinate(-1, 1);
        double inside = 0;
        for (std::int64_t point = tile.begin; point < tile.end; ++point) {
            const double x = coordinate(random), y = coordinate(random);
            inside += x * x + y * y < 1 ? 1 : 0;
        }
        return {tile.id, {inside}};
    }
};

int estimate_pi(const std::string& output, std::int64_t points, const StopFlag& stop) {
    const auto ranks = mpi::Communicator::world();
    const bool speaks = ranks.is_root();
    io::RunRecord record;
    record.command_line = "monte_carlo " + output + " " + std::to_string(points);
    record.input = "{\"points\": " + std::to_string(points) + "}";
    record.input_sha256 = io::sha256_of(record.input);
    ranks.together([&] {
        if (speaks) io::check_output_path(output, false);
    });

    const auto cut = cut_into_tiles(points, 1'000'000);  // by the input alone
    const auto identity =
        engine::agreed_identity(ranks, "monte-carlo", record.input_sha256, std::ssize(cut));
    const auto device = engine::start_device(ranks, {});
    engine::announce_devices(ranks, device->info(), speaks, record);

    Circle circle;
    mpi::NodeTileIterator tiles(ranks, cut);
    DiskJournal<double> journal(
        ranks, engine::journal_request(output, identity, device->info(), false, &stop));
    const auto run = engine::run_workload(ranks, circle, tiles, journal,
                                          {"points", "tiles", device->info(), stop}, record);
    const auto partials = engine::gather_partials(ranks, run, record);

    ranks.together([&] {
        if (!ranks.is_root()) return;
        const double inside = ordered_sum(partials, [](double count) { return count; }).result();
        const double pi = 4 * inside / static_cast<double>(points);
        io::ResultFile file(output, "monte-carlo", engine::program_version());
        engine::finish_run(
            file, record, false, [&] { file.root().write_attribute("pi", pi); },
            [&] { journal.remove(); }, [&] { return "pi is about " + std::to_string(pi); });
    });
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    auto stop = std::make_unique<StopFlag>();
    mpi::Session session(argc, argv);
    return session.run([&] {
        stop->listen_again();
        if (argc != 3)
            throw Error("no such arguments", "two are needed", "monte_carlo OUT.h5 POINTS");
        return estimate_pi(argv[1], std::stoll(argv[2]), *stop);
    });
}
