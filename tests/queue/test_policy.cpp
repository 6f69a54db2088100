#include "queue/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "queue/late_jobs.hpp"

namespace {

using namespace tessera::queue;

State machine_with(int cores, int gpus, std::vector<double> shares) {
    State state;
    state.now = 1000;
    state.machine = {cores, gpus, 8};
    for (const double share : shares) state.projects.push_back({share, 0});
    return state;
}

JobView job(std::int64_t id, std::size_t project, int cores = 1, int gpus = 0) {
    JobView view;
    view.id = id;
    view.project = project;
    view.cores = cores;
    view.gpus = gpus;
    return view;
}

JobView running(JobView view, double protected_until, std::vector<int> held = {}) {
    view.running = true;
    view.protected_until = protected_until;
    view.held = std::move(held);
    return view;
}

JobView due(JobView view, double deadline, double seconds) {
    view.deadline = deadline;
    view.seconds_left = seconds;
    return view;
}

std::vector<std::int64_t> chosen_ids(const State& state,
                                     Policy policy = Policy::shares_and_deadlines) {
    std::vector<std::int64_t> ids;
    for (const Placement& placement : choose(state, policy))
        ids.push_back(state.jobs[placement.job].id);
    return ids;
}

using Ids = std::vector<std::int64_t>;

TEST(QueuePolicy, ProjectsTakeTurnsByDebtAndShare) {
    State state = machine_with(4, 0, {3, 1});
    for (int i = 1; i <= 4; ++i) state.jobs.push_back(job(i, 0));
    for (int i = 5; i <= 8; ++i) state.jobs.push_back(job(i, 1));
    EXPECT_EQ(chosen_ids(state), (Ids{1, 5, 2, 6}));  // no debts: as many each
    state.projects[0].debt = 2 * state.slice;
    EXPECT_EQ(chosen_ids(state), (Ids{1, 2, 3, 5}));
}

TEST(QueuePolicy, PriorityDecidesWithinAProjectOnly) {
    State state = machine_with(1, 0, {1, 1});
    state.jobs = {job(1, 0), job(2, 0), job(3, 1)};
    state.jobs[1].priority = 5;
    state.jobs[2].priority = 9;
    EXPECT_EQ(chosen_ids(state), Ids{2});
    state.projects[1].debt = 1;
    EXPECT_EQ(chosen_ids(state), Ids{3});
}

TEST(QueuePolicy, AJobKeepsItsPlaceForItsSlice) {
    State state = machine_with(1, 0, {1, 1});
    state.jobs = {running(job(1, 0), 1500), job(2, 1)};
    state.projects[1].debt = 1e6;
    Steps steps = next_steps(state, Policy::shares_and_deadlines);
    EXPECT_TRUE(steps.stop.empty() && steps.start.empty());
    ASSERT_EQ(steps.continues.size(), 1U);
    EXPECT_EQ(steps.continues[0].protected_until, 1500);

    state.now = 1500;
    steps = next_steps(state, Policy::shares_and_deadlines);
    EXPECT_EQ(steps.stop, std::vector<std::size_t>{0});
    EXPECT_TRUE(steps.start.empty());  // there is no room before the first has stopped

    state.jobs[0].stopping = true;
    steps = next_steps(state, Policy::shares_and_deadlines);
    EXPECT_TRUE(steps.stop.empty() && steps.start.empty());
    state.jobs[0].running = state.jobs[0].stopping = false;
    steps = next_steps(state, Policy::shares_and_deadlines);
    ASSERT_EQ(steps.start.size(), 1U);
    EXPECT_EQ(state.jobs[steps.start[0].job].id, 2);
    EXPECT_EQ(steps.start[0].protected_until, 2100);
}

TEST(QueuePolicy, WithoutARivalAJobGetsAnotherSlice) {
    State state = machine_with(1, 0, {1});
    state.jobs = {running(job(1, 0), 900), job(2, 0)};
    const Steps steps = next_steps(state, Policy::shares_and_deadlines);
    EXPECT_TRUE(steps.stop.empty());
    ASSERT_EQ(steps.continues.size(), 1U);
    EXPECT_EQ(steps.continues[0].protected_until, 1600);
}

TEST(QueuePolicy, ADeadlineIsUrgentOnlyIfTheSharesWouldMissIt) {
    State state = machine_with(1, 0, {1, 1});
    state.jobs = {running(job(1, 0), 1500), due(job(2, 1), 1000 + 5000, 1000)};
    state.jobs[0].seconds_left = 10000;
    EXPECT_TRUE(late_under_shares(state).empty());  // its turn comes at 1500
    EXPECT_EQ(chosen_ids(state), Ids{1});
    state.jobs[1].deadline = 1000 + 1400;
    EXPECT_EQ(late_under_shares(state), std::vector<std::size_t>{1});
    EXPECT_EQ(chosen_ids(state), Ids{2});  // although the first is within its slice
    EXPECT_EQ(chosen_ids(state, Policy::shares), Ids{1});
    state.now = 2500;  // too late: it waits like any other
    EXPECT_TRUE(late_under_shares(state).empty());
}

TEST(QueuePolicy, TheEarliestOfSeveralDeadlinesIsFirst) {
    State state = machine_with(1, 0, {1});
    state.jobs = {due(job(1, 0), 3000, 900), due(job(2, 0), 2000, 900)};
    EXPECT_EQ(chosen_ids(state), Ids{2});
    EXPECT_EQ(chosen_ids(state, Policy::earliest_deadline), Ids{2});
    EXPECT_EQ(chosen_ids(state, Policy::first_come), Ids{1});
}

TEST(QueuePolicy, AJobOfUnknownLengthWithADeadlineIsUrgent) {
    State state = machine_with(1, 0, {1});
    state.jobs = {job(1, 0), due(job(2, 0), 1e6, never)};
    EXPECT_EQ(late_under_shares(state), std::vector<std::size_t>{1});
}

TEST(QueuePolicy, AWideJobIsNotStarved) {
    State state = machine_with(4, 0, {1, 1});
    state.projects[0].debt = 1000;
    // The wide job of project 0 waits for job 2. Job 3 fills the gap, and leaves as soon as it can.
    state.jobs = {job(1, 0, 3), running(job(2, 1, 2), 1100), job(3, 1, 2)};
    Steps steps = next_steps(state, Policy::shares_and_deadlines);
    ASSERT_EQ(steps.start.size(), 1U);
    EXPECT_EQ(state.jobs[steps.start[0].job].id, 3);
    EXPECT_EQ(steps.start[0].protected_until, state.now);
    state.jobs[2] = running(state.jobs[2], steps.start[0].protected_until);
    state.now = 1100;
    steps = next_steps(state, Policy::shares_and_deadlines);
    EXPECT_EQ(steps.stop, (std::vector<std::size_t>{1, 2}));
}

TEST(QueuePolicy, AGpuDoesNotStandStillForWantOfACore) {
    State state = machine_with(4, 1, {1, 1});
    state.projects[1].debt = 1e5;
    state.jobs = {job(1, 0, 1, 1), running(job(2, 1, 2), 5000), running(job(3, 1, 2), 5000)};
    EXPECT_EQ(chosen_ids(state), (Ids{1, 2}));
}

TEST(QueuePolicy, GpusAreTakenSoThatNobodyIsDisturbed) {
    State state = machine_with(8, 3, {1});
    state.jobs = {running(job(1, 0, 1, 1), 900, {0}), job(2, 0, 1, 1), job(3, 0, 1, 1)};
    state.jobs[1].gpu = 1;
    const auto chosen = choose(state, Policy::shares_and_deadlines);
    ASSERT_EQ(chosen.size(), 3U);
    for (const Placement& placement : chosen)
        EXPECT_EQ(placement.gpus, std::vector<int>{static_cast<int>(placement.job)});
}

TEST(QueuePolicy, WhatNeverFitsDisturbsNobody) {
    State state = machine_with(2, 1, {1});
    state.jobs = {job(1, 0, 3), job(2, 0, 1, 2), job(3, 0, 1, 1), job(4, 0, 1)};
    state.jobs[2].gpu = 7;
    EXPECT_EQ(chosen_ids(state), Ids{4});
    EXPECT_EQ(choose(state, Policy::shares_and_deadlines)[0].protected_until, 1600);
}

TEST(QueuePolicy, DebtsSumToZeroAndAreOwedByShare) {
    State state = machine_with(4, 1, {3, 1, 5});
    state.jobs = {running(job(1, 0, 2), 0), running(job(2, 1, 1, 1), 0, {0}), job(3, 1)};
    account(state, 10);  // 2 cores and 1 + 8; the third project has no jobs
    EXPECT_DOUBLE_EQ(state.projects[0].debt, 110 * 0.75 - 20);
    EXPECT_DOUBLE_EQ(state.projects[1].debt, 110 * 0.25 - 90);
    EXPECT_EQ(state.projects[2].debt, 0);
    account(state, 1e9);
    EXPECT_DOUBLE_EQ(state.projects[0].debt, 86400 * 12);
}

/// Random states: what is chosen fits, keeps its GPUs, and leaves no room that a job could use.
void check_choice(const State& state, Policy policy) {
    const auto chosen = choose(state, policy);
    std::vector<bool> is_chosen(state.jobs.size(), false);
    std::set<int> gpus;
    int cores = 0;
    for (const Placement& placement : chosen) {
        const JobView& view = state.jobs[placement.job];
        EXPECT_FALSE(view.stopping || is_chosen[placement.job]);
        is_chosen[placement.job] = true;
        cores += view.cores;
        EXPECT_EQ(placement.gpus.size(), static_cast<std::size_t>(view.gpus));
        for (const int gpu : placement.gpus) {
            EXPECT_TRUE(gpus.insert(gpu).second && gpu >= 0 && gpu < state.machine.gpus);
            EXPECT_TRUE(view.gpu == any_gpu || view.gpu == gpu);
        }
        EXPECT_TRUE(!view.running || placement.gpus == view.held);
    }
    EXPECT_LE(cores, state.machine.cores);
    const int gpus_left = state.machine.gpus - static_cast<int>(gpus.size());
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const JobView& view = state.jobs[i];
        if (is_chosen[i] || view.stopping || view.running || !fits(view, state.machine)) continue;
        const bool has_gpus =
            view.gpu == any_gpu ? view.gpus <= gpus_left : !gpus.contains(view.gpu);
        EXPECT_FALSE(view.cores <= state.machine.cores - cores && has_gpus) << "job " << view.id;
    }
}

