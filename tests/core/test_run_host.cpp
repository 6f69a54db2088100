#include "core/run_host.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tessera;

/// Leaves no host behind.
class RunHostTest : public ::testing::Test {
  protected:
    void TearDown() override { run_host() = {}; }
};

TEST_F(RunHostTest, AProgramWithoutAHostIsAskedNothing) {
    bool called = false;
    obey_run_host();
    tell_run_host([&] {
        called = true;
        return 0.5;
    });
    checkpoint_for_run_host([&] { called = true; });
    EXPECT_FALSE(called);
}

TEST_F(RunHostTest, ACheckpointIsOnTheDiskBeforeTheHostHearsOfIt) {
    std::string order;
    bool wanted = false;
    run_host().wants_checkpoint = [&] { return wanted; };
    run_host().checkpoint_done = [&] { order += " told"; };
    checkpoint_for_run_host([&] { order += "synced"; });
    EXPECT_EQ(order, "");
    wanted = true;
    checkpoint_for_run_host([&] { order += "synced"; });
    EXPECT_EQ(order, "synced told");
}

TEST_F(RunHostTest, TheHostHearsOfTheProgress) {
    double heard = 0;
    run_host().progress = [&](double fraction) { heard = fraction; };
    tell_run_host([] { return 0.25; });
    EXPECT_EQ(heard, 0.25);
}

}  // namespace
