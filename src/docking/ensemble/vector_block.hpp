// Some long vectors side by side, for block iterations.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::docking {

/// `columns` vectors of `rows` elements. All sums run in a fixed order.
class VectorBlock {
  public:
    VectorBlock(std::size_t rows, std::size_t columns)
        : values(rows * columns), rows_(rows), columns_(columns) {}

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    double& at(std::size_t row, std::size_t column) { return values[row * columns_ + column]; }
    double at(std::size_t row, std::size_t column) const { return values[row * columns_ + column]; }
    std::vector<double> column(std::size_t column) const;

    /// Fills the block with numbers between -1 and 1 that are the same everywhere.
    void fill_at_random();

    /// Makes the columns orthonormal, one after another (modified Gram-Schmidt, twice). Returns the
    /// columns that do not depend on those before them; the others become 0.
    std::vector<std::size_t> orthonormalise();

    /// The products of all columns with those of another block, [columns][other columns].
    std::vector<double> products_with(const VectorBlock& other) const;

    /// The block times a matrix [columns][columns].
    VectorBlock times(const std::vector<double>& matrix) const;

    std::vector<double> values;  ///< [rows][columns]

  private:
    double product(std::size_t a, std::size_t b) const;
    void add(std::size_t to, double factor, std::size_t from);
    void scale(std::size_t column, double factor);

    std::size_t rows_, columns_;
};

}  // namespace tessera::docking
