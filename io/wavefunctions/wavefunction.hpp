// Molecular wavefunctions of quantum-chemistry programs: atoms, basis shells, orbitals.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice.hpp"
#include "core/vec3.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

struct Nucleus {
    std::string symbol;
    int charge = 0;  ///< the atomic number if the file tells it
    Vec3 position;   ///< bohr
    /// What the potential of the nucleus lacks: the core electrons that a pseudopotential replaces.
    double core = 0;

    double charge_without_core() const { return charge - core; }
};

/// A contracted shell. The coefficients multiply normalised primitives. An sp shell is read as two
/// shells.
struct BasisShell {
    int atom = 0;  ///< index into nuclei
    int l = 0;     ///< 0 s, 1 p, 2 d, 3 f, 4 g, ...
    /// 2l+1 functions in the order 0,+1,-1,...; otherwise Cartesian ones in Molden's order.
    bool spherical = false;
    std::vector<double> exponents;     ///< bohr^-2
    std::vector<double> coefficients;  ///< as in the file

    int functions() const { return spherical ? 2 * l + 1 : (l + 1) * (l + 2) / 2; }
};

enum class Spin { alpha, beta };

struct MolecularOrbital {
    std::string symmetry;
    double energy = 0;  ///< hartree
    double occupation = 0;
    Spin spin = Spin::alpha;
    std::vector<double> coefficients;  ///< one for each basis function, in the order of the shells
};

/// A density matrix of the basis functions, [row][column], so that the density is the sum of the
/// elements times the products of two functions.
struct DensityMatrix {
    std::string name;  ///< in the file
    std::vector<double> values;
};

/// Transition density matrices between two states, of alpha and of beta orbitals, [row][column].
/// The hole and the electron are rows and columns in either order. In a frame without beta orbitals
/// `spins[1]` may be empty: then the first matrix is of both spins.
struct TransitionDensity {
    std::string name;
    bool of_orbitals = false;  ///< rows and columns are orbitals of the spin, not functions
    std::array<std::vector<double>, 2> spins;
};

/// Matrices that are read beside the orbitals if they are asked for.
struct WantedMatrices {
    std::string density = {};     ///< a density matrix, such as "MP2"
    std::string transition = {};  ///< the transition density to the excited state with this number
};

/// One frame: a geometry with its basis and orbitals (first alpha, then beta, as in the file).
struct Wavefunction {
    std::string path, sha256;  ///< of its file
    std::string title;
    std::vector<Nucleus> nuclei;
    std::vector<BasisShell> shells;
    std::vector<MolecularOrbital> orbitals;
    std::vector<std::string> warnings;
    bool is_periodic = false;  ///< whether the file tells of neighbouring cells
    /// Of the cells over which orbitals are summed, bohr. Without it the frame is one molecule.
    std::optional<Lattice> lattice;
    /// The first vectors of the lattice that bring neighbours: 1 polymer, 2 layer, 3 crystal.
    int repeated_directions = 3;
    std::optional<DensityMatrix> density_matrix;  ///< if it was asked for
    std::optional<TransitionDensity> transition;  ///< likewise

    int basis_functions() const {
        int count = 0;
        for (const BasisShell& shell : shells) count += shell.functions();
        return count;
    }
};

/// Reads a file of one or several frames (concatenated Molden frames), plain or .gz. The format is
/// recognised by the content. Throws Error with one clear line (file, and line number if possible)
/// if the file cannot be read.
/// Formats without the wanted matrices ignore them.
std::vector<Wavefunction> read_wavefunctions(const std::string& path,
                                             const WantedMatrices& wanted = {});
/// The same for a text. The frames do not have its hash.
std::vector<Wavefunction> parse_wavefunctions(const TextSource& source,
                                              const WantedMatrices& wanted = {});

}  // namespace tessera::io
