#include "kokkos_kernels/orbitals/overlap_sums.hpp"

#include <algorithm>

#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/kernel_clock.hpp"
#include "kokkos_kernels/orbitals/partial_sums.hpp"
#include "kokkos_kernels/orbitals/sum_pairs.hpp"

namespace tessera::kernels {

namespace {

template <class Value, class Device>
class OverlapSumsOn final : public OverlapSums {
    using Space = typename Device::execution_space;
    static constexpr bool host = is_host<Device>;

  public:
    std::vector<CompensatedSum<double>> add_up(OrbitalValues& source, const PointBlock& block,
                                               OrbitalBatch rows, OrbitalBatch columns) override {
        const bool square =
            std::ranges::equal(rows.orbitals, columns.orbitals) && rows.part_of == columns.part_of;
        const Value* left = evaluate(source, block, rows, left_);
        const Value* right = square ? left : evaluate(source, block, columns, right_);
        SumPairs<Value, host ? 1 : 256> kernel{left,
                                               right,
                                               static_cast<int>(rows.orbitals.size()),
                                               static_cast<int>(columns.orbitals.size()),
                                               block.size(),
                                               square,
                                               nullptr};
        std::vector<CompensatedSum<double>> sums(rows.orbitals.size() * columns.orbitals.size());
        if (sums.empty() || block.size() == 0) return sums;
        kernel.partials = partials_.get(space_, "tessera::orbitals::overlap_partials",
                                        sums.size() * static_cast<std::size_t>(kernel.runs()));
        const SumPartials<host ? 1 : 512> over_runs{
            kernel.partials, kernel.runs(),
            sums_.get(space_, "tessera::orbitals::overlaps", sums.size())};
        clock_.begin(space_);
        launch_blocks("tessera::orbitals::sum_pairs", space_, kernel.blocks(), kernel);
        launch_blocks("tessera::orbitals::sum_overlaps", space_, static_cast<int>(sums.size()),
                      over_runs);
        clock_.end(space_);
        sums_.download(space_, sums.data(), sums.size());
        space_.fence("tessera::orbitals: overlaps are read");
        clock_.collect();
        if (square) mirror(sums, rows.orbitals.size());
        return sums;
    }

    double kernel_seconds() const override { return clock_.seconds(); }

  private:
    const Value* evaluate(OrbitalValues& source, const PointBlock& block, OrbitalBatch batch,
                          Buffer<Value, Device>& buffer) {
        const auto size = batch.orbitals.size() * static_cast<std::size_t>(block.size());
        Value* values = buffer.get(space_, "tessera::orbitals::overlap_values", size);
        source.evaluate(block, batch.orbitals, values, batch.part_of);
        return values;
    }

    /// Copies the sums above the diagonal to the places below it.
    static void mirror(std::vector<CompensatedSum<double>>& sums, std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < i; ++j) sums[i * rows + j] = sums[j * rows + i];
    }

    Space space_;
    Buffer<Value, Device> left_, right_;
    Buffer<double, Device> partials_;
    Buffer<CompensatedSum<double>, Device> sums_;
    KernelClock<Device> clock_;
};

template <class Value>
std::unique_ptr<OverlapSums> make_sums_of([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<OverlapSumsOn<Value, CudaDevice>>();
#endif
    return std::make_unique<OverlapSumsOn<Value, OpenMPDevice>>();
}

}  // namespace

std::unique_ptr<OverlapSums> make_overlap_sums(Backend backend, bool double_values) {
    return double_values ? make_sums_of<double>(backend) : make_sums_of<float>(backend);
}

}  // namespace tessera::kernels
