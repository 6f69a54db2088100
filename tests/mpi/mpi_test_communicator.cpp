// Run on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <system_error>

#include "mpi/communicator.hpp"
#include "mpi/session.hpp"

namespace {

using tessera::Error;
using tessera::ExitCode;
using tessera::mpi::Communicator;
using tessera::mpi::SharedError;

TEST(Communicator, WorldKnowsRankAndSize) {
    const Communicator world = Communicator::world();
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    EXPECT_EQ(world.size(), size);
    EXPECT_EQ(world.allreduce_sum(world.rank()), size * (size - 1) / 2);
    EXPECT_EQ(world.allreduce_min(world.rank() + 5), 5);
    EXPECT_EQ(world.allreduce_max(world.rank() + 5), 5 + size - 1);
    const std::vector<int> ranks = world.allgather(world.rank());
    for (int i = 0; i < size; ++i) EXPECT_EQ(ranks[static_cast<std::size_t>(i)], i);
}

TEST(Communicator, SplitsIntoNodesAndGroups) {
    const Communicator world = Communicator::world();
    const Communicator node = world.split_shared();
    EXPECT_EQ(node.size(), world.size());  // tests run on one machine
    const Communicator halves = world.split(world.rank() % 2, -world.rank());
    EXPECT_EQ(halves.size(), (world.size() + 1 - world.rank() % 2) / 2);
    // Keys descend with the world rank, so that the last of a group is its root.
    if (world.rank() + 2 >= world.size()) {
        EXPECT_TRUE(halves.is_root());
    }
}

TEST(Communicator, BroadcastCutsLongMessages) {
    Communicator world = Communicator::world();
    world.set_longest_message(1000);
    const int root = world.size() - 1;
    std::vector<std::int32_t> values;
    std::string text;
    if (world.rank() == root) {
        values.resize(12345);
        std::iota(values.begin(), values.end(), -7);
        text = std::string(2000, 'x') + "end";
    } else {
        values.assign(3, 99);
    }
    world.broadcast(values, root);
    world.broadcast(text, root);
    ASSERT_EQ(values.size(), 12345u);
    for (int i = 0; i < 12345; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i - 7);
    EXPECT_EQ(text.size(), 2003u);
    EXPECT_EQ(text.substr(1998), "xxend");
    std::string empty = world.rank() == 0 ? "" : "old";
    world.broadcast(empty);
    EXPECT_EQ(empty, "");
}

TEST(Communicator, GatherKeepsRankOrderAndLengths) {
    Communicator world = Communicator::world();
    world.set_longest_message(64);
    // Rank r brings 100 r values, so that rank 0 brings none.
    std::vector<double> mine(static_cast<std::size_t>(100 * world.rank()), world.rank() + 0.5);
    const std::vector<double> all = world.gather(mine);
    if (!world.is_root()) {
        EXPECT_TRUE(all.empty());
        return;
    }
    std::vector<double> expected;
    for (int r = 0; r < world.size(); ++r)
        expected.insert(expected.end(), static_cast<std::size_t>(100 * r), r + 0.5);
    EXPECT_EQ(all, expected);
}

TEST(Communicator, OneRanksErrorSurfacesOnAll) {
    const Communicator world = Communicator::world();
    const int failing = world.size() - 1;
    try {
        world.together([&] {
            if (world.rank() == failing)
                throw Error("no luck", "the dice", "throw again", ExitCode::resources);
        });
        ADD_FAILURE() << "no error on rank " << world.rank();
    } catch (const SharedError& error) {
        const std::string suffix =
            failing > 0 ? " [rank " + std::to_string(failing) + "]" : std::string();
        EXPECT_EQ(error.what(), "no luck (the dice): throw again" + suffix);
        EXPECT_EQ(error.code(), ExitCode::resources);
    }
    // The communicator is as good as before.
    EXPECT_EQ(world.allreduce_sum(1), world.size());
}

TEST(Communicator, TheLowestFailingRankSpeaks) {
    const Communicator world = Communicator::world();
    try {
        world.together([&] { throw std::runtime_error("from " + std::to_string(world.rank())); });
        ADD_FAILURE();
    } catch (const SharedError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "unexpected failure (from 0): please report it with the command line");
        EXPECT_EQ(error.code(), ExitCode::internal);
    }
    EXPECT_NO_THROW(world.together([] {}));
}

TEST(Communicator, WhatTheSystemRefusesIsNoBug) {
    const Communicator world = Communicator::world();
    try {
        world.together([] {
            throw std::filesystem::filesystem_error("no such luck", "here",
                                                    std::make_error_code(std::errc::io_error));
        });
        ADD_FAILURE();
    } catch (const SharedError& error) {
        EXPECT_NE(std::string(error.what()).find("Input/output error"), std::string::npos);
        EXPECT_EQ(error.code(), ExitCode::resources);
    }
}

TEST(Communicator, MpiErrorsNameTheCallAndThePlace) {
    const Communicator world = Communicator::world();
    try {
        std::vector<std::byte> bytes(1);
        world.broadcast_bytes(bytes, world.size() + 3);  // no such root: refused locally
        ADD_FAILURE();
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find("MPI_Ibcast failed at communicator.cpp:"), std::string::npos) << line;
        EXPECT_NE(line.find("MPI_ERR_ROOT"), std::string::npos) << line;
    }
}

TEST(Session, LeavesARunningMpiAlone) {
    int argc = 0;
    char** argv = nullptr;
    {
        const tessera::mpi::Session session(argc, argv);
        EXPECT_EQ(session.run([] { return 42; }), 42);
        testing::internal::CaptureStderr();
        const int code = session.run([]() -> int {
            throw SharedError(tessera::FinishedLine{"shared (by all): fine"}, ExitCode::numerics);
        });
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  Communicator::world().is_root() ? "tessera: shared (by all): fine\n" : "");
        EXPECT_EQ(code, 3);
    }
    int finalized = 1;
    MPI_Finalized(&finalized);
    EXPECT_EQ(finalized, 0);
}

}  // namespace
