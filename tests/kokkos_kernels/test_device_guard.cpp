#include "kokkos_kernels/device/device_guard.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "core/tile_fault.hpp"

namespace {

using tessera::Error;
using tessera::fault_of;
using tessera::TileFailure;
using tessera::TileFault;
using namespace tessera::kernels;

bool yes() { return true; }
bool no() { return false; }

TEST(SurvivesAbort, OnlyWhereThatIsExpected) {
    EXPECT_TRUE(survives_abort([] {}, &yes));
    for (int time = 0; time < 3; ++time) EXPECT_FALSE(survives_abort([] { std::abort(); }, &yes));
    EXPECT_DEATH(survives_abort([] { std::abort(); }, &no), "");
    EXPECT_DEATH(
        {
            survives_abort([] {}, &yes);
            std::abort();
        },
        "");
    EXPECT_THROW(survives_abort([] { throw std::logic_error("as before"); }, &yes),
                 std::logic_error);
}

TEST(SurvivesAbort, FromADestructor) {
    struct Fatal {
        ~Fatal() { std::abort(); }
    };
    EXPECT_FALSE(survives_abort(
        [] {
            const Fatal fatal;
            throw std::runtime_error("on its way out");
        },
        &yes));
    EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TileFault reason_of(const std::function<void()>& work) {
    try {
        guard_device(work);
    } catch (const TileFailure& failure) {
        return fault_of(failure);
    }
    throw std::logic_error("no tile failure");
}

TEST(GuardDevice, TellsWhatALibraryMeant) {
    const auto throws = [](const char* text) { return [text] { throw std::runtime_error(text); }; };
    EXPECT_EQ(reason_of(throws("Kokkos failed to allocate memory for label \"x\".")),
              TileFault::out_of_memory);
    EXPECT_EQ(reason_of(throws("cudaMemcpyAsync(...) error( cudaErrorInvalidValue): no")),
              TileFault::device_error);
    EXPECT_THROW(guard_device(throws("something else")), std::runtime_error);
    EXPECT_THROW(guard_device([] { throw Error("ours", "of course", "let it pass"); }), Error);
    EXPECT_THROW(guard_device([] { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_FALSE(device_is_lost());
}

/// In a process of its own: what is lost stays lost.
[[noreturn]] void lose_device() {
    const auto lose = [] {
        pretended_faults().lost = true;
        std::abort();
    };
    const bool told = reason_of(lose) == TileFault::device_lost && device_is_lost();
    // Nothing is run any more.
    const bool stays = reason_of([] { std::_Exit(9); }) == TileFault::device_lost;
    std::_Exit(told && stays ? 0 : 1);
}

TEST(GuardDevice, ALostDeviceIsNotTheEndOfTheProcess) {
    EXPECT_EXIT(lose_device(), testing::ExitedWithCode(0), "");
}

}  // namespace
