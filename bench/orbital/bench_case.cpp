#include "bench/orbital/bench_case.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "bench/c60_case.hpp"
#include "orbitals/basis/folded_basis.hpp"

namespace tessera::bench {

namespace {

/// The cosine half of Box and Muller's pair, from two counted uniform numbers.
double normal(std::uint64_t counter) {
    const double first = (uniform(2 * counter) + 1) / 2, second = uniform(2 * counter + 1);
    return std::sqrt(-2 * std::log(1 - first)) * std::cos(std::numbers::pi * second);
}

bool is_c60(const io::Wavefunction& wavefunction) {
    return wavefunction.nuclei.size() == 60 &&
           std::ranges::all_of(wavefunction.nuclei, [](const auto& n) { return n.symbol == "C"; });
}

/// Centres a grid at the mean of the nuclei instead of the coordinates' origin.
UniformGrid about(const io::Wavefunction& wavefunction, UniformGrid grid) {
    const auto count = static_cast<double>(wavefunction.nuclei.size());
    for (const io::Nucleus& nucleus : wavefunction.nuclei) {
        grid.origin.x += nucleus.position.x / count;
        grid.origin.y += nucleus.position.y / count;
        grid.origin.z += nucleus.position.z / count;
    }
    return grid;
}

}  // namespace

BenchCase made_up_c60(int orbitals) {
    const Molecule molecule(orbitals);
    BenchCase result{"C60, 6-31G* (made up)", {}, 0, paper_grid(false), paper_grid(true)};
    io::Wavefunction& wavefunction = result.wavefunction;
    for (std::size_t atom = 0; atom < molecule.atoms.size(); ++atom) {
        wavefunction.nuclei.push_back({"C", 6, molecule.atoms[atom]});
        for (const Shell& shell : molecule.shells)
            wavefunction.shells.push_back(
                {static_cast<int>(atom), shell.l, false, shell.exponents, shell.contraction});
    }
    for (const auto& row : molecule.orbitals) {
        io::MolecularOrbital& orbital = wavefunction.orbitals.emplace_back();
        orbital.occupation = 2;
        orbital.coefficients = row;
    }
    return result;
}

BenchCase case_of_file(const std::string& path) {
    BenchCase result;
    result.name = std::filesystem::path(path).filename().string();
    result.wavefunction = std::move(io::read_wavefunctions(path).at(0));
    result.homo = homo_of(result.wavefunction);
    const bool paper = is_c60(result.wavefunction);
    result.grid = paper ? about(result.wavefunction, paper_grid(false))
                        : grid_around({result.wavefunction}, 0.075);
    result.fine_grid = paper ? about(result.wavefunction, paper_grid(true))
                             : grid_around({result.wavefunction}, 0.025);
    return result;
}

kernels::OrbitalProblem fold(const io::Wavefunction& wavefunction,
                             const std::vector<int>& orbitals) {
    kernels::OrbitalProblem problem;
    orbitals::fold_orbitals(wavefunction, orbitals, problem);
    return problem;
}

std::vector<io::Wavefunction> perturbed_frames(const io::Wavefunction& wavefunction, int count,
                                               double amplitude) {
    std::vector<io::Wavefunction> frames(static_cast<std::size_t>(count), wavefunction);
    std::uint64_t counter = 0;
    for (io::Wavefunction& frame : frames)
        for (io::Nucleus& nucleus : frame.nuclei) {
            nucleus.position.x += amplitude * normal(counter++);
            nucleus.position.y += amplitude * normal(counter++);
            nucleus.position.z += amplitude * normal(counter++);
        }
    return frames;
}

UniformGrid grid_around(const std::vector<io::Wavefunction>& frames, double spacing_angstrom) {
    constexpr double most = std::numeric_limits<double>::max();
    Vec3 low{most, most, most}, high{-most, -most, -most};
    for (const io::Wavefunction& frame : frames)
        for (const io::Nucleus& nucleus : frame.nuclei) {
            const Vec3& at = nucleus.position;
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
    const double h = spacing_angstrom / bohr, padding = 3 / bohr;
    const auto points = [&](double from, double to) {
        return static_cast<std::int64_t>(std::ceil((to - from + 2 * padding) / h)) + 1;
    };
    return {{low.x - padding, low.y - padding, low.z - padding},
            {h, h, h},
            {points(low.x, high.x), points(low.y, high.y), points(low.z, high.z)}};
}

int homo_of(const io::Wavefunction& wavefunction) {
    const auto& orbitals = wavefunction.orbitals;
    int homo = 0;
    double highest = -std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < orbitals.size(); ++i)
        if (orbitals[i].occupation > 0.5 && orbitals[i].energy >= highest) {
            highest = orbitals[i].energy;
            homo = static_cast<int>(i);
        }
    return homo;
}

}  // namespace tessera::bench
