#include "kokkos_kernels/likelihood/observed/stages.hpp"

#include "kokkos_kernels/likelihood/observed/host_factors.hpp"
#include "kokkos_kernels/likelihood/observed/kernels.hpp"
#include "kokkos_kernels/likelihood/observed/sum_of_chunks.hpp"

namespace tessera::kernels {

namespace {

constexpr const char* factors_label = "tessera::likelihood::observed_factors";
constexpr const char* slopes_label = "tessera::likelihood::observed_slopes";
constexpr const char* sums_label = "tessera::likelihood::observed_sums";

template <class Kernel>
void set_arrays(Kernel& kernel, const ObservedArrays& arrays) {
    if constexpr (requires { kernel.terms; })
        kernel.terms = arrays.terms;
    else
        kernel.log_scale = arrays.log_scale;
}

}  // namespace

template <class Memory>
ObservedStages<Memory>::ObservedStages(const Space& space, const ObservedTable& table)
    : stars_(table.stars),
      width_(table.width),
      populations_(table.populations),
      streams_(table.streams),
      stride_(table.stride) {
    if (!empty())
        columns_ = to_device<double, Memory>(space, "tessera::likelihood::observed",
                                             table.columns_of.data(), table.columns_of.size());
}

template <class Memory>
const double* ObservedStages<Memory>::factors(const Space& space, const ObservedArrays& arrays) {
    launch<ObservedFactors>(space, factors_label, arrays, arrays.sets, 1, arrays.scale_sums);
    return factors_.template get_of<double>(0);
}

template <class Memory>
void ObservedStages<Memory>::slopes(const Space& space, const ObservedArrays& arrays) {
    launch<ObservedSlopes>(space, slopes_label, arrays, arrays.sets * distributions(),
                           slope_numbers(width_), arrays.slopes);
}

template <class Memory>
template <template <int, class> class Kernel>
void ObservedStages<Memory>::launch(const Space& space, const char* label,
                                    const ObservedArrays& arrays, int rows, int numbers,
                                    double* out) {
    const auto as = [&]<int width>() {
        launch_as<Kernel<width, Memory>>(space, label, arrays, rows, numbers, out);
    };
    switch (width_) {
        case 2: return as.template operator()<2>();
        case 3: return as.template operator()<3>();
        case 4: return as.template operator()<4>();
        case 6: return as.template operator()<6>();
        default: return as.template operator()<8>();
    }
}

/// Launches a kernel for all rows and chunks of stars, and sums the chunks of each row.
template <class Memory>
template <class Kernel>
void ObservedStages<Memory>::launch_as(const Space& space, const char* label,
                                       const ObservedArrays& arrays, int rows, int numbers,
                                       double* out) {
    const auto sets = static_cast<std::size_t>(arrays.sets);
    const auto populations = static_cast<std::size_t>(populations_);
    Kernel kernel;
    kernel.columns = {columns_.data(), stride_};
    kernel.stars = stars_;
    kernel.populations = populations_;
    kernel.streams = streams_;
    kernel.chunks = (stars_ + Kernel::stars_a_chunk - 1) / Kernel::stars_a_chunk;
    kernel.distributions = arrays.distributions;
    kernel.factors = factors_.template get_of<double>(sets * static_cast<std::size_t>(stars_) *
                                                      static_cast<std::size_t>(1 + streams_));
    kernel.shares = arrays.gradient && populations_ > 1
                        ? shares_.template get_of<double>(sets * populations * stride_)
                        : nullptr;
    const auto blocks = static_cast<std::size_t>(rows) * static_cast<std::size_t>(kernel.chunks);
    kernel.partials = partials_.template get_of<CompensatedSum<double>>(
        blocks * static_cast<std::size_t>(numbers));
    set_arrays(kernel, arrays);
    if (blocks > 0) launch_blocks(label, space, static_cast<int>(blocks), kernel);
    launch_blocks(sums_label, space, rows * numbers,
                  SumOfChunks<Memory>{kernel.partials, kernel.chunks, numbers, out});
}

template class ObservedStages<OpenMPDevice>;
#ifdef KOKKOS_ENABLE_CUDA
template class ObservedStages<CudaDevice>;
#endif

HostFactors host_factors(const ObservedTable& table, const std::vector<double>& distributions) {
    const Kokkos::OpenMP space;
    ObservedStages<OpenMPDevice> stages(space, table);
    const auto stars = static_cast<std::size_t>(table.stars);
    HostFactors of;
    of.log_scale.resize(stars);
    double sum = 0;
    ObservedArrays arrays;
    arrays.sets = 1;
    arrays.distributions = distributions.data();
    arrays.scale_sums = &sum;
    arrays.log_scale = of.log_scale.data();
    const double* found = stages.factors(space, arrays);
    space.fence("tessera::likelihood: the host reads the factors");
    of.factors.assign(found, found + stars * static_cast<std::size_t>(1 + table.streams));
    return of;
}

}  // namespace tessera::kernels
