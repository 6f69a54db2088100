#include "kokkos_kernels/device/device_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

namespace {

/// On hosts, chains have 32 bytes each. There are as many as a compiler unrolls and 16 registers
/// hold.
constexpr int chains = 12, chain_bytes = 32;
constexpr int turns = 1024, passes = 10;

/// Independent chains of multiply-adds. They are enough to hide the latency, and few enough to stay
/// in registers.
template <class Real, int Lanes>
struct MultiplyAdds {
    Real* out;  ///< [item] keeps the compiler from removing the work
    Real factor, summand;

    KOKKOS_FUNCTION void operator()(const int item) const {
        Real chain[Lanes];
        for (int lane = 0; lane < Lanes; ++lane) chain[lane] = static_cast<Real>(item + lane);
        for (int turn = 0; turn < turns; ++turn)
            for (int lane = 0; lane < Lanes; ++lane) chain[lane] = chain[lane] * factor + summand;
        Real sum = 0;
        for (int lane = 0; lane < Lanes; ++lane) sum += chain[lane];
        out[item] = sum;
    }
};

struct AddArrays {
    const double *a, *b;
    double* sum;
    KOKKOS_FUNCTION void operator()(const std::int64_t i) const { sum[i] = a[i] + b[i]; }
};

/// The shortest of several timings of `work`, in seconds.
template <class Space, class Work>
double shortest(const Space& space, const Work& work) {
    double best = 1e300;
    for (int pass = 0; pass < passes; ++pass) {
        space.fence("tessera::device_rates: begin");
        const auto start = std::chrono::steady_clock::now();
        work();
        space.fence("tessera::device_rates: end");
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

template <class Real, class Device>
double flops() {
    using Space = typename Device::execution_space;
    constexpr int lanes =
        is_host<Device> ? chains * chain_bytes / static_cast<int>(sizeof(Real)) : 8;
    const Space space;
    const int items = is_host<Device> ? 64 * space.concurrency() : 1 << 20;
    const View1<Real, Device> out("flops", items);
    const MultiplyAdds<Real, lanes> kernel{out.data(), Real(0.999), Real(0.001)};
    const double seconds = shortest(space, [&] {
        Kokkos::parallel_for("tessera::device_rates::flops",
                             Kokkos::RangePolicy<Space>(space, 0, items), kernel);
    });
    return 2.0 * items * lanes * turns / seconds;
}

template <class Device>
double bandwidth() {
    using Space = typename Device::execution_space;
    const Space space;
    const std::int64_t count = std::int64_t{1} << (is_host<Device> ? 23 : 26);
    const View1<double, Device> a("a", count), b("b", count), sum("sum", count);
    const double seconds = shortest(space, [&] {
        Kokkos::parallel_for(
            "tessera::device_rates::bandwidth",
            Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count),
            AddArrays{a.data(), b.data(), sum.data()});
    });
    return 3.0 * sizeof(double) * static_cast<double>(count) / seconds;
}

template <class Device>
DeviceRates measure() {
    return {flops<float, Device>(), flops<double, Device>(), bandwidth<Device>()};
}

}  // namespace

DeviceRates measure_rates([[maybe_unused]] Backend backend) {
    try {
#ifdef KOKKOS_ENABLE_CUDA
        if (backend == Backend::cuda) return measure<CudaDevice>();
#endif
        return measure<OpenMPDevice>();
    } catch (const std::runtime_error& failure) {
        throw Error("the device's rates cannot be measured", failure.what(),
                    "free some of its memory", ExitCode::resources);
    }
}

}  // namespace tessera::kernels
