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
#include "kokkos_kernels/fft/plane_pairs.hpp"

namespace tessera::kernels {

/// The transforms of one size. The plans use FFTW_ESTIMATE, because plans chosen by timing would
/// change the last bits from run to run. What FFTW chooses then is fast for complex numbers alone,
/// and if it reads columns and writes them as rows. So two x planes pass together through buffers
/// as one complex plane, and a block of columns along x passes through a buffer.
class HostFft {
  public:
    explicit HostFft(FftShape shape) : shape_(shape), pair_(shape.n) {
        // FFTW_ESTIMATE does not touch the data, but it plans for the alignment of these arrays.
        const Buffer data = allocate(shape.frequencies()), a = allocate(pair_.numbers()),
                     b = allocate(pair_.numbers());
        if (data && a && b) {
            const auto columns_to_rows = [&](int count, fftwf_complex* from, std::int64_t stride,
                                             int direction) {
                return Plan(fftwf_plan_many_dft(1, &shape.n, count, from, nullptr,
                                                static_cast<int>(stride), 1, b.get(), nullptr, 1,
                                                pair_.stride, direction, FFTW_ESTIMATE));
            };
            const int block = columns_at_once();
            x_forward_ = columns_to_rows(block, data.get(), plane(), FFTW_FORWARD);
            x_inverse_ = columns_to_rows(block, data.get(), plane(), FFTW_BACKWARD);
            pair_forward_ = columns_to_rows(shape.n, a.get(), pair_.stride, FFTW_FORWARD);
            pair_inverse_ = columns_to_rows(shape.n, a.get(), pair_.stride, FFTW_BACKWARD);
        }
        for (const Plan* plan : {&x_forward_, &x_inverse_, &pair_forward_, &pair_inverse_})
            if (!*plan)
                throw Error("FFTW made no plan for a grid of " + std::to_string(shape.n) + "^3",
                            "out of memory or an unsupported size", "choose another --grid",
                            ExitCode::resources);
    }

    /// Transforms a grid that is zero where x is farther than `reach` grid steps from 0.
    void forward(const float* grid, Complex* spectrum, int reach) const {
        const Buffer a = pair_buffer(), b = pair_buffer();
        const std::int64_t points = std::int64_t{shape_.n} * shape_.n;
        for (int x = 0; x < shape_.n; x += 2) {
            Complex *const first = spectrum + x * plane(), *const second = first + plane();
            if (x > reach && x + 1 < shape_.n - reach) {
                std::fill_n(first, 2 * plane(), Complex());
                continue;
            }
            plane_pairs::join_planes(grid + x * points, grid + (x + 1) * points, pair_, ours(a));
            transform_pair(pair_forward_, a, b);
            plane_pairs::split_spectra(ours(a), pair_, first, second);
        }
        transform_x(x_forward_, spectrum, a);
    }

    /// Transforms a spectrum in place into an unscaled grid with rows of 2 * half() floats.
    void inverse(Complex* spectrum) const {
        const Buffer a = pair_buffer(), b = pair_buffer();
        transform_x(x_inverse_, spectrum, a);
        for (int x = 0; x < shape_.n; x += 2) {
            Complex *const first = spectrum + x * plane(), *const second = first + plane();
            plane_pairs::join_spectra(first, second, pair_, ours(a));
            transform_pair(pair_inverse_, a, b);
            plane_pairs::split_planes(ours(a), pair_, reinterpret_cast<float*>(first),
                                      reinterpret_cast<float*>(second));
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
    Buffer pair_buffer() const {
        Buffer buffer = allocate(pair_.numbers());
        if (!buffer) throw std::bad_alloc();
        return buffer;
    }
    static Complex* ours(const Buffer& buffer) { return reinterpret_cast<Complex*>(buffer.get()); }

    /// Transforms the pair in `a` along both axes. The second step turns it back.
    static void transform_pair(const Plan& plan, const Buffer& a, const Buffer& b) {
        fftwf_execute_dft(plan.get(), a.get(), b.get());
        fftwf_execute_dft(plan.get(), b.get(), a.get());
    }
    void transform_x(const Plan& plan, Complex* spectrum, const Buffer& rows) const {
        const int block = columns_at_once();
        for (Complex* columns = spectrum; columns < spectrum + plane(); columns += block) {
            fftwf_execute_dft(plan.get(), reinterpret_cast<fftwf_complex*>(columns), rows.get());
            // Two points of each row at a time.
            for (int x = 0; x < shape_.n; x += 2)
                for (int i = 0; i < block; ++i) {
                    const Complex* const row = ours(rows) + pair_.row(i);
                    columns[x * plane() + i] = row[x];
                    columns[(x + 1) * plane() + i] = row[x + 1];
                }
        }
    }
    /// Columns along x that pass through the buffer together. A multiple of four keeps blocks
    /// aligned, and 64 columns fit the second cache.
    int columns_at_once() const {
        int most = 4;
        for (int count = 8; count <= std::min(64, shape_.n); count += 4)
            if (plane() % count == 0) most = count;
        return most;
    }
    /// Numbers in the spectrum of one x.
    std::int64_t plane() const { return std::int64_t{shape_.n} * shape_.half(); }

    FftShape shape_;
    plane_pairs::Layout pair_;
    Plan x_forward_, x_inverse_, pair_forward_, pair_inverse_;
};

}  // namespace tessera::kernels
