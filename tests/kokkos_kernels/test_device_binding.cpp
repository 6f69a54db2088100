#include "kokkos_kernels/device/device_binding.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using tessera::kernels::allowed_cores;
using tessera::kernels::bind_device;
using tessera::kernels::core_share;
using tessera::kernels::cores_of_rank;
using tessera::kernels::CoreSet;
using tessera::kernels::sharers_of;

TEST(DeviceBinding, OneRankADevice) {
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(bind_device(rank, 4, 4).device, rank);
        EXPECT_EQ(bind_device(rank, 4, 4).sharers, 1);
    }
}

TEST(DeviceBinding, MoreRanksThanDevicesShare) {
    // Five ranks on two devices: 0 2 4 on the first, 1 3 on the second.
    EXPECT_EQ(bind_device(4, 5, 2).device, 0);
    EXPECT_EQ(bind_device(4, 5, 2).sharers, 3);
    EXPECT_EQ(bind_device(3, 5, 2).device, 1);
    EXPECT_EQ(bind_device(3, 5, 2).sharers, 2);
}

TEST(DeviceBinding, DevicesAreToldApartByWhatTheyAre) {
    // Four ranks that see one GPU each as number 0: their own ones, or two of them the same.
    const std::vector<std::string> own{"a", "b", "c", "d"}, two{"a", "b", "a", "b"};
    for (const std::string& name : own) EXPECT_EQ(sharers_of(name, own), 1);
    EXPECT_EQ(sharers_of(two[3], two), 2);
    // Beside ranks that compute on the host.
    EXPECT_EQ(sharers_of<std::string>("a", {"", "a", ""}), 1);
    EXPECT_EQ(sharers_of<std::string>("", {}), 1);
}

TEST(DeviceBinding, NoDevice) { EXPECT_EQ(bind_device(1, 2, 0).device, -1); }

TEST(DeviceBinding, CoresAddUp) {
    int cores = 0;
    for (int rank = 0; rank < 3; ++rank) cores += cores_of_rank(rank, 3, 16);
    EXPECT_EQ(cores, 16);
    EXPECT_EQ(cores_of_rank(0, 3, 16), 6);
    EXPECT_EQ(cores_of_rank(2, 3, 16), 5);
    EXPECT_EQ(cores_of_rank(3, 4, 2), 1);
}

/// Cores `first` to `last`.
CoreSet cores(int first, int last) {
    CoreSet set{};
    for (int core = first; core <= last; ++core)
        set[static_cast<std::size_t>(core / 64)] |= std::uint64_t{1} << core % 64;
    return set;
}

TEST(DeviceBinding, RanksShareTheCoresThatTheyMayUse) {
    // Unbound ranks of a job that has 40 of the cores of its node.
    EXPECT_EQ(core_share(1, {cores(0, 39), cores(0, 39)}), 20);
    EXPECT_EQ(core_share(0, {cores(60, 69), cores(60, 69), cores(60, 69)}), 4);
    // Bound ranks keep what they are bound to.
    EXPECT_EQ(core_share(1, {cores(0, 15), cores(16, 31)}), 16);
    // Two ranks to a socket.
    EXPECT_EQ(core_share(3, {cores(0, 7), cores(0, 7), cores(8, 15), cores(8, 15)}), 4);
    // A rank that is not bound, beside one that is.
    EXPECT_EQ(core_share(0, {cores(0, 15), cores(0, 3)}), 8);
    EXPECT_EQ(core_share(1, {cores(0, 15), cores(0, 3)}), 4);
    // More ranks than cores, and a system that does not say.
    EXPECT_EQ(core_share(2, {cores(0, 1), cores(0, 1), cores(0, 1)}), 1);
    EXPECT_EQ(core_share(0, {CoreSet{}}), 1);
}

TEST(DeviceBinding, ThisProcessMayUseACore) { EXPECT_GE(core_share(0, {allowed_cores()}), 1); }

}  // namespace
