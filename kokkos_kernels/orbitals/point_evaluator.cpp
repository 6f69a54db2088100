#include "kokkos_kernels/orbitals/point_evaluator.hpp"

#include <algorithm>

#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/point_sums.hpp"

namespace tessera::kernels {

namespace {

/// The coefficients of PrimitiveTable with the rows of a pass side by side.
std::vector<double> packed_rows(const PrimitiveTable<double>& table, int passes) {
    constexpr std::int64_t rows = SumAtPoints::rows;
    std::vector<double> packed(static_cast<std::size_t>(passes * table.stride * rows));
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double* const from =
            table.coefficients.get() + static_cast<std::int64_t>(row) * table.stride;
        const std::int64_t pass = static_cast<std::int64_t>(row) / rows;
        double* const to =
            packed.data() + pass * table.stride * rows + static_cast<std::int64_t>(row) % rows;
        for (std::int64_t m = 0; m < table.stride; ++m) to[m * rows] = from[m];
    }
    return packed;
}

template <class Device>
class PointEvaluatorOn final : public PointEvaluator {
    using Space = typename Device::execution_space;

  public:
    std::vector<PointValue> evaluate(const OrbitalProblem& problem, const PointSum& sum,
                                     std::span<const std::array<float, 3>> points) override {
        std::vector<PointValue> values(points.size());
        if (points.empty() || sum.weights.empty()) return values;
        check_groups(problem);
        const PrimitiveTable<double> table(problem);
        constexpr int rows = SumAtPoints::rows;
        const int passes = (static_cast<int>(sum.weights.size()) + rows - 1) / rows;
        const std::vector<double> packed = packed_rows(table, passes);
        std::vector<double> weights(static_cast<std::size_t>(passes * rows));
        std::ranges::copy(sum.weights, weights.begin());
        const SumAtPoints kernel{
            groups_.upload(space_, "tessera::orbitals::point_groups", table.groups.data(),
                           table.groups.size()),
            static_cast<int>(table.groups.size()),
            coefficients_.upload(space_, "tessera::orbitals::point_coefficients", packed.data(),
                                 packed.size()),
            table.stride,
            weights_.upload(space_, "tessera::orbitals::point_weights", weights.data(),
                            weights.size()),
            passes,
            sum.of_squares,
            points_.upload(space_, "tessera::orbitals::points", points.front().data(),
                           3 * points.size()),
            values_.get(space_, "tessera::orbitals::point_values", points.size())};
        Kokkos::parallel_for("tessera::orbitals::sum_at_points",
                             Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                                 space_, 0, static_cast<std::int64_t>(points.size())),
                             kernel);
        values_.download(space_, values.data(), values.size());
        space_.fence("tessera::orbitals: the values at points are read");
        return values;
    }

  private:
    Space space_;
    Buffer<DeviceGroup, Device> groups_;
    Buffer<double, Device> coefficients_, weights_;
    Buffer<float, Device> points_;
    Buffer<PointValue, Device> values_;
};

}  // namespace

std::unique_ptr<PointEvaluator> make_point_evaluator([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<PointEvaluatorOn<CudaDevice>>();
#endif
    return std::make_unique<PointEvaluatorOn<OpenMPDevice>>();
}

}  // namespace tessera::kernels
