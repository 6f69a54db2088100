#include "choice/candidate.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "choice/decision.hpp"
#include "choice/pretended_machine.hpp"
#include "core/error.hpp"

namespace {

using namespace tessera;
using choice::Candidate;
using Words = std::vector<std::string>;

const Words docking{"dock", "a.pdb", "b.pdb", "-o", "run.h5"};

plan::JobPlan on_gpu(double item_seconds) {
    return pretended_plan(kernels::Backend::cuda, item_seconds);
}
plan::JobPlan on_cores(double item_seconds, int threads = 16) {
    return pretended_plan(kernels::Backend::openmp, item_seconds, threads);
}

/// "build devices", and the rule behind it if there is one.
std::string told(const std::vector<Candidate>& candidates) {
    std::string text;
    for (const Candidate& one : candidates)
        text += one.build + " " + one.devices + (one.can_run() ? "" : ": " + one.why_not) + "\n";
    return text;
}

TEST(Candidates, LevelsOfProcessorsAreCompared) {
    PretendedMachine machine{{{"x86-64", {.plan = on_cores(0.04)}},
                              {"x86-64-v3", {.plan = on_cores(0.01)}},
                              {"x86-64-v4", {.plan = on_cores(0.02)}}}};
    const auto candidates = machine.candidates({docking});
    EXPECT_EQ(told(candidates), "x86-64 cpu\nx86-64-v3 cpu\nx86-64-v4 cpu\n");
    EXPECT_EQ(choice::choose(candidates), 1U);
    EXPECT_EQ(candidates[1].command,
              (Words{"/x86-64-v3", "dock", "a.pdb", "b.pdb", "-o", "run.h5"}));
    EXPECT_EQ(machine.asked[1], (Words{"/x86-64", "plan", "dock", "a.pdb", "b.pdb", "-o", "run.h5",
                                       "--this-build", "--json"}));
}

TEST(Candidates, OneGpuBesideTheCores) {
    PretendedMachine machine{{{"cuda", {.cuda = true, .gpus = {{"H200", on_gpu(1e-4)}}}},
                              {"x86-64-v4", {.plan = on_cores(0.01)}}}};
    const auto candidates = machine.candidates({docking});
    ASSERT_EQ(candidates.size(), 3U);
    EXPECT_EQ(choice::choose(candidates), 0U);
    // A single GPU need not be named.
    EXPECT_EQ(candidates[0].command, (Words{"/cuda", "dock", "a.pdb", "b.pdb", "-o", "run.h5"}));
    EXPECT_EQ(candidates[2].devices, "1 GPU + cpu");
    EXPECT_NE(candidates[2].why_not.find("last bits"), std::string::npos);
}

TEST(Candidates, EachRuleOnce) {
    PretendedMachine machine{
        {{"cuda",
          {.cuda = true,
           .gpus = {{"P4", on_gpu(1),
                     "P4 has compute capability 6.1, and this build has code for "
                     "8.0 and newer"},
                    {"L4", pretended_failure("a grid of 400^3 does not fit into 2 GiB")},
                    {"L4", on_gpu(0.001)}}}},
         {"old-driver",
          {.cuda = true, .why_no_gpu = "the driver knows CUDA 11.8, and this build needs 13.0"}},
         {"x86-64", {.plan = pretended_failure("the disk of '.' is full")}}}};
    auto builds = machine.installed();
    builds.push_back({"x86-64-v4", "/x86-64-v4", "this processor lacks its vector units"});
    builds.push_back({"/else/tessera", "/else/tessera", ""});
    const auto candidates = choice::list_candidates(
        builds, {docking}, [&](const Words& words) { return machine.answer(words); });
    EXPECT_EQ(told(candidates),
              "cuda cuda:0: P4 has compute capability 6.1, and this build has code for 8.0 and "
              "newer\n"
              "cuda cuda:1: a grid of 400^3 does not fit into 2 GiB\n"
              "cuda cuda:2\n"
              "old-driver cuda: the driver knows CUDA 11.8, and this build needs 13.0\n"
              "x86-64 cpu: the disk of '.' is full\n"
              "x86-64-v4 : this processor lacks its vector units\n"
              "/else/tessera : it does not answer (exit code 132)\n");
    EXPECT_EQ(choice::choose(candidates), 2U);
    EXPECT_EQ(candidates[2].command.back(), "--device=cuda:2");
    for (const Words& words : machine.asked) EXPECT_NE(words.front(), "/x86-64-v4");
}

TEST(Candidates, GpusOfOneModelAreTriedOnce) {
    PretendedMachine machine{{{"cuda",
                               {.cuda = true,
                                .gpus = {{"H200", on_gpu(1e-3)},
                                         {"H200", on_gpu(1e-3)},
                                         {"L4", on_gpu(4e-3)},
                                         {"P4", on_gpu(1), "too old"}}}}}};
    const auto candidates = machine.candidates({docking});
    EXPECT_EQ(told(candidates), "cuda cuda:0\ncuda cuda:2\ncuda cuda:3: too old\ncuda 3 GPUs\n");
    EXPECT_EQ(choice::choose(candidates), 3U);
    EXPECT_EQ(candidates[3].command, (Words{"mpirun", "-n", "3", "/cuda", "dock", "a.pdb", "b.pdb",
                                            "-o", "run.h5", "--device=cuda:0,cuda:1,cuda:2"}));
    const auto seconds = [&](std::size_t i) { return candidates[i].plan->total_seconds(); };
    // 100 tiles of 70 items: the slow GPU does about one of nine.
    EXPECT_NEAR(seconds(3) - 2, (seconds(0) - 2) / 2.25, 0.35);
    const auto alone = machine.candidates({docking, false, false});
    EXPECT_NE(alone[3].why_not.find("mpirun"), std::string::npos);
    EXPECT_EQ(choice::choose(alone), 0U);
}

TEST(Candidates, GpusAndCoresTogetherIfAllowed) {
    PretendedMachine machine{
        {{"cuda", {.cuda = true, .gpus = {{"L4", on_gpu(1e-3)}, {"L4", on_gpu(1e-3)}}}},
         {"x86-64-v3", {.plan = on_cores(2e-3, 16)}},
         {"x86-64", {.plan = on_cores(4e-3, 16)}}}};
    const auto candidates = machine.candidates({docking, true});
    ASSERT_EQ(
        told(candidates),
        "cuda cuda:0\nx86-64 cpu\nx86-64-v3 cpu\ncuda 2 GPUs\ncuda + x86-64-v3 2 GPUs + cpu\n");
    EXPECT_EQ(choice::choose(candidates), 4U);
    EXPECT_EQ(
        candidates[4].command,
        (Words{"mpirun",     "-n",     "2",     "/cuda", "dock", "a.pdb", "b.pdb",
               "-o",         "run.h5", ":",     "-n",    "1",    "env",   "OMP_NUM_THREADS=14",
               "/x86-64-v3", "dock",   "a.pdb", "b.pdb", "-o",   "run.h5"}));
    machine.builds["cuda"].revision = "def";
    EXPECT_NE(machine.candidates({docking, true})[4].why_not.find("revisions"), std::string::npos);
    machine.builds["cuda"].revision = "abc";
    for (const char* level : {"x86-64", "x86-64-v3"})
        machine.builds[level].plan = on_cores(2e-3, 2);
    EXPECT_NE(machine.candidates({docking, true})[4].why_not.find("no core free"),
              std::string::npos);
}

TEST(Candidates, ADeviceThatIsNamedStays) {
    PretendedMachine machine{
        {{"cuda", {.cuda = true, .gpus = {{"L4", on_gpu(1e-3)}, {"L4", on_gpu(1e-3)}}}},
         {"x86-64", {.plan = pretended_failure("no CUDA device")}}}};
    for (const Words& named :
         {Words{"dock", "--device", "cuda:1"}, Words{"dock", "--device=cuda:1"}}) {
        const auto candidates = machine.candidates({named});
        EXPECT_EQ(told(candidates), "cuda as given\nx86-64 as given: no CUDA device\n");
    }
}

TEST(Candidates, AWrongCommandIsToldAsTheBuildTellsIt) {
    const choice::Ask ask = [](const Words& words) -> choice::Answer {
        if (words[1] == "plan") return {2, "", "tessera: cannot read 'a.pdb' (missing): look"};
        return {0, R"({"revision":"a","cuda":{"built":false,"why_not":"no"},"gpus":[]})", ""};
    };
    try {
        (void)choice::list_candidates({{"x86-64", "/x86-64", ""}}, {docking}, ask);
        FAIL() << "a wrong command is planned";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "cannot read 'a.pdb' (missing): look");
        EXPECT_EQ(error.code(), ExitCode::usage);
    }
}

TEST(Candidates, OtherAnswersAreNoPlans) {
    for (const std::string text : {"", "{}", "[]", "null", R"({"revision":1})", "devices"}) {
        const auto candidates =
            choice::list_candidates({{"x", "/x", ""}}, {docking}, [&](const Words&) {
                return choice::Answer{0, text, ""};
            });
        ASSERT_EQ(candidates.size(), 1U);
        EXPECT_NE(candidates[0].why_not.find("does not answer"), std::string::npos);
        EXPECT_FALSE(choice::choose(candidates));
    }
}

}  // namespace
