#include "queue/job_end.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <optional>

namespace {

using namespace tessera::queue;

Job running_job() {
    Job job;
    job.state = JobState::running;
    job.held = {"0"};
    job.protected_until = 5;
    return job;
}

JobState after(Job job, std::optional<Ending> ending) {
    end_attempt(job, ending, "last words", 1);
    EXPECT_TRUE(job.held.empty() && !job.stopping && job.protected_until == 0);
    EXPECT_EQ(job.reason.empty(), job.state != JobState::failed);
    return job.state;
}

TEST(QueueJobEnd, ExitCodesAndSignalsDecide) {
    EXPECT_EQ(after(running_job(), Ending{0, 0}), JobState::done);
    EXPECT_EQ(after(running_job(), Ending{75, 0}), JobState::waiting);
    EXPECT_EQ(after(running_job(), Ending{2, 0}), JobState::failed);
    EXPECT_EQ(after(running_job(), Ending{128 + SIGKILL, SIGKILL}), JobState::waiting);
    EXPECT_EQ(after(running_job(), Ending{128 + SIGSEGV, SIGSEGV}), JobState::failed);
    EXPECT_EQ(after(running_job(), std::nullopt), JobState::waiting);
}

TEST(QueueJobEnd, ACancelledJobIsDoneOrCancelled) {
    Job job = running_job();
    job.cancelling = true;
    EXPECT_EQ(after(job, Ending{0, 0}), JobState::done);
    EXPECT_EQ(after(job, Ending{75, 0}), JobState::cancelled);
    EXPECT_EQ(after(job, Ending{1, 0}), JobState::cancelled);
    EXPECT_EQ(after(job, std::nullopt), JobState::cancelled);
}

TEST(QueueJobEnd, OnlyUnaskedEndsInARowAreTooMany) {
    Job job = running_job();
    for (int i = 1; i < most_deaths; ++i) {
        job.state = JobState::running;
        end_attempt(job, Ending{75, 0}, "", 1);
        EXPECT_EQ(job.state, JobState::waiting);
        EXPECT_EQ(job.deaths, i);
    }
    Job asked = job;
    asked.stopping = true;
    end_attempt(asked, Ending{75, 0}, "", 1);
    EXPECT_EQ(asked.deaths, 0);
    end_attempt(job, Ending{75, 0}, "stuck", 1);
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.reason, "exit code 75, 5 times in a row: stuck");
}

}  // namespace
