#include "bench/orbital/generated_source.hpp"

#include <fmt/format.h>

namespace tessera::bench {

namespace {

std::string power(const char* variable, int exponent) {
    std::string text;
    for (int i = 0; i < exponent; ++i) text += fmt::format(" * {}", variable);
    return text;
}

/// Adds a shell to value[p]. Its coefficients start at wave[first + `at`].
std::string shell_source(const float* primitives, int count, int l, int& at) {
    std::string text;
    for (int q = 0; q < count; ++q)
        text += fmt::format("            s {} {:.9e}f * exp2f({:.9e}f * square);\n",
                            q == 0 ? "=" : "+=", primitives[2 * q + 1], -primitives[2 * q]);
    std::string sum;
    for (int r = 0; r <= l; ++r)
        for (int k = 0; k <= r; ++k)
            sum += fmt::format("{}wave[first + {}]{}{}{}", sum.empty() ? "" : " + ", at++,
                               power("dx", l - r), power("dy", r - k), power("dz", k));
    return text + fmt::format("            value[p] += s * ({});\n", sum);
}

/// Code for all atoms from `begin` to `end`, which share a basis set.
std::string element_source(const PaperArrays& arrays, int element, int begin, int end) {
    std::string text = fmt::format(R"(    for (int atom = {}; atom < {}; ++atom) {{
        const float dx = x - positions[4 * atom], dy = y - positions[4 * atom + 1];
        const float plane = dx * dx + dy * dy;
#pragma unroll
        for (int p = 0; p < points; ++p) {{
            const float dz = z + step * (float)p - positions[4 * atom + 2];
            const float square = plane + dz * dz;
            float s;
)",
                                   begin, end);
    const int* found = arrays.elements.data() + 3 * element;
    const float* primitives = arrays.basis.data() + 2 * found[2];
    int functions = 0;
    for (int shell = found[0]; shell < found[0] + found[1]; ++shell) {
        const int count = arrays.shells[2 * shell], l = arrays.shells[2 * shell + 1];
        text += shell_source(primitives, count, l, functions);
        primitives += 2 * count;
    }
    return text + fmt::format("        }}\n        first += {};\n    }}\n", functions);
}

}  // namespace

std::string generated_source(const PaperArrays& arrays, int points) {
    std::string text = fmt::format(
        R"(__constant__ float positions[{}], wave[{}];
extern "C" __global__ void paper_generated(float x0, float y0, float z0, float step, int nx, int ny,
                                           int nz, float* out) {{
    constexpr int points = {};
    const int ix = blockIdx.x * blockDim.x + threadIdx.x;
    const int iy = blockIdx.y * blockDim.y + threadIdx.y;
    const int iz = blockIdx.z * points;
    if (ix >= nx || iy >= ny) return;
    const float x = x0 + step * (float)ix, y = y0 + step * (float)iy, z = z0 + step * (float)iz;
    float value[points] = {{}};
    int first = 0;
)",
        arrays.positions.size(), arrays.coefficients.size(), points);
    for (int begin = 0; begin < arrays.atoms();) {
        const int element = arrays.element_of(begin);
        int end = begin;
        while (end < arrays.atoms() && arrays.element_of(end) == element) ++end;
        text += element_source(arrays, element, begin, end);
        begin = end;
    }
    return text + R"(    for (int p = 0; p < points && iz + p < nz; ++p)
        out[((long long)(iz + p) * ny + iy) * nx + ix] = value[p];
}
)";
}

}  // namespace tessera::bench
