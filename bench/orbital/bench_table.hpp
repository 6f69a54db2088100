// The table that bench_orbital prints, and its options.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace tessera::bench {

struct Options {
    std::string device = "auto";
    int orbitals = 0, repeats = 0;
    bool table = true, fine = true, fine_files = false, latency = false, scaling = false;
    bool set_up = false;
    double tolerance = 3.5e-7;  ///< bohr^-3/2, so that total errors stay below 1e-6 of max |psi|
    int frames = 0;             ///< frames of the trajectory; 0: none
    double amplitude = 0.03;    ///< amplitude of its displacements, Angstrom
    double isovalue = 0.05;     ///< bohr^-3/2
    int tiles = 20000;          ///< tiles drawn from the counter
    std::vector<std::string> files;
};

inline void print_row(const std::string& name, double seconds, double points, double speed_up,
                      double error) {
    std::printf("%-46s %11.4f %13.1f %9.1f %10.1e\n", name.c_str(), seconds * 1e3,
                points / seconds * 1e-6, speed_up, error);
    std::fflush(stdout);
}

}  // namespace tessera::bench
