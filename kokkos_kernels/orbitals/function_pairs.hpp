// The functions x^i y^j z^k exp(-a r^2) of a problem's groups in pairs, as matrix products take them.
#pragma once

#include "kokkos_kernels/orbitals/primitive_table.hpp"
#include "kokkos_kernels/orbitals/split_product.hpp"

namespace tessera::kernels {

/// The monomials of a group that occur in any orbital: all of degree <= l, or only those of degree l.
struct GroupFunctions {
    int first_pair, pairs;
    int only_top;  ///< bool
    float scale;   ///< a power of two: functions are multiplied by it, coefficients divided
};

/// Where the coefficients of a pair are.
struct PairSource {
    int coefficient;  ///< of the first one in a row; the second one follows
    int count;        ///< 1 or 2; 0: zeros
    float scale;      ///< of the group, inverse
};

/// Made by the host from a table.
struct FunctionPairs {
    std::vector<GroupFunctions> groups;  ///< in the table's order
    std::vector<PairSource> sources;     ///< [pair], one pair of zeros at the end
    std::vector<float> row_scale;        ///< a power of two an orbital

    /// Functions are scaled to a peak near 2^10, coefficients of an orbital to a largest one near 2^13.
    explicit FunctionPairs(const PrimitiveTable<float>& table) {
        const std::size_t rows = table.stride == 0 ? 0 : table.rows;
        for (const DeviceGroup& group : table.groups) {
            const int l = group.degree, low = monomials_below(l);
            bool only_top = l > 0;
            for (std::size_t o = 0; o < rows && only_top; ++o)
                for (int m = 0; m < low; ++m)
                    only_top &= table.coefficients[o * table.stride + group.first + m] == 0;
            double peak = 0;
            for (int e = only_top ? l : 0; e <= l; ++e)
                peak = std::max(peak, std::pow(e * log2_e / (2 * group.rate), e / 2.0) *
                                          std::exp(-e / 2.0));
            const float scale = std::ldexp(1.0F, 10 - std::ilogb(peak));
            const int begin = only_top ? low : 0, count = monomials(l) - begin;
            groups.push_back({static_cast<int>(sources.size()), (count + 1) / 2, only_top, scale});
            for (int m = 0; m < count; m += 2)
                sources.push_back({group.first + begin + m, std::min(2, count - m), 1 / scale});
        }
        sources.push_back({0, 0, 0});
        row_scale.resize(rows);
#pragma omp parallel for if (rows * sources.size() > 65536)
        for (std::size_t o = 0; o < rows; ++o) {
            float largest = 0;
            for (const PairSource& pair : sources)
                for (int m = 0; m < pair.count; ++m) {
                    const float c =
                        std::abs(table.coefficients[o * table.stride + pair.coefficient + m]) *
                        pair.scale;
                    if (std::isfinite(c)) largest = std::max(largest, c);
                }
            row_scale[o] =
                largest > 0 ? std::ldexp(1.0F, 13 - std::max(std::ilogb(largest), -90)) : 1.0F;
        }
    }
};

/// Coefficients of the orbitals asked for, as Product::add() takes rows: [pair][high, low][pitch], zeros
/// beyond them.
template <class Product>
struct PackPairs {
    const float* coefficients;  ///< [row][stride]
    std::int64_t stride;
    const PairSource* sources;
    const float* row_scale;
    const int* orbitals;
    int orbital_count, pitch;
    std::uint32_t* pairs;

    KOKKOS_FUNCTION void operator()(std::int64_t index) const {
        const auto place = static_cast<int>(index % pitch);
        const std::int64_t pair = index / pitch;
        const PairSource source = sources[pair];
        const int orbital = Product::row_at(place);
        float value[2] = {0, 0};
        if (orbital < orbital_count) {
            const int row = orbitals[orbital];
            for (int m = 0; m < source.count; ++m)
                value[m] = coefficients[row * stride + source.coefficient + m] *
                           (source.scale * row_scale[row]);
        }
        const SplitPair split = split_pair(value[0], value[1]);
        pairs[2 * pair * pitch + place] = split.high;
        pairs[(2 * pair + 1) * pitch + place] = split.low;
    }
};

}  // namespace tessera::kernels
