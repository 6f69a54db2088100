// The operations that a reduction over ranks needs from the device that holds its arrays. This
// interface names neither Kokkos, CUDA nor MPI, so that both sides can include it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string>

#include "core/compensated_sum.hpp"

namespace tessera {

/// One element of a sum over ranks.
using SumPair = CompensatedSum<double>;

/// Add array `from` to array `into`, element by element.
struct ArrayMerge {
    SumPair* into = nullptr;
    const SumPair* from = nullptr;
};

/// Merges and copies run in the order of the calls. On a GPU they may run after the call has
/// returned. All members throw Error; allocations throw std::bad_alloc.
class DeviceOperations {
  public:
    virtual ~DeviceOperations() = default;

    /// A unique name of the GPU. It is empty if the arrays lie in host memory.
    virtual std::string gpu_identity() const = 0;
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;
    /// Allocates host memory that the device copies to at full speed.
    virtual void* allocate_host(std::size_t bytes) = 0;
    virtual void release_host(void* memory) noexcept = 0;
    /// Copies between any two places in device or host memory. Both must stay valid until
    /// synchronize().
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Applies all steps in this order to each of the `count` elements of the arrays.
    virtual void merge(std::span<const ArrayMerge> steps, std::size_t count) = 0;
    /// Sets the array to zero.
    virtual void clear(SumPair* sums, std::size_t count) = 0;
    /// Adds values[i] to sums[i]. `values` are doubles, or floats if `single`.
    virtual void add_values(SumPair* sums, const void* values, bool single, std::size_t count) = 0;
    /// Waits until the device has done everything that this process asked for.
    virtual void synchronize() = 0;
    /// The CUDA stream of merges and copies; nullptr on a host.
    virtual void* stream() const { return nullptr; }
};

/// Arrays in host memory, added by the calling thread.
class HostOperations final : public DeviceOperations {
  public:
    std::string gpu_identity() const override { return ""; }
    void* allocate(std::size_t bytes) override { return ::operator new(bytes); }
    void release(void* memory) noexcept override { ::operator delete(memory); }
    void* allocate_host(std::size_t bytes) override { return allocate(bytes); }
    void release_host(void* memory) noexcept override { release(memory); }
    void copy(void* to, const void* from, std::size_t bytes) override {
        if (to != from && bytes > 0) std::memcpy(to, from, bytes);
    }
    void merge(std::span<const ArrayMerge> steps, std::size_t count) override {
        // This many elements of all arrays of a step fit into a core's cache.
        constexpr std::size_t stretch = 512;
        for (std::size_t begin = 0; begin < count; begin += stretch)
            for (const ArrayMerge& step : steps)
                for (std::size_t i = begin; i < count && i < begin + stretch; ++i)
                    step.into[i].add(step.from[i]);
    }
    void clear(SumPair* sums, std::size_t count) override { std::fill_n(sums, count, SumPair{}); }
    void add_values(SumPair* sums, const void* values, bool single, std::size_t count) override {
        if (single)
            add(sums, static_cast<const float*>(values), count);
        else
            add(sums, static_cast<const double*>(values), count);
    }
    void synchronize() override {}

  private:
    template <class Real>
    static void add(SumPair* sums, const Real* values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) sums[i].add(static_cast<double>(values[i]));
    }
};

}  // namespace tessera
