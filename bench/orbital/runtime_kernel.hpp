// Kernels that are compiled while the program runs (NVRTC), and kept on disk from run to run.
#pragma once

#if defined(__CUDACC__) && defined(TESSERA_BENCH_NVRTC)

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/orbital/runtime_compiler.hpp"
#include "core/error.hpp"
#include "io/files/sha256.hpp"

namespace tessera::bench {

/// $XDG_CACHE_HOME/tessera, or else ~/.cache/tessera. It is empty if neither is known.
inline std::filesystem::path cache_folder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
        return std::filesystem::path(cache) / "tessera";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::filesystem::path(home) / ".cache" / "tessera";
    return {};
}

/// Machine code of a CUDA source for the current device, from the cache if it is there. The cache's
/// key is the SHA-256 of source, architecture and compiler version.
class RuntimeKernel {
  public:
    RuntimeKernel(const std::string& source, const char* name) {
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        const std::string architecture = device_architecture();
        int major = 0, minor = 0;
        nvrtcVersion(&major, &minor);
        const std::string key = io::sha256_of(source + architecture + std::to_string(major) + "." +
                                              std::to_string(minor));
        const auto folder = cache_folder();
        const auto path = folder / (key + ".cubin");
        std::vector<char> code = folder.empty() ? std::vector<char>() : read(path);
        from_cache_ = !code.empty();
        if (!from_cache_) {
            code = compile_for(source, architecture);
            if (!folder.empty()) write(path, code);
        }
        check(
            cudaLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        check(cudaLibraryGetKernel(&kernel_, library_, name));
        seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    }
    ~RuntimeKernel() { cudaLibraryUnload(library_); }
    RuntimeKernel(const RuntimeKernel&) = delete;
    RuntimeKernel& operator=(const RuntimeKernel&) = delete;

    void set_constant(const char* name, const std::vector<float>& values) const {
        void* address = nullptr;
        std::size_t bytes = 0;
        check(cudaLibraryGetGlobal(&address, &bytes, library_, name));
        check(cudaMemcpy(address, values.data(), std::min(bytes, values.size() * sizeof(float)),
                         cudaMemcpyHostToDevice));
    }

    template <class... Arguments>
    void launch(dim3 blocks, dim3 threads, Arguments... arguments) const {
        void* pointers[] = {&arguments...};
        check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), blocks, threads, pointers, 0,
                               nullptr));
    }

    bool from_cache() const { return from_cache_; }
    double seconds() const { return seconds_; }  ///< to compile or read the kernel, and to load it

  private:
    static void check(cudaError_t status) {
        if (status != cudaSuccess)
            throw Error("a runtime-generated kernel failed", cudaGetErrorString(status),
                        "empty the cache folder, or use another driver", ExitCode::resources);
    }

    static std::string device_architecture() {
        int device = 0, major = 0, minor = 0;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
        return "sm_" + std::to_string(major) + std::to_string(minor);
    }

    static std::vector<char> read(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    /// Writes the file whole or not at all, even if other processes write the same file. Without a
    /// writable cache, nothing is kept.
    static void write(const std::filesystem::path& path, const std::vector<char>& code) {
        std::error_code ignored;
        std::filesystem::create_directories(path.parent_path(), ignored);
        auto temporary = path;
        temporary += "." + std::to_string(getpid());
        {
            std::ofstream file(temporary, std::ios::binary);
            file.write(code.data(), static_cast<std::streamsize>(code.size()));
            if (!file.good()) return;
        }
        std::filesystem::rename(temporary, path, ignored);
    }

    cudaLibrary_t library_ = nullptr;
    cudaKernel_t kernel_ = nullptr;
    bool from_cache_ = false;
    double seconds_ = 0;
};

}  // namespace tessera::bench

#endif
