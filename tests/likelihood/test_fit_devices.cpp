#include "likelihood/fit/fit_devices.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"

namespace tessera::likelihood {
namespace {

constexpr io::JournalKey key{0xf17};

TEST(FitDevices, ThoseOfEarlierAttemptsAreToldApart) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "devices";
    const FitDevices first(path, key, 0, "GPU");
    EXPECT_EQ(first.resumed_devices(), "");
    EXPECT_FALSE(first.differ());
    const FitDevices second(path, key, 12, "GPU");
    EXPECT_EQ(second.resumed_devices(), "GPU: 12 tiles");
    EXPECT_FALSE(second.differ());
    const FitDevices third(path, key, 20, "CPU");
    EXPECT_EQ(third.resumed_devices(), "GPU: 20 tiles");
    EXPECT_TRUE(third.differ());
    const FitDevices fourth(path, key, 21, "CPU");
    EXPECT_EQ(fourth.resumed_devices(), "CPU: 1 tile; GPU: 20 tiles");
    EXPECT_TRUE(fourth.differ());
}

TEST(FitDevices, WhatAMachineLostIsTheNextAttemptsAgain) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "devices";
    for (const auto& [resumed, kinds] : {std::pair(0, "GPU"), std::pair(30, "CPU")})
        FitDevices(path, key, resumed, kinds);
    const FitDevices after(path, key, 10,
                           "Other");  // 20 batches of the GPU and all of the CPU are gone
    EXPECT_EQ(after.resumed_devices(), "GPU: 10 tiles");
    const FitDevices later(path, key, 40, "Other");
    EXPECT_EQ(later.resumed_devices(), "GPU: 10 tiles; Other: 30 tiles");
}

TEST(FitDevices, BatchesOfNobodyAreNotTakenForOnesOwn) {
    const test::TemporaryFolder folder;
    const FitDevices found(folder / "devices", key, 3, "CPU");
    EXPECT_TRUE(found.differ());
    EXPECT_EQ(found.resumed_devices(), "devices that were not written down: 3 tiles");
}

TEST(FitDevices, AnotherFitsJournalIsRefused) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "devices";
    FitDevices(path, key, 0, "CPU");
    EXPECT_THROW(FitDevices(path, {1}, 0, "CPU"), Error);
}

}  // namespace
}  // namespace tessera::likelihood
