// Batched real 3-D transforms: FFTW on host backends, cuFFT on CUDA.
//
// The batch is fixed when the plan is made, and never depends on memory or schedule. A vendor's
// rounding may change with the batch, and results must not.
#pragma once

#include <fftw3.h>

#include <mutex>
#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cufft.h>
#endif

namespace tessera::kernels {

template <class Device>
class FftPlan3d;

/// FFTW. Single-threaded plans run in parallel over transforms. All plans use FFTW_ESTIMATE. Plans
/// chosen by timing or by the number of threads would change the last bits from run to run.
template <>
class FftPlan3d<OpenMPDevice> {
  public:
    FftPlan3d(const Kokkos::OpenMP& space, FftShape shape, int /*batch*/)
        : space_(space), shape_(shape) {
        // FFTW_ESTIMATE does not touch the data, but it plans for the alignment of these arrays.
        // Because n is even, every grid and spectrum below has the same alignment of 32 bytes.
        float* real = fftwf_alloc_real(static_cast<std::size_t>(2 * shape.spectrum_stride()));
        fftwf_complex* spectrum =
            fftwf_alloc_complex(static_cast<std::size_t>(shape.spectrum_stride()));
        if (real && spectrum) {
            forward_ =
                fftwf_plan_dft_r2c_3d(shape.n, shape.n, shape.n, real, spectrum, FFTW_ESTIMATE);
            inverse_ = fftwf_plan_dft_c2r_3d(shape.n, shape.n, shape.n, spectrum,
                                             reinterpret_cast<float*>(spectrum), FFTW_ESTIMATE);
        }
        fftwf_free(spectrum);
        fftwf_free(real);
        if (!forward_ || !inverse_)
            throw Error("FFTW made no plan for a grid of " + std::to_string(shape.n) + "^3",
                        "out of memory or an unsupported size", "choose another --grid",
                        ExitCode::resources);
    }
    ~FftPlan3d() {
        fftwf_destroy_plan(forward_);
        fftwf_destroy_plan(inverse_);
    }
    FftPlan3d(const FftPlan3d&) = delete;
    FftPlan3d& operator=(const FftPlan3d&) = delete;

    /// Transforms `count` contiguous real grids. The input is preserved.
    void forward(const float* grids, Complex* spectra, int count) const {
        const auto plan = forward_;
        const auto points = shape_.points(), stride = shape_.spectrum_stride();
        for_each_transform("tessera::fft::forward", count, [=](int i) {
            fftwf_execute_dft_r2c(plan, const_cast<float*>(grids) + i * points,
                                  reinterpret_cast<fftwf_complex*>(spectra + i * stride));
        });
    }

    /// Transforms `count` spectra in place into unscaled grids with rows of 2 * half() floats.
    void inverse(Complex* spectra, int count) const {
        const auto plan = inverse_;
        const auto stride = shape_.spectrum_stride();
        for_each_transform("tessera::fft::inverse", count, [=](int i) {
            auto* data = reinterpret_cast<fftwf_complex*>(spectra + i * stride);
            fftwf_execute_dft_c2r(plan, data, reinterpret_cast<float*>(data));
        });
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
    fftwf_plan forward_ = nullptr;
    fftwf_plan inverse_ = nullptr;
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

    /// `count` must be a multiple of the plan's batch. The arrays are those of the host plan.
    void forward(const float* grids, Complex* spectra, int count) const {
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
