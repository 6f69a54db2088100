// The molecules that bench_orbital evaluates.
#pragma once

#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::bench {

struct BenchCase {
    std::string name;
    io::Wavefunction wavefunction;
    int homo = 0;           ///< the orbital of rows with one orbital
    UniformGrid grid;       ///< 0.075 Angstrom: W1 of C60
    UniformGrid fine_grid;  ///< 0.025 Angstrom: W2 of C60
};

/// C60, 6-31G*, from c60_case.hpp, with `orbitals` pseudo-random orbitals.
BenchCase made_up_c60(int orbitals);

/// The first frame of a file. For C60 it has the paper's grids about its centre. Other molecules
/// have the box of the nuclei and 3 Angstrom around it.
BenchCase case_of_file(const std::string& path);

/// Folded orbitals, without a grid.
kernels::OrbitalProblem fold(const io::Wavefunction& wavefunction,
                             const std::vector<int>& orbitals);

/// `count` copies of a wavefunction with displaced nuclei. Displacements along each axis are
/// normally distributed with `amplitude` bohr, and always the same. The coefficients stay.
std::vector<io::Wavefunction> perturbed_frames(const io::Wavefunction& wavefunction, int count,
                                               double amplitude);

/// The box of all nuclei and 3 Angstrom around it.
UniformGrid grid_around(const std::vector<io::Wavefunction>& frames, double spacing_angstrom);

/// The occupied orbital of highest energy.
int homo_of(const io::Wavefunction& wavefunction);

}  // namespace tessera::bench
