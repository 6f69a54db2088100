#include "kokkos_kernels/device/device_operations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "kokkos_kernels/device/views.hpp"

namespace {

using namespace tessera;

#ifdef KOKKOS_ENABLE_CUDA
constexpr kernels::Backend backend = kernels::Backend::cuda;
#else
constexpr kernels::Backend backend = kernels::Backend::openmp;
#endif

std::vector<SumPair> wild_pairs(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<SumPair> pairs(count);
    for (SumPair& pair : pairs) {
        pair.value = std::ldexp(static_cast<double>(random()) - 0x1p63, int(random() % 1200) - 600);
        pair.compensation = std::ldexp(pair.value, -55);
    }
    return pairs;
}

SumPair* upload(DeviceOperations& device, const std::vector<SumPair>& pairs) {
    auto* memory = static_cast<SumPair*>(device.allocate(pairs.size() * sizeof(SumPair)));
    device.copy(memory, pairs.data(), pairs.size() * sizeof(SumPair));
    device.synchronize();
    return memory;
}

/// More steps than one launch takes, of which some read what others have made.
std::vector<ArrayMerge> chain(const std::vector<SumPair*>& arrays) {
    std::vector<ArrayMerge> steps;
    for (std::size_t i = 0; i + 1 < arrays.size(); i += 2)
        steps.push_back({arrays[i], arrays[i + 1]});
    for (std::size_t i = 2; i < arrays.size(); i += 2) steps.push_back({arrays[0], arrays[i]});
    return steps;
}

std::vector<SumPair> merged(DeviceOperations& device, std::size_t arrays, std::size_t count) {
    std::vector<SumPair*> memory;
    for (std::size_t i = 0; i < arrays; ++i)
        memory.push_back(upload(device, wild_pairs(count, static_cast<unsigned>(i))));
    device.merge(chain(memory), count);
    std::vector<SumPair> result(count);
    device.copy(result.data(), memory[0], count * sizeof(SumPair));
    device.synchronize();
    for (SumPair* array : memory) device.release(array);
    return result;
}

TEST(DeviceOperations, TheDeviceAddsWithTheBitsOfTheHost) {
    const auto device = kernels::make_device_operations(backend);
    HostOperations host;
    for (const std::size_t count : {1u, 7u, 100003u}) {
        const auto there = merged(*device, 37, count), here = merged(host, 37, count);
        EXPECT_EQ(std::memcmp(there.data(), here.data(), count * sizeof(SumPair)), 0) << count;
    }
}

TEST(DeviceOperations, TheHostAddsInTheOrderOfTheSteps) {
    constexpr std::size_t count = 1300;  // more than two stretches
    HostOperations host;
    const auto result = merged(host, 5, count);
    std::vector<std::vector<SumPair>> arrays;
    for (unsigned i = 0; i < 5; ++i) arrays.push_back(wild_pairs(count, i));
    for (std::size_t i = 0; i < count; ++i) {
        SumPair first = arrays[0][i], second = arrays[2][i];
        first.add(arrays[1][i]);
        second.add(arrays[3][i]);
        first.add(second);
        first.add(arrays[4][i]);
        ASSERT_EQ(std::memcmp(&first, &result[i], sizeof(SumPair)), 0) << i;
    }
}

TEST(DeviceOperations, OnlyGpusHaveAnIdentity) {
    const auto device = kernels::make_device_operations(backend);
    EXPECT_EQ(device->gpu_identity().empty(), backend != kernels::Backend::cuda);
    EXPECT_TRUE(kernels::make_device_operations(kernels::Backend::serial)->gpu_identity().empty());
}

}  // namespace
