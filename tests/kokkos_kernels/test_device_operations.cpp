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

/// Sums of floats, or of doubles, in the order of the calls.
template <class Real>
std::vector<SumPair> added(DeviceOperations& device, std::size_t arrays, std::size_t count) {
    SumPair* sums = upload(device, wild_pairs(count, 1));
    auto* values = static_cast<Real*>(device.allocate(count * sizeof(Real)));
    device.clear(sums, count);
    for (std::size_t i = 0; i < arrays; ++i) {
        std::mt19937_64 random(i);
        std::vector<Real> some(count);
        for (Real& value : some) value = static_cast<Real>(std::ldexp(1.0 * random(), -70));
        device.copy(values, some.data(), count * sizeof(Real));
        device.add_values(sums, values, sizeof(Real) == sizeof(float), count);
        device.synchronize();
    }
    std::vector<SumPair> result(count);
    device.copy(result.data(), sums, count * sizeof(SumPair));
    device.synchronize();
    device.release(values);
    device.release(sums);
    return result;
}

TEST(DeviceOperations, TheDeviceAddsValuesWithTheBitsOfTheHost) {
    const auto device = kernels::make_device_operations(backend);
    HostOperations host;
    for (const std::size_t count : {1u, 7u, 100003u}) {
        const auto floats = added<float>(*device, 9, count), same = added<float>(host, 9, count);
        EXPECT_EQ(std::memcmp(floats.data(), same.data(), count * sizeof(SumPair)), 0) << count;
        const auto reals = added<double>(*device, 9, count), too = added<double>(host, 9, count);
        EXPECT_EQ(std::memcmp(reals.data(), too.data(), count * sizeof(SumPair)), 0) << count;
    }
}

TEST(DeviceOperations, SumsOfValuesKeepWhatTheyRoundAway) {
    HostOperations host;
    SumPair sum{5, 3};
    host.clear(&sum, 1);
    for (const double value : {1.0, 0x1p-60, -1.0}) host.add_values(&sum, &value, false, 1);
    EXPECT_EQ(sum.result(), 0x1p-60);
    const float tenth = 0.1F;
    host.add_values(&sum, &tenth, true, 1);
    EXPECT_EQ(sum.result(), static_cast<double>(tenth) + 0x1p-60);
}

TEST(DeviceOperations, OnlyGpusHaveAnIdentity) {
    const auto device = kernels::make_device_operations(backend);
    EXPECT_EQ(device->gpu_identity().empty(), backend != kernels::Backend::cuda);
    EXPECT_TRUE(kernels::make_device_operations(kernels::Backend::serial)->gpu_identity().empty());
}

}  // namespace
