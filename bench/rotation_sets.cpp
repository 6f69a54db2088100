// This program makes a rotation set and measures it:
//   bench_rotation_sets BASES [FILE]
// It relaxes BASES base rotations and prints the holes of the 24 x BASES rotations. It writes the
// bases to FILE in the format of data/rotations.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "docking/search/relax_rotations.hpp"
#include "docking/search/rotation_covering.hpp"

namespace {

bool write_bases(const char* path, const std::vector<tessera::Quaternion>& bases,
                 const tessera::docking::Covering& covering) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), std::fclose);
    if (!file) return false;
    std::fprintf(
        file.get(),
        "# w,x,y,z: %zu unit quaternions; with the 24 rotations of the cube %zu rotations.\n"
        "# Super-Fibonacci spiral (Alexa 2022) relaxed by Riesz repulsion among all orbit\n"
        "# members, see docs/method/docking-rotations.md; made by scripts/make_rotation_sets.\n"
        "# Largest hole %.2f degrees, mean %.2f (200000 random probes).\n",
        bases.size(), 24 * bases.size(), covering.largest_hole, covering.mean);
    for (const auto& q : bases)
        std::fprintf(file.get(), "%.17g,%.17g,%.17g,%.17g\n", q.w, q.x, q.y, q.z);
    return std::ferror(file.get()) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    const long long count = argc > 1 ? std::atoll(argv[1]) : 0;
    if (count < 1 || argc > 3) {
        std::fprintf(stderr,
                     "usage: rotation_sets BASES [FILE]   e.g. rotation_sets 150 150.csv\n");
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto bases = tessera::docking::relaxed_orbit_bases(count);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const auto covering =
        tessera::docking::measure_covering(bases, tessera::docking::covering_probes(200'000));
    std::printf(
        "%lld bases, %lld rotations: largest hole %.2f degrees, mean %.2f; relaxed in %.1f s\n",
        count, 24 * count, covering.largest_hole, covering.mean, took.count());
    if (argc == 3 && !write_bases(argv[2], bases, covering)) {
        std::fprintf(stderr, "cannot write %s (missing folder or full disk): check the path\n",
                     argv[2]);
        return 4;
    }
    return 0;
}
