// This program measures what the journal costs a rank: processor and wall time of a record of each
// size, and the checksum's rate.
//   bench_journal [FOLDER]   default: the working folder
// The folder should be on the disk that runs write to.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/journal/checksum.hpp"
#include "io/journal/journal.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Processor time of the calling thread, in the kernel and outside.
double processor_seconds() {
    struct rusage usage = {};
    getrusage(RUSAGE_THREAD, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<std::byte> some_bytes(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 >> 3);
    return bytes;
}

void time_checksum() {
    const auto bytes = some_bytes(std::size_t{1} << 24);
    tessera::io::Checksum sum;
    const double start = processor_seconds();
    constexpr int passes = 64;
    for (int pass = 0; pass < passes; ++pass) sum.add(bytes);
    const double took = processor_seconds() - start;
    std::printf("checksum of 16 MiB blocks: %.1f GB/s (%016llx)\n\n",
                passes * static_cast<double>(bytes.size()) / took * 1e-9,
                static_cast<unsigned long long>(sum.value()));
}

void time_records(const std::string& path, std::size_t size) {
    const auto bytes = some_bytes(size);
    const auto records =
        std::max<std::size_t>(200, std::min<std::size_t>(20000, (400u << 20) / size));
    const auto start = Clock::now();
    const double busy = processor_seconds();
    tessera::io::JournalWriter writer(path, {});
    for (std::size_t i = 0; i < records; ++i) writer.append(bytes);
    const double took = processor_seconds() - busy, wall = seconds_since(start);
    writer.close(true);
    std::printf("%10zu %10zu %14.2f %14.2f %16.3f\n", size, records,
                1e6 * took / static_cast<double>(records),
                1e6 * wall / static_cast<double>(records), seconds_since(start) - wall);
    std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::string path = std::string(argc > 1 ? argv[1] : ".") + "/bench_journal.tmp";
        time_checksum();
        std::printf("%10s %10s %14s %14s %16s\n", "bytes", "records", "processor us", "wall us",
                    "last sync, s");
        for (const std::size_t size : {256u, 4096u, 12288u, 49152u, 196608u, 1048576u})
            time_records(path, size);
    } catch (const tessera::Error& error) {
        std::fprintf(stderr, "bench_journal: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
