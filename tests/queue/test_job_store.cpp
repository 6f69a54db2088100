#include "queue/job_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "queue/runner_view.hpp"

namespace {

using namespace tessera::queue;
namespace fs = std::filesystem;

class QueueStore : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("tessera-queue-" + std::to_string(getpid()));
        fs::create_directories(folder_);
        try {
            JobStore(path(), JobStore::Open::make);
        } catch (const tessera::Error& error) {
            GTEST_SKIP() << error.what();  // built without SQLite
        }
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string path() const { return (folder_ / "queue.db").string(); }

  private:
    fs::path folder_;
};

JobRequest full_request() {
    JobRequest request;
    request.project = "it's \"mine\"";
    request.command = {"sh", "-c", "echo 'ä \n b'", ""};
    request.folder = "/a folder";
    request.environment = {"PATH=/bin", "TESSERA_X="};
    request.cores = 3;
    request.gpus = 1;
    request.gpu = "GPU-1a2b";
    request.priority = -7;
    request.deadline = 1764230400.25;
    request.seconds = 12;
    return request;
}

TEST_F(QueueStore, WhatWasSubmittedComesBack) {
    JobStore store(path(), JobStore::Open::existing);
    const auto id = store.submit(full_request(), 5);
    const Job job = JobStore(path(), JobStore::Open::existing).job(id).value();
    const JobRequest& found = job.request;
    const JobRequest expected = full_request();
    EXPECT_EQ(found.project, expected.project);
    EXPECT_EQ(found.command, expected.command);
    EXPECT_EQ(found.folder, expected.folder);
    EXPECT_EQ(found.environment, expected.environment);
    EXPECT_EQ(found.cores, 3);
    EXPECT_EQ(found.gpus, 1);
    EXPECT_EQ(found.gpu, expected.gpu);
    EXPECT_EQ(found.priority, -7);
    EXPECT_EQ(found.deadline, expected.deadline);
    EXPECT_EQ(found.seconds, expected.seconds);
    EXPECT_EQ(job.state, JobState::waiting);
    EXPECT_EQ(job.submitted, 5);
    EXPECT_FALSE(job.began || job.ended || job.exit_code);
}

TEST_F(QueueStore, ACancelledJobStaysCancelled) {
    JobStore store(path(), JobStore::Open::existing);
    const auto id = store.submit(full_request(), 5);
    Job job = store.job(id).value();
    EXPECT_EQ(store.cancel(id, 6), JobState::waiting);
    job.state = JobState::running;
    EXPECT_FALSE(store.update(job));
    EXPECT_EQ(store.job(id)->state, JobState::cancelled);
    EXPECT_TRUE(store.jobs(false).empty());
    EXPECT_EQ(store.jobs().size(), 1U);
}

TEST_F(QueueStore, AWishToCancelSurvivesTheRunnersUpdates) {
    JobStore store(path(), JobStore::Open::existing);
    const auto id = store.submit(full_request(), 5);
    Job job = store.job(id).value();
    job.state = JobState::running;
    EXPECT_TRUE(store.update(job));
    store.has_news();
    EXPECT_EQ(JobStore(path(), JobStore::Open::existing).cancel(id, 6), JobState::running);
    EXPECT_TRUE(store.has_news());
    EXPECT_FALSE(store.has_news());
    job.ran = 9;
    store.update(job);
    EXPECT_TRUE(store.job(id)->cancelling);
    EXPECT_EQ(store.job(id)->ran, 9);
}

TEST_F(QueueStore, SharesKeepDebts) {
    JobStore store(path(), JobStore::Open::existing);
    store.set_share("a", 2.5);
    store.update(std::vector<StoredProject>{{"a", 1, -30, 60, 7}});
    store.set_share("a", 4);
    const auto projects = store.projects();
    ASSERT_EQ(projects.size(), 1U);
    EXPECT_EQ(projects[0].share, 4);
    EXPECT_EQ(projects[0].debt, -30);
    EXPECT_EQ(projects[0].core_seconds, 60);
    EXPECT_EQ(projects[0].gpu_seconds, 7);
}

TEST(QueueView, GpusHaveTheirPlacesInTheListOfTheRunner) {
    const RunnerOptions options{.cores = 8, .gpus = {"4", "6"}};
    Job named, held, lost, plain;
    named.request.gpus = held.request.gpus = lost.request.gpus = 1;
    named.request.gpu = "6";
    held.held = {"4"};
    lost.held = {"5"};
    for (Job* job : {&named, &held, &lost, &plain}) job->request.project = "a";
    plain.request.seconds = 100;
    plain.ran = 95;
    const State state = view_of({named, held, lost, plain}, {{"a"}}, options, 0);
    EXPECT_EQ(state.jobs[0].gpu, 1);
    EXPECT_EQ(state.jobs[0].cores, 1);
    EXPECT_EQ(state.jobs[1].held, std::vector<int>{0});
    EXPECT_FALSE(fits(state.jobs[2], state.machine));  // its GPU is not this runner's
    EXPECT_EQ(state.jobs[3].cores, 8);
    EXPECT_EQ(state.jobs[3].seconds_left, 10);
}

}  // namespace
