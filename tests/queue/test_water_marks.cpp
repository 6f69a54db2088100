#include "queue/water_marks.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tessera::queue;

State machine_of(int cores, int gpus) {
    State state;
    state.machine = {cores, gpus, 32};
    state.projects = {{1, 0}};
    return state;
}

JobView waiting(int cores, int gpus, double seconds) {
    JobView view;
    view.cores = cores;
    view.gpus = gpus;
    view.seconds_left = seconds;
    return view;
}

constexpr WaterMarks marks{100, 400};

TEST(WaterMarks, AnEmptyMachineIsFilledToTheHighMark) {
    const Shortfall wanted = shortfall(machine_of(4, 2), marks);
    EXPECT_EQ(wanted.core_seconds, 4 * 400);
    EXPECT_EQ(wanted.gpu_seconds, 2 * 400);
}

TEST(WaterMarks, NothingIsWantedAboveTheLowMark) {
    State state = machine_of(4, 0);
    state.jobs.assign(8, waiting(1, 0, 50));  // 400 core-seconds, which is 100 s for each core
    EXPECT_FALSE(shortfall(state, marks).any());
    state.jobs.pop_back();
    EXPECT_EQ(shortfall(state, marks).core_seconds, 4 * 400 - 7 * 50);
}

TEST(WaterMarks, ALongJobKeepsOnlyItsOwnCoresBusy) {
    State state = machine_of(4, 0);
    state.jobs = {waiting(1, 0, 1e6)};
    EXPECT_EQ(shortfall(state, marks).core_seconds, 3 * 400);
    state.jobs = {waiting(4, 0, 1e6)};
    EXPECT_FALSE(shortfall(state, marks).any());
}

TEST(WaterMarks, AJobOfUnknownLengthIsALongOne) {
    State state = machine_of(2, 0);
    state.jobs = {waiting(2, 0, never)};
    EXPECT_FALSE(shortfall(state, marks).any());
}

TEST(WaterMarks, OneEmptyResourceFetchesForAll) {
    State state = machine_of(2, 1);
    state.jobs = {waiting(2, 0, 150)};  // cores are between the marks, and the GPU has nothing
    const Shortfall wanted = shortfall(state, marks);
    EXPECT_EQ(wanted.core_seconds, 2 * 400 - 2 * 150);
    EXPECT_EQ(wanted.gpu_seconds, 400);
}

TEST(WaterMarks, AJobThatDoesNotFitIsNoWork) {
    State state = machine_of(2, 0);
    state.jobs = {waiting(3, 0, 1e6), waiting(1, 1, 1e6)};
    EXPECT_EQ(shortfall(state, marks).core_seconds, 2 * 400);
}

TEST(WaterMarks, AMachineWithoutGpusWantsNoneOfTheirWork) {
    EXPECT_EQ(shortfall(machine_of(2, 0), marks).gpu_seconds, 0);
}

}  // namespace
