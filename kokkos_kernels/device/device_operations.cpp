#include "kokkos_kernels/device/device_operations.hpp"

#include <algorithm>
#include <cstdio>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

namespace {

#ifdef KOKKOS_ENABLE_CUDA

void check_cuda(cudaError_t code, const char* call) {
    if (code != cudaSuccess)
        throw Error(std::string(call) + " failed in a sum over ranks", cudaGetErrorString(code),
                    "start the same command again", ExitCode::resources);
}

/// As many steps as one launch can take. Further steps go into further launches.
struct MergeBatch {
    static constexpr std::size_t most = 14;
    ArrayMerge steps[most];
    int size = 0;
};

/// A thread owns an element and does all its steps.
struct MergeElements {
    MergeBatch batch;
    KOKKOS_FUNCTION void operator()(std::size_t i) const {
        for (int s = 0; s < batch.size; ++s) {
            SumPair sum = batch.steps[s].into[i];
            sum.add(batch.steps[s].from[i]);
            batch.steps[s].into[i] = sum;
        }
    }
};

template <class Real>
struct AddValues {
    SumPair* sums;
    const Real* values;
    KOKKOS_FUNCTION void operator()(std::size_t i) const {
        SumPair sum = sums[i];
        sum.add(static_cast<double>(values[i]));
        sums[i] = sum;
    }
};

class CudaOperations final : public DeviceOperations {
  public:
    CudaOperations() : space_(make_stream()) {}
    ~CudaOperations() override {
        cudaStream_t stream = space_.cuda_stream();
        cudaStreamSynchronize(stream);
        space_ = Kokkos::Cuda();
        cudaStreamDestroy(stream);
    }
    CudaOperations(const CudaOperations&) = delete;
    CudaOperations& operator=(const CudaOperations&) = delete;

    std::string gpu_identity() const override {
        std::string text;
        for (const char byte : space_.cuda_device_prop().uuid.bytes) {
            char hex[3];
            std::snprintf(hex, sizeof(hex), "%02x", static_cast<unsigned char>(byte));
            text += hex;
        }
        return text;
    }
    void* allocate(std::size_t bytes) override {
        void* memory = nullptr;
        const cudaError_t code = cudaMalloc(&memory, bytes);
        if (code == cudaErrorMemoryAllocation) {
            cudaGetLastError();  // the error is not sticky; clear it
            throw std::bad_alloc();
        }
        check_cuda(code, "cudaMalloc");
        return memory;
    }
    void release(void* memory) noexcept override { cudaFree(memory); }
    void* allocate_host(std::size_t bytes) override {
        void* memory = nullptr;
        const cudaError_t code = cudaMallocHost(&memory, bytes);
        if (code == cudaErrorMemoryAllocation) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        check_cuda(code, "cudaMallocHost");
        return memory;
    }
    void release_host(void* memory) noexcept override { cudaFreeHost(memory); }
    void copy(void* to, const void* from, std::size_t bytes) override {
        if (to == from || bytes == 0) return;
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, space_.cuda_stream()),
                   "cudaMemcpyAsync");
    }
    void merge(std::span<const ArrayMerge> steps, std::size_t count) override {
        for (std::size_t done = 0; done < steps.size() && count > 0; done += MergeBatch::most) {
            MergeElements elements;
            const auto some = steps.subspan(done, std::min(MergeBatch::most, steps.size() - done));
            std::copy(some.begin(), some.end(), elements.batch.steps);
            elements.batch.size = static_cast<int>(some.size());
            for_each("tessera::merge_sums", count, elements);
        }
    }
    void clear(SumPair* sums, std::size_t count) override {
        check_cuda(cudaMemsetAsync(sums, 0, count * sizeof(SumPair), space_.cuda_stream()),
                   "cudaMemsetAsync");
    }
    void add_values(SumPair* sums, const void* values, bool single, std::size_t count) override {
        if (single)
            for_each("tessera::add_values", count,
                     AddValues<float>{sums, static_cast<const float*>(values)});
        else
            for_each("tessera::add_values", count,
                     AddValues<double>{sums, static_cast<const double*>(values)});
    }
    void synchronize() override { check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }
    void* stream() const override { return space_.cuda_stream(); }

  private:
    template <class Kernel>
    void for_each(const char* name, std::size_t count, const Kernel& kernel) {
        Kokkos::parallel_for(
            name,
            Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::size_t>>(space_, 0, count),
            kernel);
        check_cuda(cudaGetLastError(), name);
    }
    static cudaStream_t make_stream() {
        cudaStream_t stream = nullptr;
        check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
        return stream;
    }

    Kokkos::Cuda space_;
};

#endif

}  // namespace

std::unique_ptr<DeviceOperations> make_device_operations([[maybe_unused]] Backend backend) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<CudaOperations>();
#endif
    return std::make_unique<HostOperations>();
}

}  // namespace tessera::kernels
