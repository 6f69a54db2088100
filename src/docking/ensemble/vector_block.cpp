#include "docking/ensemble/vector_block.hpp"

#include <cmath>
#include <cstdint>

namespace tessera::docking {

std::vector<double> VectorBlock::column(std::size_t column) const {
    std::vector<double> copy;
    copy.reserve(rows_);
    for (std::size_t row = 0; row < rows_; ++row) copy.push_back(at(row, column));
    return copy;
}

void VectorBlock::fill_at_random() {
    std::uint64_t state = 1;  // Knuth's linear congruential generator
    for (double& value : values) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<double>(state >> 11U) * 0x1p-52 - 1;
    }
}

double VectorBlock::product(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t row = 0; row < rows_; ++row) sum += at(row, a) * at(row, b);
    return sum;
}

void VectorBlock::add(std::size_t to, double factor, std::size_t from) {
    for (std::size_t row = 0; row < rows_; ++row) at(row, to) += factor * at(row, from);
}

void VectorBlock::scale(std::size_t column, double factor) {
    for (std::size_t row = 0; row < rows_; ++row) at(row, column) *= factor;
}

std::vector<std::size_t> VectorBlock::orthonormalise() {
    constexpr double dependent = 1e-8;  // of the length before
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < columns_; ++c) {
        const double before = std::sqrt(product(c, c));
        if (before > 0) scale(c, 1 / before);
        for (int pass = 0; pass < 2; ++pass)
            for (const std::size_t other : kept) add(c, -product(c, other), other);
        const double length = std::sqrt(product(c, c));
        scale(c, length > dependent ? 1 / length : 0);
        if (length > dependent) kept.push_back(c);
    }
    return kept;
}

std::vector<double> VectorBlock::products_with(const VectorBlock& other) const {
    std::vector<double> products(columns_ * other.columns_);
    for (std::size_t row = 0; row < rows_; ++row)
        for (std::size_t a = 0; a < columns_; ++a)
            for (std::size_t b = 0; b < other.columns_; ++b)
                products[a * other.columns_ + b] += at(row, a) * other.at(row, b);
    return products;
}

VectorBlock VectorBlock::times(const std::vector<double>& matrix) const {
    VectorBlock result(rows_, columns_);
    for (std::size_t row = 0; row < rows_; ++row)
        for (std::size_t a = 0; a < columns_; ++a)
            for (std::size_t b = 0; b < columns_; ++b)
                result.at(row, b) += at(row, a) * matrix[a * columns_ + b];
    return result;
}

}  // namespace tessera::docking
