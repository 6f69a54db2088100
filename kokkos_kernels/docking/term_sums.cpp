#include "kokkos_kernels/docking/term_sums.hpp"

#include "kokkos_kernels/docking/direct_terms.hpp"

namespace tessera::kernels {

namespace {

template <class Device>
class DirectSums final : public TermSums {
  public:
    explicit DirectSums(const CorrelationProblem& problem)
        : data_{make_device_ligand<Device>(space_, problem),
                RealGrids<Device>(
                    Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, "receptor_grids"),
                    problem.channels.size(), std::int64_t{problem.n} * problem.n * problem.n),
                make_device_group<Device>(space_, problem),
                {},
                problem.n,
                problem.spacing} {
        for (const EnergyChannel& channel : problem.channels) {
            copy_grid<Device>(space_, data_.receptor,
                              static_cast<int>(data_.term_of_channel.size()), channel.receptor);
            data_.term_of_channel.push_back(channel.term);
        }
    }

    std::vector<std::array<double, max_terms>> terms(std::span<const PoseRecord> poses,
                                                     std::span<const Quaternion> bases) override {
        return direct_terms<Device>(space_, data_, poses, bases);
    }

  private:
    typename Device::execution_space space_;
    DirectTermData<Device> data_;
};

}  // namespace

std::unique_ptr<TermSums> make_term_sums([[maybe_unused]] Backend backend,
                                         const CorrelationProblem& problem) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<DirectSums<CudaDevice>>(problem);
#endif
    return std::make_unique<DirectSums<OpenMPDevice>>(problem);
}

}  // namespace tessera::kernels
