// Sums over a problem's groups at several points in parallel, on the host.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/orbitals/host_vector.hpp"

namespace tessera::kernels {

/// A number for each of eight points. This is an array outside of its functions, because nvcc does
/// not accept vector types in template arguments.
struct alignas(64) EightPoints {
    using Vector = HostVector<double>;
    double listed[8];

    Vector vector() const { return Vector::load(listed); }
    static EightPoints of(const Vector& all) {
        EightPoints points;
        all.store(points.listed);
        return points;
    }

    friend EightPoints operator+(const EightPoints& a, const EightPoints& b) {
        return of(a.vector() + b.vector());
    }
    friend EightPoints operator+(const EightPoints& a, double b) { return of(a.vector() + b); }
    friend EightPoints operator-(const EightPoints& a, double b) { return of(a.vector() - b); }
    friend EightPoints operator*(const EightPoints& a, const EightPoints& b) {
        return of(a.vector() * b.vector());
    }
    friend EightPoints operator*(double a, const EightPoints& b) { return of(a * b.vector()); }
    friend void add_product(EightPoints& sum, double a, const EightPoints& b) {
        sum = of(sum.vector() + a * b.vector());
    }
};
inline void add_product(double& sum, double a, double b) { sum += a * b; }

/// A number for one point, or for each of several points.
template <class Numbers>
inline constexpr std::size_t points_in = sizeof(Numbers) / sizeof(double);
static_assert(points_in<EightPoints> == 8);

template <class Numbers>
using Listed = std::array<double, points_in<Numbers>>;

/// Points side by side. If there are too few, the last one is repeated.
template <class Numbers>
struct Points {
    Numbers x, y, z;

    explicit Points(std::span<const Vec3> points) {
        Listed<Numbers> listed[3];
        for (std::size_t i = 0; i < points_in<Numbers>; ++i) {
            const Vec3& point = points[std::min(i, points.size() - 1)];
            listed[0][i] = point.x;
            listed[1][i] = point.y;
            listed[2][i] = point.z;
        }
        x = std::bit_cast<Numbers>(listed[0]);
        y = std::bit_cast<Numbers>(listed[1]);
        z = std::bit_cast<Numbers>(listed[2]);
    }
};

/// Where the numbers of a group are in a row of all groups' numbers.
struct GroupPart {
    int first, count;
};

/// A row of numbers per point, with the groups that are near at least one of the points.
template <class Numbers>
class GroupTable {
  public:
    /// fill(g, to) writes the numbers of group g, or returns false if it is far from all points.
    template <class Fill>
    GroupTable(const std::vector<GroupPart>& parts, const Fill& fill) {
        int size = 0;
        for (const GroupPart& part : parts) size = std::max(size, part.first + part.count);
        values_ = std::make_unique_for_overwrite<Numbers[]>(size);
        for (std::size_t g = 0; g < parts.size(); ++g)
            if (fill(g, values_.get() + parts[g].first)) near_.push_back(parts[g]);
    }

    /// For each row, the sum of its numbers times the table's, with groups in order.
    template <std::size_t Rows>
    std::array<Numbers, Rows> sums(const std::array<const double*, Rows>& rows) const {
        std::array<Numbers, Rows> sums{};
        for (const GroupPart& part : near_)
            for (int m = part.first; m < part.first + part.count; ++m)
                for (std::size_t r = 0; r < Rows; ++r) add_product(sums[r], rows[r][m], values_[m]);
        return sums;
    }

    static constexpr std::size_t together = 8;  ///< rows whose sums are computed in parallel

    /// Calls use(row, its sum) for rows [first, end). The numbers of a row are at row_at(row).
    template <class RowAt, class Use>
    void for_rows(std::size_t first, std::size_t end, const RowAt& row_at, const Use& use) const {
        for (; first + together <= end; first += together) {
            std::array<const double*, together> rows;
            for (std::size_t r = 0; r < together; ++r) rows[r] = row_at(first + r);
            const auto found = sums(rows);
            for (std::size_t r = 0; r < together; ++r) use(first + r, found[r]);
        }
        for (; first < end; ++first)
            use(first, sums(std::array<const double*, 1>{row_at(first)})[0]);
    }

  private:
    std::vector<GroupPart> near_;
    std::unique_ptr<Numbers[]> values_;  ///< [place in a row], only for groups that are near
};

}  // namespace tessera::kernels
