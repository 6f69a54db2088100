#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "plan/device_description.hpp"
#include "support/test_device.hpp"

namespace tessera::plan {
namespace {

using kernels::Backend;

TEST(DeviceDescription, NamesAreWords) {
    EXPECT_EQ(known_gpu("H200")->name, "NVIDIA H200");
    EXPECT_EQ(known_gpu("NVIDIA A100-SXM4-40GB")->fp64_flops, 9.7e12);
    EXPECT_EQ(known_gpu("NVIDIA L40S")->name, "NVIDIA L40S");
    EXPECT_EQ(known_gpu("NVIDIA L4")->name, "NVIDIA L4");
    EXPECT_FALSE(known_gpu("NVIDIA L40").has_value());
    EXPECT_FALSE(known_gpu("NVIDIA GH200 480GB").has_value());
    EXPECT_FALSE(known_gpu("").has_value());
}

TEST(DeviceDescription, AnUnknownNameIsToldWithTheKnownOnes) {
    try {
        require_known_gpu("Abacus 3000");
        FAIL() << "no error";
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find("'Abacus 3000'"), std::string::npos);
        EXPECT_NE(line.find("A100"), std::string::npos);
        EXPECT_EQ(error.code(), ExitCode::usage);
    }
}

TEST(DeviceDescription, EveryGpuOfTheTableIsComplete) {
    const std::string names = known_gpu_names();
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find(", ", at), names.size());
        const auto gpu = known_gpu(names.substr(at, end - at));
        ASSERT_TRUE(gpu.has_value()) << names.substr(at, end - at);
        EXPECT_EQ(known_gpu(gpu->name)->fp32_flops, gpu->fp32_flops) << gpu->name;
        EXPECT_GT(gpu->bandwidth, 1e11);
        EXPECT_GT(gpu->fp32_flops, gpu->fp64_flops);
        EXPECT_LT(gpu->free_bytes, gpu->memory_bytes);
        at = end + 2;
    }
}

TEST(DeviceDescription, TheDeviceHereIsDescribed) {
    const kernels::DeviceInfo& info = test_device();
    const DeviceDescription device = describe(info);
    EXPECT_EQ(device.name, info.name);
    EXPECT_EQ(device.free_bytes, info.available_bytes);
    // No machine that runs this is slower than 1e8 or faster than 1e15.
    for (const double rate : {device.fp32_flops, device.fp64_flops, device.bandwidth}) {
        EXPECT_GT(rate, 1e8);
        EXPECT_LT(rate, 1e15);
    }
}

TEST(MemoryBudget, IsWhatIsAskedForOrAShareOfWhatIsFree) {
    EXPECT_EQ(memory_budget(Backend::cuda, 1000, 0), 900);
    EXPECT_EQ(memory_budget(Backend::openmp, 1000, 0), 500);
    EXPECT_EQ(memory_budget(Backend::cuda, 1000, 2), std::int64_t{2} << 30);
}

}  // namespace
}  // namespace tessera::plan
