// The algorithm of Stone et al. (2010), written from their text. It is the baseline of
// bench_orbital. One thread takes a grid point, and walks over atoms, shells and primitives with
// one exponential each. Whole grids are written in place. Launches and copies, which their program
// pays per plane, therefore do not count.
#pragma once

#include "bench/orbital/paper_arrays.hpp"
#include "core/uniform_grid.hpp"
#include "kokkos_kernels/device/block_tools.hpp"

namespace tessera::bench {

KOKKOS_INLINE_FUNCTION int paper_functions(int l) { return (l + 1) * (l + 2) / 2; }

/// For any degree: c times x^(L-r) y^(r-k) z^k, for r = 0 .. L, k = 0 .. r.
template <int L>
KOKKOS_INLINE_FUNCTION float paper_polynomial(const float* c, float x, float y, float z) {
    float power_x[L + 1], power_z[L + 1];
    power_x[0] = power_z[0] = 1;
    TESSERA_UNROLL_ALL
    for (int i = 1; i <= L; ++i) power_x[i] = power_x[i - 1] * x, power_z[i] = power_z[i - 1] * z;
    float value = 0, power_y[L + 1];
    power_y[0] = 1;
    TESSERA_UNROLL_ALL
    for (int i = 1; i <= L; ++i) power_y[i] = power_y[i - 1] * y;
    TESSERA_UNROLL_ALL
    for (int r = 0; r <= L; ++r) TESSERA_UNROLL_ALL
    for (int k = 0; k <= r; ++k)
        value += c[r * (r + 1) / 2 + k] * power_x[L - r] * power_y[r - k] * power_z[k];
    return value;
}

/// The polynomial of a shell.
KOKKOS_INLINE_FUNCTION float paper_shell(int l, const float* c, float x, float y, float z) {
    switch (l) {
        case 0: return c[0];
        case 1: return c[0] * x + c[1] * y + c[2] * z;
        case 2:
            return c[0] * x * x + c[1] * x * y + c[2] * x * z + c[3] * y * y + c[4] * y * z +
                   c[5] * z * z;
        case 3: return paper_polynomial<3>(c, x, y, z);
        default: return paper_polynomial<4>(c, x, y, z);
    }
}

/// On a host it takes 64 points of a row at once, to keep vector units busy. Their SSE code took
/// four. OpenMP runs over planes.
inline void paper_on_host(const PaperArrays& arrays, const UniformGrid& grid, float* out) {
    constexpr int width = 64;
    const int nx = static_cast<int>(grid.shape[0]), ny = static_cast<int>(grid.shape[1]);
    const int atoms = arrays.atoms();
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
                    const int* element = arrays.elements.data() + 3 * arrays.element_of(atom);
                    const float* primitive = arrays.basis.data() + 2 * element[2];
                    for (int s = 0; s < element[1]; ++s) {
                        float contracted[width] = {};
                        const int* shell = arrays.shells.data() + 2 * (element[0] + s);
                        const int count = shell[0], l = shell[1];
                        for (int q = 0; q < count; ++q, primitive += 2)
                            for (int i = 0; i < width; ++i)
                                contracted[i] +=
                                    primitive[1] * kernels::exp2_minus(primitive[0] * square[i]);
                        if (l == 0)
                            for (int i = 0; i < width; ++i) value[i] += contracted[i] * c[0];
                        else if (l == 1)
                            for (int i = 0; i < width; ++i)
                                value[i] += contracted[i] * paper_shell(1, c, dx[i], dy, dz);
                        else if (l == 2)
                            for (int i = 0; i < width; ++i)
                                value[i] += contracted[i] * paper_shell(2, c, dx[i], dy, dz);
                        else if (l == 3)
                            for (int i = 0; i < width; ++i)
                                value[i] += contracted[i] * paper_shell(3, c, dx[i], dy, dz);
                        else
                            for (int i = 0; i < width; ++i)
                                value[i] += contracted[i] * paper_shell(4, c, dx[i], dy, dz);
                        c += paper_functions(l);
                    }
                }
                for (int i = 0; i < width && begin + i < nx; ++i)
                    out[(z * ny + y) * nx + begin + i] = value[i];
            }
    }
}

#ifdef __CUDACC__

/// Sizes and the grid, passed by value.
struct PaperGrid {
    float origin[3], step;
    int nx, ny, nz, atoms;
};

inline PaperGrid paper_sizes(const PaperArrays& arrays, const UniformGrid& grid) {
    return {{static_cast<float>(grid.origin.x), static_cast<float>(grid.origin.y),
             static_cast<float>(grid.origin.z)},
            static_cast<float>(grid.spacing.x),
            static_cast<int>(grid.shape[0]),
            static_cast<int>(grid.shape[1]),
            static_cast<int>(grid.shape[2]),
            arrays.atoms()};
}

