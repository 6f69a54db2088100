// Orbitals of C60, 6-31G*, and of Molden files, against the algorithm of Stone et al. (2010) in the same run:
//   bench_orbital [--device auto|cuda|openmp] [--orbitals N] [--repeats R] [--skip-fine] [--tolerance T]
//                 [--skip-table] [--latency] [--scaling] [--frames N [--amplitude A] [--isovalue V]]
//                 [--fine-files] [FILE.molden ...]
// Kernel times (list building included); errors relative to max |psi| on sample points, against a
// double sum over all groups. W1 is the paper's grid (0.075 A), W2 the same box at a third of the spacing.
// --frames: isosurfaces of N perturbed frames of the last file, or of C60. Rank 0 measures; with
// several ranks all of them fetch tiles (--latency) and share the work (--scaling).
#include <Kokkos_Core.hpp>
#include <memory>

#include "bench/orbital/bench_case.hpp"
#include "bench/orbital/bench_table.hpp"
#include "bench/orbital/case_rows.hpp"
#include "bench/orbital/latency.hpp"
#include "bench/orbital/scaling.hpp"
#include "bench/orbital/trajectory.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "mpi/session.hpp"

namespace tessera::bench {
namespace {

using namespace kernels;

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string("0"); };
        if (name == "--device")
            options.device = value();
        else if (name == "--orbitals")
            options.orbitals = std::stoi(value());
        else if (name == "--repeats")
            options.repeats = std::stoi(value());
        else if (name == "--tolerance")
            options.tolerance = std::stod(value());
        else if (name == "--skip-fine")
            options.fine = false;
        else if (name == "--skip-table")
            options.table = false;
        else if (name == "--fine-files")
            options.fine_files = true;
        else if (name == "--latency")
            options.latency = true;
        else if (name == "--scaling")
            options.scaling = true;
        else if (name == "--frames")
            options.frames = std::stoi(value());
        else if (name == "--amplitude")
            options.amplitude = std::stod(value());
        else if (name == "--isovalue")
            options.isovalue = std::stod(value());
        else if (name == "--tiles")
            options.tiles = std::stoi(value());
        else if (name.starts_with("--"))
            throw Error("unknown option " + name, "see the source", "leave it away");
        else
            options.files.push_back(name);
    }
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
                                   tessera::bench::parse(argc, argv));
    });
}
