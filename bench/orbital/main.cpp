// This program compares orbitals of C60, 6-31G*, and of Molden files with the algorithm of Stone et
// al. (2010) in the same run:
//   bench_orbital [--device auto|cuda|openmp] [--orbitals N] [--repeats R] [--skip-fine]
//                 [--tolerance T] [--skip-table] [--latency] [--scaling] [--set-up]
//                 [--frames N [--amplitude A] [--isovalue V]] [--fine-files] [FILE.molden ...]
// Times are kernel times (list building included). Errors are relative to max |psi| on sample
// points, against a double sum over all groups. W1 is the paper's grid (0.075 A), W2 the same box
// at a third of the spacing. --frames makes isosurfaces of N perturbed frames of the last file, or
// of C60. Rank 0 measures. With several ranks, all of them fetch tiles (--latency) and share the
// work (--scaling).
#include <Kokkos_Core.hpp>
#include <memory>

#include "bench/command_line.hpp"
#include "bench/orbital/bench_case.hpp"
#include "bench/orbital/bench_table.hpp"
#include "bench/orbital/case_rows.hpp"
#include "bench/orbital/latency.hpp"
#include "bench/orbital/scaling.hpp"
#include "bench/orbital/set_up.hpp"
#include "bench/orbital/trajectory.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "mpi/session.hpp"

namespace tessera::bench {
namespace {

using namespace kernels;

Options parse(CommandLine line) {
    Options options;
    line.take("--device", options.device);
    line.take("--orbitals", options.orbitals);
    line.take("--repeats", options.repeats);
    line.take("--tolerance", options.tolerance);
    line.take("--frames", options.frames);
    line.take("--amplitude", options.amplitude);
    line.take("--isovalue", options.isovalue);
    line.take("--tiles", options.tiles);
    options.fine = !line.take("--skip-fine");
    options.table = !line.take("--skip-table");
    options.fine_files = line.take("--fine-files");
    options.latency = line.take("--latency");
    options.scaling = line.take("--scaling");
    options.set_up = line.take("--set-up");
    options.files = line.rest();
    return options;
}

int run(const mpi::Communicator& world, const Options& options) {
    const mpi::Communicator node = world.split_shared();
    const DeviceRuntime runtime({options.device, node.rank(), node.size(), 0});
    const DeviceInfo& device = runtime.info();
    const bool cuda = device.backend == Backend::cuda;
    const int many = options.orbitals > 0 ? options.orbitals : cuda ? 192 : 8;
    const auto evaluator = make_orbital_evaluator(device.backend);
    BenchCase last = made_up_c60(many);
    if (world.is_root()) {
        std::printf("%s (%s, %d host threads)\n", device.name.c_str(),
                    name_of(device.backend).c_str(), device.threads);
        if (options.table) CaseRows(last, options, cuda, *evaluator).run(options.fine);
        for (const std::string& file : options.files) {
            last = case_of_file(file);
            if (options.table) CaseRows(last, options, cuda, *evaluator).run(options.fine_files);
        }
        if (options.frames > 0) time_trajectory(last, options, *evaluator);
        if (options.set_up) time_set_up(last, many);
    }
    if (options.latency) time_latencies(world, options, device, *evaluator);
    if (options.scaling) time_scaling(world, made_up_c60(many), many, options, *evaluator);
    return 0;
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    tessera::mpi::Session session(argc, argv);
    return session.run([&] {
        return tessera::bench::run(tessera::mpi::Communicator::world(),
                                   tessera::bench::parse({argc, argv}));
    });
}
