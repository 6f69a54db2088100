// The algorithm of Stone et al. (2010), written from their text, as the yardstick of bench_orbital: one
// thread a grid point, which walks over atoms, shells and primitives with one exponential each.
// Preprocessing as theirs: one copy of a basis set an element, contraction and normalisation folded
// in, exponents scaled for exp2. Whole grids are written in place, so launches and copies, which
// their program pays a plane, do not count.
#pragma once

#include <cmath>
#include <vector>

#include "bench/c60_case.hpp"
#include "kokkos_kernels/orbitals/block_tools.hpp"

namespace tessera::bench {

/// Per element: shells and primitives; per atom: position and the orbital's coefficients.
struct PaperArrays {
    std::vector<float> positions;     ///< [atom][4]
    std::vector<int> shells;          ///< [shell][2] primitives, degree; all atoms are carbon
    std::vector<float> basis;         ///< [primitive][2] exponent * log2(e), contraction
    std::vector<float> coefficients;  ///< [atom][function]; d as xx xy yy xz yz zz

    PaperArrays(const Molecule& molecule, int orbital) {
        for (const Vec3& atom : molecule.atoms)
            positions.insert(positions.end(),
                             {static_cast<float>(atom.x), static_cast<float>(atom.y),
                              static_cast<float>(atom.z), 0.0F});
        for (const Shell& shell : molecule.shells) {
            shells.insert(shells.end(), {static_cast<int>(shell.exponents.size()), shell.l});
            for (std::size_t p = 0; p < shell.exponents.size(); ++p)
                basis.insert(basis.end(),
                             {static_cast<float>(shell.exponents[p] * 1.4426950408889634),
                              static_cast<float>(shell.contraction[p] *
                                                 axis_norm(shell.l, shell.exponents[p]))});
        }
        const auto& row = molecule.orbitals.at(orbital);
        std::size_t function = 0;
        for (std::size_t atom = 0; atom < molecule.atoms.size(); ++atom)
            for (const Shell& shell : molecule.shells) {
                const auto c = [&](int m) { return static_cast<float>(row[function + m]); };
                const float mixed = std::sqrt(3.0F);
                if (shell.l == 2)
                    coefficients.insert(coefficients.end(), {c(0), mixed * c(3), c(1), mixed * c(4),
                                                             mixed * c(5), c(2)});
                else
                    for (int m = 0; m < 2 * shell.l + 1; ++m) coefficients.push_back(c(m));
                function += (shell.l + 1) * (shell.l + 2) / 2;
            }
    }
};

KOKKOS_INLINE_FUNCTION int paper_functions(int l) { return (l + 1) * (l + 2) / 2; }

/// The polynomial of a shell: its coefficients times x^i y^j z^k.
KOKKOS_INLINE_FUNCTION float paper_shell(int l, const float* c, float x, float y, float z) {
    if (l == 0) return c[0];
    if (l == 1) return c[0] * x + c[1] * y + c[2] * z;
    return c[0] * x * x + c[1] * x * y + c[2] * y * y + c[3] * x * z + c[4] * y * z + c[5] * z * z;
}

/// On a host: 64 points of a row at once, which keeps vector units busy where their SSE code took four;
/// OpenMP over planes.
inline void paper_on_host(const PaperArrays& arrays, const UniformGrid& grid, float* out) {
    constexpr int width = 64;
    const int nx = static_cast<int>(grid.shape[0]), ny = static_cast<int>(grid.shape[1]);
    const int atoms = static_cast<int>(arrays.positions.size() / 4);
    const int shells = static_cast<int>(arrays.shells.size() / 2);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t z = 0; z < grid.shape[2]; ++z) {
        [[maybe_unused]] const kernels::FlushDenormals as_their_compiler_does;
        for (int y = 0; y < ny; ++y)
            for (int begin = 0; begin < nx; begin += width) {
                const Vec3 p = grid.point(begin, y, z);
                float value[width] = {};
                const float* c = arrays.coefficients.data();
                for (int atom = 0; atom < atoms; ++atom) {
                    const float* at = arrays.positions.data() + 4 * atom;
                    const float dy = static_cast<float>(p.y) - at[1],
                                dz = static_cast<float>(p.z) - at[2];
                    float dx[width], square[width];
                    for (int i = 0; i < width; ++i) {
                        dx[i] = static_cast<float>(p.x) + static_cast<float>(grid.spacing.x) * i -
                                at[0];
                        square[i] = dx[i] * dx[i] + dy * dy + dz * dz;
                    }
                    const float* primitive = arrays.basis.data();
                    for (int shell = 0; shell < shells; ++shell) {
                        float contracted[width] = {};
                        const int count = arrays.shells[2 * shell],
                                  l = arrays.shells[2 * shell + 1];
                        for (int q = 0; q < count; ++q, primitive += 2)
                            for (int i = 0; i < width; ++i)
                                contracted[i] +=
                                    primitive[1] * kernels::exp2_minus(primitive[0] * square[i]);
                        if (l == 0)
                            for (int i = 0; i < width; ++i) value[i] += contracted[i] * c[0];
                        else if (l == 1)
                            for (int i = 0; i < width; ++i)
                                value[i] += contracted[i] * paper_shell(1, c, dx[i], dy, dz);
                        else
                            for (int i = 0; i < width; ++i)
                                value[i] += contracted[i] * paper_shell(2, c, dx[i], dy, dz);
                        c += paper_functions(l);
                    }
                }
                for (int i = 0; i < width && begin + i < nx; ++i)
                    out[(z * ny + y) * nx + begin + i] = value[i];
            }
    }
}