State random_state(std::mt19937& random) {
    const auto up_to = [&](int most) { return static_cast<int>(random() % (most + 1U)); };
    State state = machine_with(1 + up_to(7), up_to(3), {1, 2, 0.5});
    for (Project& project : state.projects) project.debt = up_to(4000) - 2000;
    int cores = state.machine.cores, gpus = 0;
    for (int id = 1; id <= 12; ++id) {
        JobView view = job(id, up_to(2), 1 + up_to(3), up_to(2));
        view.priority = up_to(2);
        if (up_to(2) == 0) view = due(view, 900 + up_to(3000), 50 + up_to(2000));
        if (view.gpus == 1 && up_to(2) == 0) view.gpu = up_to(3);
        if (view.gpu == any_gpu && up_to(1) == 0 && view.cores <= cores &&
            gpus + view.gpus <= state.machine.gpus) {
            view = running(view, 800 + up_to(400));
            for (int gpu = 0; gpu < view.gpus; ++gpu) view.held.push_back(gpus + gpu);
            view.stopping = up_to(3) == 0;
            cores -= view.cores;
            gpus += view.gpus;
        }
        state.jobs.push_back(view);
    }
    return state;
}

TEST(QueuePolicy, RandomStatesGetFullAndFeasibleMachines) {
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        const State state = random_state(random);
        for (const Policy policy : {Policy::first_come, Policy::shares, Policy::earliest_deadline,
                                    Policy::shares_and_deadlines})
            check_choice(state, policy);
        if (HasFailure()) FAIL() << "state " << i;
    }
}

}  // namespace
