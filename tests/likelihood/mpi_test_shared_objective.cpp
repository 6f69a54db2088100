#include <gtest/gtest.h>

#include <atomic>

#include "known_objectives.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/shared_objective.hpp"

namespace tessera::likelihood {

namespace {

using test::FunctionObjective;

MaximisePlan plan() {
    MaximisePlan plan;
    plan.population = 37;
    plan.generations = 20;
    plan.starts = 2;
    plan.gain = 1e-10;
    plan.noise = 1e-15;
    return plan;
}

/// The fit over all ranks; its result on rank 0.
Maximum shared_fit(const mpi::Communicator& world, Objective& mine, const std::atomic<bool>& stop) {
    SharedObjective shared(world, mine, stop);
    Maximum found;
    world.together([&] {
        if (!world.is_root()) return shared.serve();
        try {
            found = maximise(shared, Space(5), plan());
        } catch (...) {
            shared.finish();
            throw;
        }
        shared.finish();
    });
    return found;
}

}  // namespace

TEST(SharedObjective, AFitHasTheSameBitsOnAnyNumberOfRanks) {
    const auto world = mpi::Communicator::world();
    const std::atomic<bool> stop = false;
    FunctionObjective alone(test::rastrigin(0.4)), mine(test::rastrigin(0.4));
    const auto expected = maximise(alone, Space(5), plan());
    const auto found = shared_fit(world, mine, stop);
    if (world.is_root()) {
        EXPECT_EQ(found.best.at, expected.best.at);
        EXPECT_EQ(found.errors.covariance.values, expected.errors.covariance.values);
        EXPECT_EQ(found.history.size(), expected.history.size());
    }
    EXPECT_EQ(world.allreduce_sum(static_cast<std::int64_t>(mine.asked)),
              static_cast<std::int64_t>(alone.asked))
        << "something was computed twice";
    if (world.size() > 1) {
        EXPECT_LT(mine.asked, alone.asked);
    }
    EXPECT_GT(mine.asked, 0u);
}

TEST(SharedObjective, TheFailureOfOneRankEndsTheFitOnAll) {
    const auto world = mpi::Communicator::world();
    const std::atomic<bool> stop = false;
    std::size_t asked = 0;
    const bool breaks = world.rank() == world.size() - 1;
    FunctionObjective mine([&](const Point& u) {
        if (breaks && ++asked > 50) throw Error("out of stars", "a test", "none");
        return test::rastrigin(0.4)(u);
    });
    try {
        shared_fit(world, mine, stop);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("out of stars"), std::string::npos);
    }
}

TEST(SharedObjective, TilesThatFailOnOneRankAreDoneByAnother) {
    const auto world = mpi::Communicator::world();
    if (world.size() == 1) GTEST_SKIP() << "needs two ranks";
    const std::atomic<bool> stop = false;
    FunctionObjective alone(test::rastrigin(0.4));
    const auto expected = maximise(alone, Space(5), plan());
    std::size_t asked = 0;
    const bool breaks = world.rank() == world.size() - 1;
    FunctionObjective mine([&](const Point& u) {
        if (breaks && ++asked % 40 == 0)
            throw TileFailure(TileFailure::Reason::out_of_memory, "a test");
        return test::rastrigin(0.4)(u);
    });
    const auto found = shared_fit(world, mine, stop);
    if (world.is_root()) {
        EXPECT_EQ(found.best.at, expected.best.at);
    }
    EXPECT_GE(asked, breaks ? 40u : 0u);
}

TEST(SharedObjective, ATileThatNoRankCanDoEndsTheFitWithALine) {
    const auto world = mpi::Communicator::world();
    const std::atomic<bool> stop = false;
    std::size_t asked = 0;
    FunctionObjective mine([&](const Point& u) {
        if (++asked > 100) throw TileFailure(TileFailure::Reason::device_error, "a test");
        return test::rastrigin(0.4)(u);
    });
    try {
        shared_fit(world, mine, stop);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("failed"), std::string::npos) << error.what();
        EXPECT_EQ(error.code(), ExitCode::resources);
    }
}

TEST(SharedObjective, AStopOnAnyRankStopsAll) {
    const auto world = mpi::Communicator::world();
    std::atomic<bool> stop = false;
    std::size_t asked = 0;
    const bool told = world.rank() == world.size() - 1;
    FunctionObjective mine([&](const Point& u) {
        if (told && ++asked > 60) stop = true;
        return test::rastrigin(0.4)(u);
    });
    SharedObjective shared(world, mine, stop);
    bool stopped = false;
    world.together([&] {
        if (!world.is_root()) return shared.serve();
        try {
            maximise(shared, Space(5), plan());
        } catch (const Stopped&) {
            stopped = true;
        }
        shared.finish();
    });
    EXPECT_EQ(stopped, world.is_root());
}

}  // namespace tessera::likelihood
