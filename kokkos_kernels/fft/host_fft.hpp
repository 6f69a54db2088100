// Real 3-D transforms on a host, by FFTW's transforms along one axis.
#pragma once

#include <fftw3.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::kernels {

/// The transforms of one size. The plans use FFTW_ESTIMATE, because plans chosen by timing would
/// change the last bits from run to run. For 3-D transforms such plans work in place along z, which
/// is slow. Here each x plane passes through a buffer between its transforms along y and z.
class HostFft {
  public:
    explicit HostFft(FftShape shape) : shape_(shape) {
        // FFTW_ESTIMATE does not touch the data, but it plans for the alignment of these arrays.
        // Because n is even, every grid, spectrum and plane has the same alignment of 32 bytes.
        const auto data = allocate(2 * shape.spectrum_stride()), buffer = allocate(plane());
        float* const reals = reinterpret_cast<float*>(data.get());
        const int n = shape.n, half = shape.half(), columns = n * half;
        const auto along = [n](int count, fftwf_complex* from, fftwf_complex* to, int stride,
                               int direction) {
            return Plan(fftwf_plan_many_dft(1, &n, count, from, nullptr, stride, 1, to, nullptr,
                                            stride, 1, direction, FFTW_ESTIMATE));
        };
        if (data && buffer) {
            x_forward_ = along(columns, data.get(), data.get(), columns, FFTW_FORWARD);
            x_inverse_ = along(columns, data.get(), data.get(), columns, FFTW_BACKWARD);
            y_forward_ = along(half, buffer.get(), data.get(), half, FFTW_FORWARD);
            y_inverse_ = along(half, data.get(), buffer.get(), half, FFTW_BACKWARD);
            z_forward_.reset(fftwf_plan_many_dft_r2c(1, &n, n, reals, nullptr, 1, n, buffer.get(),
                                                     nullptr, 1, half, FFTW_ESTIMATE));
            z_inverse_.reset(fftwf_plan_many_dft_c2r(1, &n, n, buffer.get(), nullptr, 1, half,
                                                     reals, nullptr, 1, 2 * half, FFTW_ESTIMATE));
        }
        for (const Plan* plan :
             {&x_forward_, &x_inverse_, &y_forward_, &y_inverse_, &z_forward_, &z_inverse_})
            if (!*plan)
                throw Error("FFTW made no plan for a grid of " + std::to_string(n) + "^3",
                            "out of memory or an unsupported size", "choose another --grid",
                            ExitCode::resources);
    }

    /// Transforms a grid that is zero where x is farther than `reach` grid steps from 0.
    void forward(const float* grid, Complex* spectrum, int reach) const {
        const Buffer buffer = plane_buffer();
        auto* const out = reinterpret_cast<fftwf_complex*>(spectrum);
        const std::int64_t points = std::int64_t{shape_.n} * shape_.n;
        for (int x = 0; x < shape_.n; ++x) {
            if (x > reach && x < shape_.n - reach) {
                std::fill_n(spectrum + x * plane(), plane(), Complex());
                continue;
            }
            fftwf_execute_dft_r2c(z_forward_.get(), const_cast<float*>(grid) + x * points,
                                  buffer.get());
            fftwf_execute_dft(y_forward_.get(), buffer.get(), out + x * plane());
        }
        fftwf_execute_dft(x_forward_.get(), out, out);
    }

    /// Transforms a spectrum in place into an unscaled grid with rows of 2 * half() floats.
    void inverse(Complex* spectrum) const {
        const Buffer buffer = plane_buffer();
        auto* const data = reinterpret_cast<fftwf_complex*>(spectrum);
        fftwf_execute_dft(x_inverse_.get(), data, data);
        for (int x = 0; x < shape_.n; ++x) {
            fftwf_execute_dft(y_inverse_.get(), data + x * plane(), buffer.get());
            fftwf_execute_dft_c2r(z_inverse_.get(), buffer.get(),
                                  reinterpret_cast<float*>(data + x * plane()));
        }
    }

  private:
    struct Release {
        void operator()(fftwf_plan plan) const { fftwf_destroy_plan(plan); }
        void operator()(fftwf_complex* data) const { fftwf_free(data); }
    };
    using Plan = std::unique_ptr<fftwf_plan_s, Release>;
    using Buffer = std::unique_ptr<fftwf_complex, Release>;

    static Buffer allocate(std::int64_t numbers) {
        return Buffer(fftwf_alloc_complex(static_cast<std::size_t>(numbers)));
    }
    Buffer plane_buffer() const {
        Buffer buffer = allocate(plane());
        if (!buffer) throw std::bad_alloc();
        return buffer;
    }
    /// Numbers in the spectrum of one x.
    std::int64_t plane() const { return std::int64_t{shape_.n} * shape_.half(); }

    FftShape shape_;
    Plan x_forward_, x_inverse_, y_forward_, y_inverse_, z_forward_, z_inverse_;
};

}  // namespace tessera::kernels
