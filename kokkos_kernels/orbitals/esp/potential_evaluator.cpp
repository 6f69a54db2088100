#include "kokkos_kernels/orbitals/esp/potential_evaluator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/esp/potential_kernels.hpp"
#include "kokkos_kernels/orbitals/kernel_clock.hpp"

namespace tessera::kernels {

namespace {

void check_products(const PotentialProblem& problem) {
    int degree = 0;
    for (const HermiteProduct& product : problem.products) {
        const bool known = product.degree >= degree && product.degree <= highest_hermite;
        const double place = product.center.x + product.center.y + product.center.z;
        if (!known || !(product.exponent > 0) || !std::isfinite(product.exponent + place))
            throw Error("a product of basis functions cannot be evaluated",
                        "its degree, exponent or place is out of range", "please report this",
                        ExitCode::internal);
        degree = product.degree;
    }
}

template <class Device>
class PotentialEvaluatorOn final : public PotentialEvaluator {
    using Space = typename Device::execution_space;
    using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    static constexpr int lanes = is_host<Device> ? 8 : 1;
    /// Points of a launch. The sums of their chunks must fit into memory.
    static constexpr std::int64_t batch = is_host<Device> ? 4096 : 32768;

  public:
    void load(const PotentialProblem& problem) override {
        check_products(problem);
        std::vector<DeviceProduct> products;
        products.reserve(problem.products.size());
        counts_ = {};
        for (const HermiteProduct& product : problem.products) {
            const Vec3 at = product.center;
            products.push_back({{at.x, at.y, at.z}, std::sqrt(2 * product.exponent)});
            ++counts_[static_cast<std::size_t>(product.degree)];
        }
        std::vector<double> charges;
        for (const PointCharge& charge : problem.charges)
            charges.insert(charges.end(),
                           {charge.center.x, charge.center.y, charge.center.z, charge.charge});
        charge_count_ = static_cast<int>(problem.charges.size());
        products_ = product_buffer_.upload(space_, "tessera::esp::products", products.data(),
                                           products.size());
        coefficients_ =
            coefficient_buffer_.upload(space_, "tessera::esp::coefficients",
                                       problem.coefficients.data(), problem.coefficients.size());
        charges_ =
            charge_buffer_.upload(space_, "tessera::esp::charges", charges.data(), charges.size());
        if (!boys_) {
            const std::vector<double> table = BoysTable::make();
            boys_ = boys_buffer_.upload(space_, "tessera::esp::boys", table.data(), table.size());
            space_.fence("tessera::esp: the host's table may go away");
        }
        space_.fence("tessera::esp: the host's products may go away");
    }

    std::vector<double> evaluate(std::span<const Vec3> points) override {
        std::vector<double> values(points.size());
        for (std::size_t first = 0; first < points.size(); first += batch) {
            const auto some =
                points.subspan(first, std::min<std::size_t>(batch, points.size() - first));
            run(some, values.data() + first);
        }
        if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
            throw TileFailure(TileFailure::Reason::not_finite, "the electrostatic potential");
        return values;
    }

    double kernel_seconds() const override { return clock_.seconds(); }

  private:
    std::int64_t all_chunks() const {
        std::int64_t chunks = 0;
        for (const std::int64_t count : counts_) chunks += AddProducts<0, lanes>::chunks(count);
        return chunks;
    }

    PointColumns upload(std::span<const Vec3> points) {
        const auto count = std::ssize(points), stride = (count + lanes - 1) / lanes * lanes;
        columns_.resize(static_cast<std::size_t>(3 * stride));
        for (std::int64_t i = 0; i < stride; ++i) {
            const Vec3 at = points[static_cast<std::size_t>(std::min(i, count - 1))];
            const double place[3] = {at.x, at.y, at.z};
            for (std::int64_t a = 0; a < 3; ++a)
                columns_[static_cast<std::size_t>(a * stride + i)] = place[a];
        }
        return {
            place_buffer_.upload(space_, "tessera::esp::points", columns_.data(), columns_.size()),
            stride};
    }

    void run(std::span<const Vec3> points, double* to) {
        const PointColumns columns = upload(points);
        const std::int64_t chunks = all_chunks();
        double* const sums = sum_buffer_.get(space_, "tessera::esp::sums",
                                             static_cast<std::size_t>(chunks * columns.stride));
        double* const values = value_buffer_.get(space_, "tessera::esp::values", points.size());
        clock_.begin(space_);
        add_degree<0>({products_, coefficients_, columns, sums});
        Kokkos::parallel_for(
            "tessera::esp::finish", Range(space_, 0, std::ssize(points)),
            FinishPotential{charges_, charge_count_, sums, chunks, columns, values});
        clock_.end(space_);
        value_buffer_.download(space_, to, points.size());
        space_.fence("tessera::esp: values are read");
        clock_.collect();
    }

    /// What is left when lower degrees are done.
    struct Rest {
        const DeviceProduct* products;
        const double* coefficients;
        PointColumns points;
        double* sums;
    };

    template <int L>
    void add_degree(Rest rest) {
        using Kernel = AddProducts<L, lanes>;
        const std::int64_t count = counts_[L], chunks = Kernel::chunks(count);
        if (count > 0)
            Kokkos::parallel_for(
                "tessera::esp::add_products",
                Range(space_, 0, chunks * (rest.points.stride / lanes)),
                Kernel{boys_, rest.products, rest.coefficients, count, rest.points, rest.sums});
        if constexpr (L < highest_hermite)
            add_degree<L + 1>({rest.products + count, rest.coefficients + count * hermite_count(L),
                               rest.points, rest.sums + chunks * rest.points.stride});
    }

    Space space_;
    KernelClock<Device> clock_;
    std::array<std::int64_t, highest_hermite + 1> counts_{};  ///< products of each degree
    int charge_count_ = 0;
    const DeviceProduct* products_ = nullptr;
    const double *coefficients_ = nullptr, *charges_ = nullptr, *boys_ = nullptr;
    std::vector<double> columns_;
    Buffer<DeviceProduct, Device> product_buffer_;
    Buffer<double, Device> coefficient_buffer_, charge_buffer_, boys_buffer_, place_buffer_,
        sum_buffer_, value_buffer_;
};

}  // namespace

std::unique_ptr<PotentialEvaluator> make_potential_evaluator([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<PotentialEvaluatorOn<CudaDevice>>();
#endif
    return std::make_unique<PotentialEvaluatorOn<OpenMPDevice>>();
}

}  // namespace tessera::kernels
