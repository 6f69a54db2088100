// Run on 1, 2, 3 and 4 ranks: devices of several kinds are told once, and every rank can write them
// down.
#include <gtest/gtest.h>

#include "engine/start_device.hpp"

namespace tessera::engine {
namespace {

/// What rank 0 says and every rank notes, where rank 0 computes on `first` and all others on
/// `other`.
struct Announced {
    std::string told, noted;

    Announced(const mpi::Communicator& world, const std::string& first, const std::string& other) {
        kernels::DeviceInfo device;
        device.backend = kernels::Backend::openmp;
        device.name = world.is_root() ? first : other;
        device.arithmetic = "avx2";
        io::RunRecord record;
        testing::internal::CaptureStderr();
        announce_devices(world, device, world.is_root(), record);
        told = testing::internal::GetCapturedStderr();
        noted = record.device_kinds;
    }
    bool says_note() const { return told.find("note: ") != std::string::npos; }
};

std::string ranks_text(int count) {
    return std::to_string(count) + (count == 1 ? " rank" : " ranks");
}

TEST(DeviceKinds, OneKindIsNoNews) {
    const auto world = mpi::Communicator::world();
    const Announced one(world, "Newer", "Newer");
    EXPECT_EQ(one.noted, "Newer (avx2): " + ranks_text(world.size()));
    EXPECT_FALSE(one.says_note()) << one.told;
}

TEST(DeviceKinds, SeveralAreToldOnceAndNotedByEveryRank) {
    const auto world = mpi::Communicator::world();
    if (world.size() == 1) GTEST_SKIP() << "there is no other rank";
    const Announced two(world, "Newer", "Older");
    EXPECT_EQ(two.noted, "Newer (avx2): 1 rank; Older (avx2): " + ranks_text(world.size() - 1));
    EXPECT_EQ(two.says_note(), world.is_root()) << two.told;
    if (world.is_root()) {
        EXPECT_NE(two.told.find("note: 2 kinds of devices (" + two.noted + ")"), std::string::npos)
            << two.told;
    }
}

}  // namespace
}  // namespace tessera::engine
