// This program compares compensated sums over ranks with plain ones. It measures the time from 1 KB
// to 1 GB of doubles, the error where terms cancel, and the bits. The bits must not depend on the
// number of ranks or on the transport.
//   mpirun -n 2 bench_collectives [--device auto|cuda|openmp] [--largest MIB] [--repeats R]
//                                 [--no-nccl] [--piece KIB]
// A size counts the doubles. The compensated sum moves twice as many bytes. Times cover the whole
// call, from the barrier to the last rank's return. They are medians of R.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/cancelling_terms.hpp"
#include "bench/command_line.hpp"
#include "bench/device_array.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/device/device_operations.hpp"
#include "mpi/collectives/device_communicator.hpp"
#include "mpi/collectives/nccl_exchange.hpp"
#include "mpi/session.hpp"

namespace tessera::bench {
namespace {

using mpi::Communicator;
using mpi::DeviceCommunicator;
using mpi::KeyedSums;

struct Options {
    std::string device = "auto";
    std::size_t largest_mib = 1024;
    std::size_t piece_kib = 0;
    int repeats = 7;
    bool nccl = true;
};

Options parse(CommandLine line) {
    Options options;
    line.take("--device", options.device);
    line.take("--largest", options.largest_mib);
    line.take("--piece", options.piece_kib);
    line.take("--repeats", options.repeats);
    options.repeats = std::max(1, options.repeats);
    options.nccl = !line.take("--no-nccl");
    line.rest();
    return options;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The slowest rank's seconds, median over the repeats after one call to warm up.
double time_call(const Communicator& ranks, int repeats, const std::function<void()>& call) {
    std::vector<double> times;
    for (int i = 0; i <= repeats; ++i) {
        ranks.barrier();
        const auto start = std::chrono::steady_clock::now();
        call();
        const std::vector<double> all = ranks.allgather(seconds_since(start));
        if (i > 0) times.push_back(*std::max_element(all.begin(), all.end()));
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[static_cast<std::size_t>(repeats / 2)];
}

/// The sum of doubles that the libraries offer: NCCL's on GPUs and MPI's on hosts.
class PlainSum {
  public:
    PlainSum(const Communicator& ranks, DeviceOperations& device, bool nccl)
        : ranks_(ranks.duplicate()) {
#ifdef TESSERA_ENABLE_NCCL
        if (nccl)
            nccl_ = std::make_unique<mpi::NcclExchange>(ranks, device, std::chrono::seconds(120));
#endif
        offered_ = nccl || device.gpu_identity().empty();
        name_ = nccl ? "ncclAllReduce" : "MPI_Allreduce";
    }
    bool offered() const { return offered_; }
    const char* name() const { return name_; }
    void operator()(double* data, std::size_t count) {
#ifdef TESSERA_ENABLE_NCCL
        if (nccl_)
            return nccl_->run(name_, [&](ncclComm_t communicator, cudaStream_t stream) {
                return ncclAllReduce(data, data, count, ncclDouble, ncclSum, communicator, stream);
            });
#endif
        mpi::check(MPI_Allreduce(MPI_IN_PLACE, data, static_cast<int>(count), MPI_DOUBLE, MPI_SUM,
                                 ranks_.handle()),
                   "MPI_Allreduce");
    }

  private:
    Communicator ranks_;
    bool offered_ = false;
    const char* name_ = "";
#ifdef TESSERA_ENABLE_NCCL
    std::unique_ptr<mpi::NcclExchange> nccl_;
#endif
};

std::vector<SumPair> random_pairs(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<SumPair> pairs(count);
    for (SumPair& pair : pairs) pair.value = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
    return pairs;
}

/// All ranks send their pairs to rank 0, which adds them on its host in the order of the ranks.
/// This is what runs do with small partials.
void add_on_root(const Communicator& ranks, DeviceOperations& device, const SumPair* mine,
                 std::vector<SumPair>& sum) {
    HostOperations host;
    std::vector<SumPair> own(sum.size());
    device.copy(own.data(), mine, own.size() * sizeof(SumPair));
    device.synchronize();
    std::vector<SumPair> from(ranks.is_root() ? sum.size() : 0);
    host.clear(sum.data(), sum.size());
    ranks.gather_bytes(std::as_bytes(std::span(own)), [&](int, std::span<const std::byte> bytes) {
        std::memcpy(from.data(), bytes.data(), bytes.size());
        const ArrayMerge step{sum.data(), from.data()};
        host.merge({&step, 1}, sum.size());
    });
}

/// Times one contribution per rank, from 1 KB of doubles upwards.
void time_sizes(DeviceCommunicator& communicator, DeviceOperations& device, PlainSum& plain,
                const Options& options) {
    const Communicator& ranks = communicator.ranks();
    const auto factor =
        2.0 * (ranks.size() - 1) / ranks.size();  // sent and received, relative to the array
    if (ranks.is_root())
        std::printf("%10s %14s %10s %14s %14s %10s %7s %14s\n", "KiB", "compensated us",
                    "GB/s moved", "its scatter us", plain.name(), "GB/s moved", "ratio",
                    "on rank 0 us");
    for (std::size_t bytes = 1024; bytes <= options.largest_mib << 20; bytes *= 4) {
        const std::size_t count = bytes / sizeof(double);
        const DeviceArray mine(device, 2 * bytes), sum(device, 2 * bytes), doubles(device, bytes);
        mine.write(random_pairs(count, static_cast<std::uint64_t>(ranks.rank())));
        doubles.write(std::vector<double>(count, 0.5));
        const std::vector<KeyedSums> one{{{ranks.rank(), 0}, mine.as<SumPair>()}};
        const double whole = time_call(ranks, options.repeats, [&] {
            communicator.all_reduce(one, ranks.size(), count, sum.as<SumPair>());
        });
        const double share = time_call(ranks, options.repeats, [&] {
            communicator.reduce_scatter(one, ranks.size(), count, sum.as<SumPair>());
        });
        const double library =
            plain.offered()
                ? time_call(ranks, options.repeats, [&] { plain(doubles.as<double>(), count); })
                : NAN;
        std::vector<SumPair> on_root(count);
        const double gathered = time_call(ranks, options.repeats, [&] {
            add_on_root(ranks, device, mine.as<SumPair>(), on_root);
        });
        const double moved = factor * static_cast<double>(bytes) * 1e-9;
        if (ranks.is_root())
            std::printf("%10zu %14.1f %10.1f %14.1f %14.1f %10.1f %7.2f %14.1f\n", bytes >> 10,
                        whole * 1e6, 2 * moved / whole, share * 1e6, library * 1e6, moved / library,
                        whole / library, gathered * 1e6);
    }
}

std::uint64_t fnv1a(const std::vector<SumPair>& pairs) {
    std::uint64_t digest = 14695981039346656037u;
    const auto* bytes = reinterpret_cast<const unsigned char*>(pairs.data());
    for (std::size_t b = 0; b < pairs.size() * sizeof(SumPair); ++b)
        digest = (digest ^ bytes[b]) * 1099511628211u;
    return digest;
}

/// Compares errors with sixteen contributions that cancel to a part in 2^bits, dealt out to the
/// ranks in turn.
void compare_errors(DeviceCommunicator& communicator, DeviceOperations& device, PlainSum& plain,
                    int bits) {
    constexpr int keys = 16;
    constexpr std::size_t count = 1 << 15;
    const Communicator& ranks = communicator.ranks();
    std::mt19937_64 random(2026);
    std::vector<std::vector<SumPair>> contributions(keys, std::vector<SumPair>(count));
    std::vector<double> exact(count), conditions(count, 0.0), mine_plainly(count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        __int128 sum = 0;
        const std::vector<double> terms = cancelling_terms(keys, bits, random, sum);
        exact[i] = static_cast<double>(sum);
        for (std::size_t k = 0; k < keys; ++k) {
            contributions[k][i].value = terms[k];
            conditions[i] += std::abs(terms[k] / exact[i]);
            if (static_cast<int>(k) % ranks.size() == ranks.rank()) mine_plainly[i] += terms[k];
        }
    }
    std::vector<std::unique_ptr<DeviceArray>> arrays;
    std::vector<KeyedSums> mine;
    for (int k = ranks.rank(); k < keys; k += ranks.size()) {
        arrays.push_back(std::make_unique<DeviceArray>(device, count * sizeof(SumPair)));
        arrays.back()->write(contributions[static_cast<std::size_t>(k)]);
        mine.push_back({{k, 0}, arrays.back()->as<SumPair>()});
    }
    const DeviceArray result(device, count * sizeof(SumPair)), doubles(device, count * 8);
    communicator.all_reduce(mine, keys, count, result.as<SumPair>());
    doubles.write(mine_plainly);
    if (plain.offered()) plain(doubles.as<double>(), count);
    if (!ranks.is_root()) return;

    const auto pairs = result.read<SumPair>(count);
    const auto sums = doubles.read<double>(count);
    ErrorStatistics compensated, library;
    for (std::size_t i = 0; i < count; ++i) {
        compensated.add(pairs[i].result(), exact[i]);
        library.add(plain.offered() ? sums[i] : NAN, exact[i]);
    }
    std::sort(conditions.begin(), conditions.end());
    std::printf("%10.1e", conditions[count / 2]);
    compensated.print();
    library.print();
    std::printf("   %016llx\n", static_cast<unsigned long long>(fnv1a(pairs)));
}

int run(const Communicator& world, const Options& options) {
    const Communicator node = world.split_shared();
    const kernels::DeviceRuntime runtime({options.device, node.rank(), node.size(), 0});
    const auto device = kernels::make_device_operations(runtime.info().backend);
    mpi::DeviceCommunicatorOptions settings;
    settings.use_nccl = options.nccl;
    if (options.piece_kib > 0) settings.reduction.piece_elements = options.piece_kib * 1024 / 16;
    world.barrier();
    const auto start = std::chrono::steady_clock::now();
    DeviceCommunicator communicator(world, *device, settings);
    const double connect_seconds = seconds_since(start);
    PlainSum plain(world, *device, communicator.transport() == mpi::Transport::nccl);
    if (world.is_root())
        std::printf("%d ranks, %s, %s, connected in %.3f s; MPI takes GPU memory: %s\n\n",
                    world.size(), runtime.info().name.c_str(), communicator.description().c_str(),
                    connect_seconds, mpi::mpi_takes_gpu_memory() ? "yes" : "no");
    time_sizes(communicator, *device, plain, options);
    constexpr std::size_t bytes = std::size_t{256} << 20;
    const DeviceArray large(*device, bytes);
    large.write(std::vector<char>(bytes, 'x'));
    const double broadcast =
        time_call(world, options.repeats, [&] { communicator.broadcast(large.as<char>(), bytes); });
    if (world.is_root())
        std::printf("broadcast of 256 MiB: %.2f ms, %.1f GB/s\n", broadcast * 1e3,
                    static_cast<double>(bytes) * 1e-9 / broadcast);
    if (world.is_root())
        std::printf("\nsixteen terms a value; relative errors, median and largest; bits of the "
                    "compensated sum\n%10s %25s %25s\n",
                    "condition", "compensated", plain.name());
    for (const int bits : {10, 30, 50, 70, 90}) compare_errors(communicator, *device, plain, bits);
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
