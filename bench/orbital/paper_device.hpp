// The paper's kernels on a GPU: memory, launches, times.
#pragma once

#ifdef __CUDACC__

#include <Kokkos_Core.hpp>
#include <functional>
#include <iterator>

#include "bench/orbital/bench_output.hpp"
#include "bench/orbital/paper_kernels.hpp"

namespace tessera::bench {

/// Median seconds of a launch on the default stream, after one launch that does not count.
inline double device_time(int repeats, const std::function<void()>& launch) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    std::vector<double> times;
    for (int i = 0; i <= repeats; ++i) {
        cudaEventRecord(start);
        launch();
        cudaEventRecord(stop);
        kernels::check_launch(cudaEventSynchronize(stop), "paper kernel");
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, start, stop);
        if (i > 0) times.push_back(milliseconds * 1e-3);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return median(times);
}

template <class T>
class Uploaded {
  public:
    explicit Uploaded(const std::vector<T>& host) : view_("paper", host.size()) {
        Kokkos::deep_copy(
            view_,
            Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                host.data(), host.size()));
    }
    const T* data() const { return view_.data(); }

  private:
    Kokkos::View<T*, Kokkos::CudaSpace> view_;
};

template <class T, std::size_t Size>
bool set_constant(const T (&symbol)[Size], const std::vector<T>& values) {
    return values.size() <= Size &&
           cudaMemcpyToSymbol(symbol, values.data(), values.size() * sizeof(T)) == cudaSuccess;
}

template <int Top, class Row>
void run_paper_kernels_up_to(const PaperArrays& arrays, const UniformGrid& points, float* out,
                             int repeats, const Row& row) {
    const PaperGrid grid = paper_sizes(arrays, points);
    const Uploaded<float> positions(arrays.positions), basis(arrays.basis),
        coefficients(arrays.coefficients);
    const Uploaded<int> elements(arrays.elements), shells(arrays.shells);
    const dim3 threads(32, 2),
        blocks((grid.nx + 31) / 32, (grid.ny + 1) / 2, static_cast<unsigned>(grid.nz));
    if (set_constant(constant_positions, arrays.positions) &&
        set_constant(constant_elements, arrays.elements) &&
        set_constant(constant_shells, arrays.shells) &&
        set_constant(constant_basis, arrays.basis) &&
        set_constant(constant_coefficients, arrays.coefficients))
        row("constant memory",
            device_time(repeats, [&] { paper_constant<Top><<<blocks, threads>>>(grid, out); }));
    row("tiled, shared memory", device_time(repeats, [&] {
            paper_tiled_shared<Top><<<blocks, threads>>>(
                grid, positions.data(), elements.data(), shells.data(), basis.data(),
                coefficients.data(), static_cast<int>(arrays.coefficients.size()),
                static_cast<int>(arrays.basis.size()), out);
        }));
    row("cache", device_time(repeats, [&] {
            paper_cache<Top><<<blocks, threads>>>(grid, positions.data(), elements.data(),
                                                  shells.data(), basis.data(), coefficients.data(),
                                                  out);
        }));
}

/// Calls row(name, seconds) for each variant.
template <class Row>
void run_paper_kernels(const PaperArrays& arrays, const UniformGrid& points, float* out,
                       int repeats, const Row& row) {
    if (arrays.top_degree() <= 2)
        run_paper_kernels_up_to<2>(arrays, points, out, repeats, row);
    else
        run_paper_kernels_up_to<4>(arrays, points, out, repeats, row);
}

}  // namespace tessera::bench

#endif
