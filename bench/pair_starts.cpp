// This program measures how long a start of `dock --pairs` takes for a large table whose pairs are
// all done and known to the manifest. The results are small files that only the manifest vouches
// for; they are never opened. Usage: bench_pair_starts FOLDER [rows]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "docking/pairs/output_scan.hpp"

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;
using docking::DockPair;

constexpr std::size_t partners = 1000;  ///< different input files

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<DockPair> make_table(const fs::path& folder, std::size_t rows) {
    for (std::size_t i = 0; i < partners; ++i)
        std::ofstream(folder / (std::to_string(i) + ".pdb")) << std::string(100'000, 'x') << i;
    const auto file = [&](std::size_t i) {
        return (folder / (std::to_string(i % partners) + ".pdb")).string();
    };
    std::vector<DockPair> pairs(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        pairs[i].name = "p" + std::to_string(i);
        pairs[i].input.receptor_path = file(i / partners);
        pairs[i].input.ligand_path = file(i);
    }
    return pairs;
}

std::vector<std::string_view> names_of(const std::vector<DockPair>& pairs) {
    std::vector<std::string_view> names;
    names.reserve(pairs.size());
    for (const DockPair& pair : pairs) names.emplace_back(pair.name);
    return names;
}

/// Writes the results and a manifest that holds them. Prints what the records take.
void make_results(const docking::PairOutputs& outputs, const std::vector<DockPair>& pairs) {
    docking::PairManifest manifest(outputs.folder, outputs.kind(), names_of(pairs));
    docking::InputHashes inputs(manifest);
    double seconds = 0;
    for (const DockPair& pair : pairs) {
        std::ofstream(outputs.path(pair)) << "result";
        docking::FileHashes files;
        for (const std::string& path : docking::input_files(pair.input))
            files[path] = inputs.sha256(path);
        const docking::WrittenPair written{pair.name + ",done,,96,12.345,-123.456,",
                                           io::file_status(outputs.path(pair))->stamp,
                                           docking::input_hash(pair.input, files),
                                           {}};
        const auto start = std::chrono::steady_clock::now();
        manifest.add(pair.name, written);
        seconds += seconds_since(start);
    }
    std::printf("%zu rows: %.2f us to enter a pair\n", pairs.size(),
                1e6 * seconds / static_cast<double>(pairs.size()));
}

void time_start(const docking::PairOutputs& outputs, const std::vector<DockPair>& pairs) {
    const auto start = std::chrono::steady_clock::now();
    docking::PairManifest manifest(outputs.folder, outputs.kind(), names_of(pairs));
    const double read = seconds_since(start);
    docking::OutputScan scan(outputs, manifest);
    std::size_t done = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        done += scan.look_at(i, pairs[i]).status == docking::PairRow::Status::done;
    std::printf("%zu rows: manifest of %.0f MB read in %.2f s, scan in %.2f s, %zu done, %lld "
                "results opened, %lld inputs hashed\n",
                pairs.size(),
                1e-6 *
                    static_cast<double>(fs::file_size(docking::PairManifest::path(outputs.folder))),
                read, seconds_since(start) - read, done, static_cast<long long>(scan.opened()),
                static_cast<long long>(scan.inputs().read()));
    std::fflush(stdout);
}

int run(const fs::path& folder, std::size_t rows) {
    fs::create_directories(folder / "out");
    const auto pairs = make_table(folder, rows);
    const docking::PairOutputs outputs{
        (folder / "out").string(), "pairs.csv", "1.0", "abc", false, {{}, false}};
    make_results(outputs, pairs);
    time_start(outputs, pairs);  // hashes inputs that had just been written when they were entered
    time_start(outputs, pairs);
    return 0;
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    if (argc < 2) {
        std::puts("give an empty folder");
        return 2;
    }
    try {
        return tessera::bench::run(argv[1],
                                   argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'000);
    } catch (const tessera::Error& error) {
        std::puts(error.what());
        return 1;
    }
}
