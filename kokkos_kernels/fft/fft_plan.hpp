// Batched real 3-D transforms: FFTW on host backends, cuFFT on CUDA.
//
// The batch is fixed when the plan is made, and never depends on memory or schedule. A vendor's
// rounding may change with the batch, and results must not.
#pragma once

#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/fft/host_fft.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cufft.h>
#endif

namespace tessera::kernels {

template <class Device>
class FftPlan3d;

/// FFTW. Single-threaded plans run in parallel over transforms, so that the number of threads does
/// not change the last bits.
template <>
class FftPlan3d<OpenMPDevice> {
  public:
    FftPlan3d(const Kokkos::OpenMP& space, FftShape shape, int /*batch*/)
        : space_(space), shape_(shape), fft_(shape) {}

    /// Transforms `count` contiguous real grids. The input is preserved. It must be zero where x is
    /// farther than `reach` grid steps from 0.
    void forward(const float* grids, Complex* spectra, int count, int reach) const {
        const auto points = shape_.points(), stride = shape_.spectrum_stride();
        for_each_transform("tessera::fft::forward", count, [=, this](int i) {
            fft_.forward(grids + i * points, spectra + i * stride, reach);
        });
    }
    void forward(const float* grids, Complex* spectra, int count) const {
        forward(grids, spectra, count, shape_.n);
    }

    /// Transforms `count` spectra in place into unscaled grids with rows of 2 * half() floats.
    void inverse(Complex* spectra, int count) const {
        const auto stride = shape_.spectrum_stride();
        for_each_transform("tessera::fft::inverse", count,
                           [=, this](int i) { fft_.inverse(spectra + i * stride); });
    }

  private:
    template <class Body>
    void for_each_transform(const char* label, int count, const Body& body) const {
        Kokkos::parallel_for(
            label, Kokkos::RangePolicy<Kokkos::OpenMP>(space_, 0, count, Kokkos::ChunkSize(1)),
            body);
    }

    Kokkos::OpenMP space_;
    FftShape shape_;
    HostFft fft_;
};

#ifdef KOKKOS_ENABLE_CUDA

inline void check_cufft(cufftResult result, const char* call, FftShape shape) {
    if (result != CUFFT_SUCCESS)
        throw Error(std::string(call) + " failed with cuFFT error " + std::to_string(result),
                    "grid " + std::to_string(shape.n) + "^3",
                    "free device memory or choose a smaller --grid", ExitCode::resources);
}

/// cuFFT, bound to the stream of the execution space instance.
template <>
class FftPlan3d<CudaDevice> {
  public:
    FftPlan3d(const Kokkos::Cuda& space, FftShape shape, int batch) : shape_(shape), batch_(batch) {
        int n[3] = {shape.n, shape.n, shape.n};
        int grid[3] = {shape.n, shape.n, shape.n};
        int spectrum[3] = {shape.n, shape.n, shape.half()};
        int padded[3] = {shape.n, shape.n, 2 * shape.half()};
        const auto stride = static_cast<int>(shape.spectrum_stride());
        const auto points = static_cast<int>(shape.points());
        check_cufft(
            cufftPlanMany(&forward_, 3, n, grid, 1, points, spectrum, 1, stride, CUFFT_R2C, batch),
            "cufftPlanMany", shape);
        check_cufft(cufftPlanMany(&inverse_, 3, n, spectrum, 1, stride, padded, 1, 2 * stride,
                                  CUFFT_C2R, batch),
                    "cufftPlanMany", shape);
        check_cufft(cufftSetStream(forward_, space.cuda_stream()), "cufftSetStream", shape);
        check_cufft(cufftSetStream(inverse_, space.cuda_stream()), "cufftSetStream", shape);
    }
    ~FftPlan3d() {
        cufftDestroy(forward_);
        cufftDestroy(inverse_);
    }
    FftPlan3d(const FftPlan3d&) = delete;
    FftPlan3d& operator=(const FftPlan3d&) = delete;

    /// `count` must be a multiple of the plan's batch. The arrays are those of the host plan. cuFFT
    /// makes no use of the reach.
    void forward(const float* grids, Complex* spectra, int count, int /*reach*/ = 0) const {
        for (int i = 0; i < count; i += batch_)
            check_cufft(cufftExecR2C(forward_, const_cast<float*>(grids) + i * shape_.points(),
                                     reinterpret_cast<cufftComplex*>(spectra +
                                                                     i * shape_.spectrum_stride())),
                        "cufftExecR2C", shape_);
    }

    void inverse(Complex* spectra, int count) const {
        for (int i = 0; i < count; i += batch_) {
            auto* data = reinterpret_cast<cufftComplex*>(spectra + i * shape_.spectrum_stride());
            check_cufft(cufftExecC2R(inverse_, data, reinterpret_cast<float*>(data)),
                        "cufftExecC2R", shape_);
        }
    }

  private:
    FftShape shape_;
    int batch_;
    cufftHandle forward_ = 0;
    cufftHandle inverse_ = 0;
};

#endif

}  // namespace tessera::kernels
