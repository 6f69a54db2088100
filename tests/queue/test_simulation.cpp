#include "queue/simulation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace tessera::queue;

constexpr Policy all_policies[] = {Policy::first_come, Policy::shares, Policy::earliest_deadline,
                                   Policy::shares_and_deadlines};

SimulatedJob simulated(std::int64_t id, std::size_t project, double seconds, int gpus = 0) {
    SimulatedJob made;
    made.job.id = id;
    made.job.project = project;
    made.job.gpus = gpus;
    made.job.seconds_left = made.seconds = seconds;
    return made;
}

State simulated_machine(int cores, int gpus, std::vector<double> shares) {
    State state;
    state.slice = 100;
    state.machine = {cores, gpus, 2};
    for (const double share : shares) state.projects.push_back({share, 0});
    return state;
}

TEST(QueueSimulation, OneCoreAndTwoEqualJobsByHand) {
    const State state = simulated_machine(1, 0, {1, 1});
    Measures m = simulate(state, {simulated(1, 0, 300), simulated(2, 1, 300)}, Policy::first_come);
    EXPECT_DOUBLE_EQ(m.makespan, 600);
    EXPECT_DOUBLE_EQ(m.mean_turnaround, 450);
    EXPECT_EQ(m.preemptions, 0);
    m = simulate(state, {simulated(1, 0, 300), simulated(2, 1, 300)}, Policy::shares);
    // Slices of 100 s: 1 2 1 2 1 2, and the last slice of each ends its job.
    EXPECT_DOUBLE_EQ(m.mean_turnaround, 550);
    EXPECT_EQ(m.preemptions, 4);
    EXPECT_NEAR(m.idle_cores, 0, 1e-12);
}

TEST(QueueSimulation, AJobStopsAtItsTileAndPaysItsStart) {
    const State state = simulated_machine(1, 0, {1, 1});
    std::vector<SimulatedJob> jobs{simulated(1, 0, 300), simulated(2, 1, 100)};
    jobs[0].tile = 70;
    jobs[0].start_up = 5;
    const Measures m = simulate(state, jobs, Policy::shares);
    // Job 1 runs to 140, job 2 to 240, then the other 160 s and the start.
    EXPECT_EQ(m.preemptions, 1);
    EXPECT_DOUBLE_EQ(m.makespan, 405);
    EXPECT_DOUBLE_EQ(m.mean_turnaround, (405 + 240) / 2.0);
}

TEST(QueueSimulation, SharesComeOutAsAskedFor) {
    const State state = simulated_machine(4, 0, {3, 1});
    std::vector<SimulatedJob> jobs;
    for (int i = 0; i < 8; ++i) jobs.push_back(simulated(i, static_cast<std::size_t>(i % 2), 1e7));
    const Measures m = simulate(state, jobs, Policy::shares_and_deadlines, 1e5);
    EXPECT_NEAR(m.core_seconds[0] / (m.core_seconds[0] + m.core_seconds[1]), 0.75, 0.005);
    EXPECT_LT(m.share_violation, 0.005);
}

/// Section 4 and Figure 3 of Desell et al. (2009): project A has jobs for GPU and CPU, B for the
/// CPU alone, and their shares are equal. A gets all of the GPU and 25 % of the CPU, B 75 % of the
/// CPU, if the CPU does twice the work of the GPU: here four cores, and a GPU that counts for two.
TEST(QueueSimulation, ASharePaysForAllResourcesTogether) {
    const State state = simulated_machine(4, 1, {1, 1});
    std::vector<SimulatedJob> jobs{simulated(0, 0, 1e7, 1)};
    jobs[0].job.cores = 0;  // the paper's GPU needs no core
    for (int i = 1; i <= 8; ++i) jobs.push_back(simulated(i, static_cast<std::size_t>(i % 2), 1e7));
    const Measures m = simulate(state, jobs, Policy::shares_and_deadlines, 1e5);
    EXPECT_NEAR(m.gpu_seconds[0] / 1e5, 1, 1e-9);
    EXPECT_NEAR(m.core_seconds[0] / 4e5, 0.25, 0.005);
    EXPECT_NEAR(m.core_seconds[1] / 4e5, 0.75, 0.005);
}

TEST(QueueSimulation, OnlyTheDeadlinesThatNeedItTakePrecedence) {
    const State state = simulated_machine(1, 0, {1, 1});
    std::vector<SimulatedJob> jobs;
    for (int i = 0; i < 4; ++i) jobs.push_back(simulated(i, 0, 1000));
    jobs.push_back(simulated(9, 1, 1000));
    jobs.back().job.deadline = 1300;  // 1,900 s if the two take turns
    EXPECT_EQ(simulate(state, jobs, Policy::first_come).missed, 1);
    EXPECT_EQ(simulate(state, jobs, Policy::shares).missed, 1);
    EXPECT_EQ(simulate(state, jobs, Policy::earliest_deadline).missed, 0);
    EXPECT_EQ(simulate(state, jobs, Policy::shares_and_deadlines).missed, 0);
    jobs.back().job.deadline = 2500;
    const Measures m = simulate(state, jobs, Policy::shares_and_deadlines);
    EXPECT_EQ(m.missed, 0);
    EXPECT_GT(m.preemptions, 10);  // it took turns all the same
    EXPECT_EQ(simulate(state, jobs, Policy::earliest_deadline).preemptions, 0);
}

TEST(QueueSimulation, AllWorkIsDoneUnderEveryPolicy) {
    const State state = simulated_machine(3, 2, {1, 2, 3});
    std::vector<SimulatedJob> jobs;
    double work = 0;
    for (int i = 0; i < 60; ++i) {
        jobs.push_back(
            simulated(i, static_cast<std::size_t>(i % 3), 10 + 7 * (i % 11), i % 4 == 0));
        jobs.back().arrives = 13 * (i % 17);
        jobs.back().tile = 3;
        work += jobs.back().seconds;
    }
    for (const Policy policy : all_policies) {
        const Measures m = simulate(state, jobs, policy);
        EXPECT_NEAR(m.core_seconds[0] + m.core_seconds[1] + m.core_seconds[2], work, 1e-6);
    }
}

}  // namespace
