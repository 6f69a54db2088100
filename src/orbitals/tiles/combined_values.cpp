#include "orbitals/tiles/combined_values.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tessera::orbitals {

namespace {

/// Evaluates in double precision, and rounds at the end if the run asks for single precision.
CompensatedSum<double> add_squares(kernels::OrbitalValues& evaluator, const CombinedRows& rows,
                                   const kernels::PointBlock& block, bool double_precision,
                                   void* out) {
    const std::vector<int> all = all_rows(rows);
    if (!out || double_precision) return evaluator.density(block, all, rows.weights, out);
    std::vector<double> values(static_cast<std::size_t>(block.size()));
    const auto sum = evaluator.density(block, all, rows.weights, values.data());
    std::ranges::transform(values, static_cast<float*>(out),
                           [](double value) { return static_cast<float>(value); });
    return sum;
}

}  // namespace

std::vector<int> all_rows(const CombinedRows& rows) {
    std::vector<int> all(rows.weights.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool needs_double(const CombinedRows& rows, bool double_precision) {
    return rows.of_squares || double_precision;
}

CompensatedSum<double> combined_values(kernels::OrbitalValues& evaluator, const CombinedRows& rows,
                                       const kernels::PointBlock& block, bool double_precision,
                                       void* out) {
    if (rows.weights.empty()) {  // densities that cancel
        const auto bytes = static_cast<std::size_t>(block.size()) *
                           (double_precision ? sizeof(double) : sizeof(float));
        if (out) std::fill_n(static_cast<std::byte*>(out), bytes, std::byte{0});
        return {};
    }
    if (rows.of_squares) return add_squares(evaluator, rows, block, double_precision, out);
    return evaluator.evaluate(block, all_rows(rows), out)[0];
}

}  // namespace tessera::orbitals
