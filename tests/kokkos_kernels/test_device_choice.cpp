#include "kokkos_kernels/device/device_choice.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"

namespace {

using namespace tessera;
using namespace tessera::kernels;

constexpr std::int64_t gib = std::int64_t{1} << 30;

/// A build for compute capabilities 8.0 and 9.0 by CUDA 12.8, and four GPUs. The third is too old.
GpuSystem four_gpus() {
    return {true,
            12080,
            12040,
            {80, 90},
            {{"NVIDIA H200", 90, 140 * gib},
             {"NVIDIA H200", 90, 140 * gib},
             {"Tesla P4", 61, 8 * gib},
             {"NVIDIA L4", 89, 23 * gib}}};
}

/// What ranks 0, 1, ... of a node take; the message if that fails.
std::string places(const std::string& names, int ranks, const GpuSystem& system = four_gpus()) {
    std::string text;
    try {
        for (int rank = 0; rank < ranks; ++rank) {
            const DevicePlace place = choose_place(names, rank, system);
            text += name_of(place.backend) + std::to_string(place.gpu) + " ";
        }
    } catch (const Error& error) {
        return error.what();
    }
    return text;
}

TEST(DeviceChoice, NamesOfToday) {
    EXPECT_EQ(places("auto", 4), "cuda0 cuda1 cuda3 cuda0 ");
    EXPECT_EQ(places("cuda", 4), "cuda0 cuda1 cuda3 cuda0 ");
    // A build with CUDA starts a GPU in any case.
    EXPECT_EQ(places("openmp", 2), "openmp0 openmp1 ");
    EXPECT_EQ(places("serial", 1), "serial0 ");
    const GpuSystem host;
    EXPECT_EQ(places("auto", 2, host), "openmp-1 openmp-1 ");
    EXPECT_EQ(places("cpu", 1, host), "openmp-1 ");
    EXPECT_EQ(places("serial", 1, host), "serial-1 ");
}

TEST(DeviceChoice, NumbersAndListsInTurn) {
    EXPECT_EQ(places("cuda:3", 2), "cuda3 cuda3 ");
    EXPECT_EQ(places("cuda:0,cuda:3", 4), "cuda0 cuda3 cuda0 cuda3 ");
    EXPECT_EQ(places("cuda:1,cuda:1,cuda:0", 3), "cuda1 cuda1 cuda0 ");
    EXPECT_EQ(places("cuda,cpu", 5), "cuda0 cuda1 cuda3 openmp0 cuda0 ");
    EXPECT_EQ(places("cuda:1,serial", 2), "cuda1 serial1 ");
}

TEST(DeviceChoice, MissingGpusAreNamedWithThoseThatAreThere) {
    const std::string told = places("cuda:0,cuda:4", 1);
    EXPECT_NE(told.find("no device cuda:4"), std::string::npos) << told;
    EXPECT_NE(told.find("cuda:3 (NVIDIA L4)"), std::string::npos) << told;
    EXPECT_EQ(places("cuda:99999999999", 1).find("unknown device"), 0U);
}

TEST(DeviceChoice, GpusWithoutCodeAreLeftOutOrRefused) {
    const std::string told = places("cuda:2", 1);
    EXPECT_NE(told.find("Tesla P4 has compute capability 6.1"), std::string::npos) << told;
    EXPECT_NE(told.find("code for 8.0 and newer"), std::string::npos) << told;
    GpuSystem old = four_gpus();
    old.gpus = {old.gpus[2]};
    for (const char* names : {"auto", "cuda", "cuda:0", "openmp"})
        EXPECT_NE(places(names, 1, old).find("compute capability 6.1"), std::string::npos);
}

TEST(DeviceChoice, OldDrivers) {
    GpuSystem system = four_gpus();
    system.driver_version = 11080;
    EXPECT_NE(places("cuda", 1, system).find("knows CUDA 11.8, and this build needs 12.8"),
              std::string::npos);
    // Within a major version, an older driver will do.
    system.driver_version = 12000;
    EXPECT_EQ(places("cuda", 1, system), "cuda0 ");
    system.driver_version = 0;
    system.gpus.clear();
    EXPECT_NE(places("auto", 1, system).find("this CUDA build cannot start"), std::string::npos);
    EXPECT_NE(places("cuda:0", 1, system).find("no CUDA device"), std::string::npos);
}

TEST(DeviceChoice, WrongNames) {
    for (const char* names : {"", ",", "cuda:", "cuda:-1", "cuda:1x", "cuda:+1", "gpu", "abacus",
                              "cuda,", "cuda,auto", "auto,cpu", "cuda: 1", "CUDA"})
        EXPECT_THROW((void)read_device_names(names), Error) << names;
}

TEST(DeviceChoice, ADeviceThatIsMissingDoesNotStart) {
    pretended_gpu_system() = four_gpus();
    DeviceRequest request;
    request.device = "cuda:7";
    EXPECT_THROW(DeviceRuntime{request}, Error);
    pretended_gpu_system().reset();
    EXPECT_NE(places("cuda:0", 1, {}).find("no CUDA device (this program was built without CUDA)"),
              std::string::npos);
}

TEST(DeviceChoice, SharesOfAGpuFitTogether) {
    const std::int64_t total = 80 * gib, free = 78 * gib;
    EXPECT_EQ(gpu_share(free, total, 1, 1), free);
    EXPECT_EQ(gpu_share(free, total, 2, 1), free / 2);
    EXPECT_EQ(gpu_share(free, total, 1, 0.25), total / 4);
    EXPECT_EQ(gpu_share(free, total, 8, 0.25), free / 8);
    EXPECT_EQ(gpu_share(10 * gib, total, 1, 0.5), 10 * gib);  // others have taken the rest
    // Two programs, one after the other, each with half of the GPU and its own context.
    const std::int64_t context = gib / 2;
    const auto planned = [&](std::int64_t free_bytes) {
        return memory_budget(Backend::cuda, gpu_share(free_bytes, total, 1, 0.5), 0);
    };
    const std::int64_t first = planned(free - context);
    const std::int64_t second = planned(free - 2 * context - first);
    EXPECT_LE(first + second + 2 * context, free);
    EXPECT_GE(second, 9 * first / 10);
}

}  // namespace