/// The element's index of an atom. It is read from a float's bits. A conversion of the value would
/// leave the unit that keeps what is the same for a whole warp, and would make indexed constant
/// memory seven times slower.
__device__ inline int paper_element(const float* positions, int atom) {
    return __float_as_int(positions[4 * atom + 3]);
}

/// The polynomial of a shell if the basis set ends at degree `Top`. Unused degrees would cost
/// registers.
template <int Top>
__device__ inline float paper_shell_up_to(int l, const float* c, float x, float y, float z) {
    if constexpr (Top <= 2)
        return l == 0 ? c[0] : l == 1 ? c[0] * x + c[1] * y + c[2] * z : paper_shell(2, c, x, y, z);
    else
        return paper_shell(l, c, x, y, z);
}

/// One point's orbital. The data is read through the given pointers.
template <int Top>
__device__ inline float paper_point(const PaperGrid& grid, const float* positions,
                                    const int* elements, const int* shells, const float* basis,
                                    const float* coefficients, float x, float y, float z) {
    float value = 0;
    const float* c = coefficients;
    for (int atom = 0; atom < grid.atoms; ++atom) {
        const float dx = x - positions[4 * atom], dy = y - positions[4 * atom + 1],
                    dz = z - positions[4 * atom + 2];
        const float square = dx * dx + dy * dy + dz * dz;
        const int* element = elements + 3 * paper_element(positions, atom);
        const int end = element[0] + element[1];
        const float* primitive = basis + 2 * element[2];
        for (int shell = element[0]; shell < end; ++shell) {
            float contracted = 0;
            const int count = shells[2 * shell];
            for (int q = 0; q < count; ++q, primitive += 2)
                contracted += primitive[1] * exp2f(-primitive[0] * square);
            value += contracted * paper_shell_up_to<Top>(shells[2 * shell + 1], c, dx, dy, dz);
            c += paper_functions(shells[2 * shell + 1]);
        }
    }
    return value;
}

__constant__ float constant_positions[1024], constant_basis[1024], constant_coefficients[4096];
__constant__ int constant_elements[64], constant_shells[512];

/// Everything is in constant memory, which serves a warp that reads one address as fast as
/// registers.
template <int Top>
__global__ void paper_constant(PaperGrid grid, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z;
    if (x >= grid.nx || y >= grid.ny) return;
    out[(static_cast<long>(z) * grid.ny + y) * grid.nx + x] =
        paper_point<Top>(grid, constant_positions, constant_elements, constant_shells,
                         constant_basis, constant_coefficients, grid.origin[0] + grid.step * x,
                         grid.origin[1] + grid.step * y, grid.origin[2] + grid.step * z);
}

/// Plain global memory behind the hardware's cache (their kernel for Fermi).
template <int Top>
__global__ void paper_cache(PaperGrid grid, const float* __restrict__ positions,
                            const int* __restrict__ elements, const int* __restrict__ shells,
                            const float* __restrict__ basis, const float* __restrict__ coefficients,
                            float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z;
    if (x >= grid.nx || y >= grid.ny) return;
    out[(static_cast<long>(z) * grid.ny + y) * grid.nx + x] = paper_point<Top>(
        grid, positions, elements, shells, basis, coefficients, grid.origin[0] + grid.step * x,
        grid.origin[1] + grid.step * y, grid.origin[2] + grid.step * z);
}

/// Arrays of any length. The walk fetches them piece by piece into shared memory when it reaches a
/// piece's end, which it checks outside the inner loops. All threads of a block of 64 take part in
/// fetching.
template <int Top>
__global__ void paper_tiled_shared(PaperGrid grid, const float* positions, const int* elements,
                                   const int* shells, const float* basis, const float* coefficients,
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
        const int* element = elements + 3 * paper_element(positions, atom);
        const int end = element[0] + element[1];
        int primitive = 2 * element[2];
        for (int shell = element[0]; shell < end; ++shell) {
            const int count = shells[2 * shell], l = shells[2 * shell + 1];
            if (primitive < basis_held || primitive + 2 * count > basis_held + piece)
                fetch(shared_basis, basis, basis_held = primitive, basis_count);
            float contracted = 0;
            for (int q = 0; q < count; ++q, primitive += 2)
                contracted += shared_basis[primitive - basis_held + 1] *
                              exp2f(-shared_basis[primitive - basis_held] * square);
            if (at + longest_shell > held + piece)
                fetch(shared_coefficients, coefficients, held = at, coefficient_count);
            value += contracted *
                     paper_shell_up_to<Top>(l, shared_coefficients + (at - held), dx, dy, dz);
            at += paper_functions(l);
        }
    }
    if (ix < grid.nx && iy < grid.ny)
        out[(static_cast<long>(iz) * grid.ny + iy) * grid.nx + ix] = value;
}

#endif

}  // namespace tessera::bench