#ifdef __CUDACC__

/// Sizes and the grid, by value.
struct PaperGrid {
    float origin[3], step;
    int nx, ny, nz, atoms, shells;
};

inline PaperGrid paper_sizes(const PaperArrays& arrays, const UniformGrid& grid) {
    return {{static_cast<float>(grid.origin.x), static_cast<float>(grid.origin.y),
             static_cast<float>(grid.origin.z)},
            static_cast<float>(grid.spacing.x),
            static_cast<int>(grid.shape[0]),
            static_cast<int>(grid.shape[1]),
            static_cast<int>(grid.shape[2]),
            static_cast<int>(arrays.positions.size() / 4),
            static_cast<int>(arrays.shells.size() / 2)};
}

/// One point's orbital, data read through whatever pointers are given.
__device__ inline float paper_point(const PaperGrid& grid, const float* positions,
                                    const int* shells, const float* basis,
                                    const float* coefficients, float x, float y, float z) {
    float value = 0;
    const float* c = coefficients;
    for (int atom = 0; atom < grid.atoms; ++atom) {
        const float dx = x - positions[4 * atom], dy = y - positions[4 * atom + 1],
                    dz = z - positions[4 * atom + 2];
        const float square = dx * dx + dy * dy + dz * dz;
        const float* primitive = basis;
        for (int shell = 0; shell < grid.shells; ++shell) {
            float contracted = 0;
            const int count = shells[2 * shell];
            for (int q = 0; q < count; ++q, primitive += 2)
                contracted += primitive[1] * exp2f(-primitive[0] * square);
            value += contracted * paper_shell(shells[2 * shell + 1], c, dx, dy, dz);
            c += paper_functions(shells[2 * shell + 1]);
        }
    }
    return value;
}

__constant__ float constant_positions[1024], constant_basis[256], constant_coefficients[4096];
__constant__ int constant_shells[64];

/// Everything in constant memory, which serves a warp that reads one address as fast as registers.
__global__ void paper_constant(PaperGrid grid, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z;
    if (x >= grid.nx || y >= grid.ny) return;
    out[(static_cast<long>(z) * grid.ny + y) * grid.nx + x] =
        paper_point(grid, constant_positions, constant_shells, constant_basis,
                    constant_coefficients, grid.origin[0] + grid.step * x,
                    grid.origin[1] + grid.step * y, grid.origin[2] + grid.step * z);
}

/// Plain global memory behind the hardware's cache (their kernel for Fermi).
__global__ void paper_cache(PaperGrid grid, const float* __restrict__ positions,
                            const int* __restrict__ shells, const float* __restrict__ basis,
                            const float* __restrict__ coefficients, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z;
    if (x >= grid.nx || y >= grid.ny) return;
    out[(static_cast<long>(z) * grid.ny + y) * grid.nx + x] =
        paper_point(grid, positions, shells, basis, coefficients, grid.origin[0] + grid.step * x,
                    grid.origin[1] + grid.step * y, grid.origin[2] + grid.step * z);
}

/// Arrays of any length, fetched into shared memory piece by piece when the walk reaches a piece's
/// end; checked outside the inner loops. Blocks of 64 threads, all of which take part in fetching.
__global__ void paper_tiled_shared(PaperGrid grid, const float* positions, const int* shells,
                                   const float* basis, const float* coefficients,
                                   int coefficient_count, int basis_count, float* out) {
    constexpr int piece = 256, longest_shell = 16;
    __shared__ float shared_coefficients[piece], shared_basis[piece];
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const int ix = blockIdx.x * blockDim.x + threadIdx.x,
              iy = blockIdx.y * blockDim.y + threadIdx.y, iz = blockIdx.z;
    const float x = grid.origin[0] + grid.step * ix, y = grid.origin[1] + grid.step * iy,
                z = grid.origin[2] + grid.step * iz;
    const auto fetch = [&](float* shared, const float* from, int begin, int count) {
        __syncthreads();
        for (int i = thread; i < piece; i += threads)
            shared[i] = begin + i < count ? from[begin + i] : 0.0F;
        __syncthreads();
    };
    fetch(shared_coefficients, coefficients, 0, coefficient_count);
    fetch(shared_basis, basis, 0, basis_count);
    int held = 0, at = 0, basis_held = 0;
    float value = 0;
    for (int atom = 0; atom < grid.atoms; ++atom) {
        const float dx = x - positions[4 * atom], dy = y - positions[4 * atom + 1],
                    dz = z - positions[4 * atom + 2];
        const float square = dx * dx + dy * dy + dz * dz;
        int primitive = 0;
        for (int shell = 0; shell < grid.shells; ++shell) {
            const int count = shells[2 * shell], l = shells[2 * shell + 1];
            if (primitive < basis_held || primitive + 2 * count > basis_held + piece)
                fetch(shared_basis, basis, basis_held = primitive, basis_count);
            float contracted = 0;
            for (int q = 0; q < count; ++q, primitive += 2)
                contracted += shared_basis[primitive - basis_held + 1] *
                              exp2f(-shared_basis[primitive - basis_held] * square);
            if (at + longest_shell > held + piece)
                fetch(shared_coefficients, coefficients, held = at, coefficient_count);
            value += contracted * paper_shell(l, shared_coefficients + (at - held), dx, dy, dz);
            at += paper_functions(l);
        }
    }
    if (ix < grid.nx && iy < grid.ny)
        out[(static_cast<long>(iz) * grid.ny + iy) * grid.nx + ix] = value;
}

#endif

}  // namespace tessera::bench
