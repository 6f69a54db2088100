#include "kokkos_kernels/orbitals/point_evaluator.hpp"

#include <algorithm>

#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/field_at_points.hpp"
#include "kokkos_kernels/orbitals/point_sums.hpp"

namespace tessera::kernels {

namespace {

/// Passes over so many rows.
template <class Kernel>
int passes_over(std::size_t rows) {
    return (static_cast<int>(rows) + Kernel::rows - 1) / Kernel::rows;
}

/// The coefficients of PrimitiveTable with the rows of a pass side by side.
template <class Kernel>
std::vector<double> packed_rows(const PrimitiveTable<double>& table, int passes) {
    constexpr std::int64_t rows = Kernel::rows;
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
        const int passes = passes_over<SumAtPoints>(sum.weights.size());
        const std::vector<double> packed = packed_rows<SumAtPoints>(table, passes);
        std::vector<double> weights(static_cast<std::size_t>(passes * SumAtPoints::rows));
        std::ranges::copy(sum.weights, weights.begin());
        run("tessera::orbitals::sum_at_points",
            SumAtPoints{upload_groups(table), static_cast<int>(table.groups.size()),
                        upload_coefficients(packed), table.stride, upload_weights(weights), passes,
                        sum.of_squares, upload_points(points),
                        values_.get(space_, "tessera::orbitals::point_values", points.size())},
            points.size());
        values_.download(space_, values.data(), values.size());
        space_.fence("tessera::orbitals: the values at points are read");
        return values;
    }

    std::vector<double> evaluate_fields(const OrbitalProblem& problem, const FieldWeights& weights,
                                        std::span<const DerivedField> fields,
                                        std::span<const std::array<float, 3>> points) override {
        std::vector<double> values(fields.size() * points.size());
        if (values.empty() || weights.alpha.empty()) return values;
        check_groups(problem);
        const PrimitiveTable<double> table(problem);
        const int passes = passes_over<FieldsAtPoints>(weights.alpha.size());
        const std::vector<double> packed = packed_rows<FieldsAtPoints>(table, passes);
        std::vector<double> pairs(static_cast<std::size_t>(2 * passes * FieldsAtPoints::rows));
        for (std::size_t row = 0; row < weights.alpha.size(); ++row) {
            pairs[2 * row] = weights.alpha[row];
            pairs[2 * row + 1] = weights.beta.empty() ? 0 : weights.beta[row];
        }
        FieldsAtPoints kernel{
            upload_groups(table),
            static_cast<int>(table.groups.size()),
            upload_coefficients(packed),
            table.stride,
            upload_weights(pairs),
            passes,
            !weights.beta.empty(),
            {},
            static_cast<int>(fields.size()),
            upload_points(points),
            static_cast<std::int64_t>(points.size()),
            fields_.get(space_, "tessera::orbitals::point_fields", values.size())};
        std::ranges::copy(fields, kernel.fields);
        run("tessera::orbitals::fields_at_points", kernel, points.size());
        fields_.download(space_, values.data(), values.size());
        space_.fence("tessera::orbitals: the fields at points are read");
        return values;
    }

  private:
    const DeviceGroup* upload_groups(const PrimitiveTable<double>& table) {
        return groups_.upload(space_, "tessera::orbitals::point_groups", table.groups.data(),
                              table.groups.size());
    }
    const double* upload_coefficients(const std::vector<double>& packed) {
        return coefficients_.upload(space_, "tessera::orbitals::point_coefficients", packed.data(),
                                    packed.size());
    }
    const double* upload_weights(const std::vector<double>& weights) {
        return weights_.upload(space_, "tessera::orbitals::point_weights", weights.data(),
                               weights.size());
    }
    const float* upload_points(std::span<const std::array<float, 3>> points) {
        return points_.upload(space_, "tessera::orbitals::points", points.front().data(),
                              3 * points.size());
    }
    template <class Kernel>
    void run(const char* name, const Kernel& kernel, std::size_t points) {
        Kokkos::parallel_for(name,
                             Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                                 space_, 0, static_cast<std::int64_t>(points)),
                             kernel);
    }

    Space space_;
    Buffer<DeviceGroup, Device> groups_;
    Buffer<double, Device> coefficients_, weights_, fields_;
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
