// The functions x^i y^j z^k exp(-a r^2) of a problem's groups, in pairs for matrix products.
#pragma once

#include "kokkos_kernels/orbitals/primitive_table.hpp"
#include "kokkos_kernels/orbitals/split_product.hpp"

namespace tessera::kernels {

/// The monomials of a group that occur in any orbital: all of degree <= l, or only those of degree
/// l.
struct GroupFunctions {
    int first_pair, pairs;
    int only_top;  ///< bool
    float scale;   ///< a power of two: functions are multiplied by it, coefficients divided
};

/// Where the coefficients of a pair are.
struct PairSource {
    int coefficient;  ///< the first one in a row; the second one follows
    int count;        ///< 1 or 2; 0: zeros
    float scale;      ///< inverse of the group's scale
};

/// The pairs of a table, made on the host.
struct FunctionPairs {
    std::vector<GroupFunctions> groups;  ///< in the table's order
    std::vector<PairSource> sources;     ///< [pair], one pair of zeros at the end
    std::vector<float> row_scale;        ///< [orbital] a power of two

    /// Scales functions to a peak near 2^10, and the coefficients of an orbital to a maximum near
    /// 2^13.
    explicit FunctionPairs(const PrimitiveTable<float>& table) {
        const std::size_t rows = table.stride == 0 ? 0 : table.rows;
        const std::vector<char> tops = only_tops(table, rows);
        for (std::size_t g = 0; g < table.groups.size(); ++g) {
            const DeviceGroup& group = table.groups[g];
            const int l = group.degree, low = monomials_below(l);
            const bool only_top = tops[g] != 0;
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
        std::vector<float> scales(table.stride, 0.0F);  // [coefficient]
        for (const PairSource& pair : sources)
            std::fill_n(scales.begin() + pair.coefficient, pair.count, pair.scale);
#pragma omp parallel for if (rows * sources.size() > 65536)
        for (std::size_t o = 0; o < rows; ++o) {
            const float largest =
                largest_scaled(table.coefficients.get() + o * table.stride, scales);
            row_scale[o] =
                largest > 0 ? std::ldexp(1.0F, 13 - std::max(std::ilogb(largest), -90)) : 1.0F;
        }
    }

  private:
    /// [group] whether all rows have zeros below the group's degree. It goes row by row, in memory
    /// order.
    static std::vector<char> only_tops(const PrimitiveTable<float>& table, std::size_t rows) {
        std::vector<char> tops;
        std::vector<std::size_t> open;
        for (std::size_t g = 0; g < table.groups.size(); ++g) {
            tops.push_back(table.groups[g].degree > 0 ? 1 : 0);
            if (tops[g] != 0) open.push_back(g);
        }
        for (std::size_t o = 0; o < rows; ++o) {
            const float* const row = table.coefficients.get() + o * table.stride;
            std::erase_if(open, [&](std::size_t g) {
                const float* const of_group = row + table.groups[g].first;
                const int low = monomials_below(table.groups[g].degree);
                if (std::all_of(of_group, of_group + low, [](float c) { return c == 0; }))
                    return false;
                tops[g] = 0;
                return true;
            });
        }
        return tops;
    }

    /// The largest finite |c| times its scale. The order of these numbers is the order of their
    /// bits, so vector instructions can find the largest integer.
    static float largest_scaled(const float* row, const std::vector<float>& scales) {
        constexpr auto infinite =
            std::bit_cast<std::int32_t>(std::numeric_limits<float>::infinity());
        std::int32_t largest = 0;
        for (std::size_t i = 0; i < scales.size(); ++i) {
            const auto bits = std::bit_cast<std::int32_t>(std::abs(row[i]) * scales[i]);
            largest = std::max(largest, bits < infinite ? bits : 0);
        }
        return std::bit_cast<float>(largest);
    }
};

/// Packs the coefficients of the requested orbitals in the layout of Product::add(): [pair][high,
/// low][pitch], with zeros beyond them.
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
