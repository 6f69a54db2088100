#include "app/job_prediction.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "plan/job_plan.hpp"

namespace {

using namespace tessera;
using app::plan_of;
using Words = std::vector<std::string>;

TEST(JobPrediction, PlansTheCommandWithItsOptions) {
    EXPECT_EQ(plan_of({"tessera", "dock", "a.pdb", "b.pdb", "-o", "x.h5"}),
              (Words{"tessera", "plan", "dock", "a.pdb", "b.pdb", "-o", "x.h5", "--this-build",
                     "--json"}));
}

TEST(JobPrediction, KeepsLaunchersAndVariables) {
    EXPECT_EQ(plan_of({"env", "A=1", "mpirun", "-n", "2", "/opt/tessera", "fit", "w.toml"}),
              (Words{"env", "A=1", "mpirun", "-n", "2", "/opt/tessera", "plan", "fit", "w.toml",
                     "--this-build", "--json"}));
}

TEST(JobPrediction, LetsTesseraRunCompareItsBuilds) {
    EXPECT_EQ(plan_of({"tessera", "run", "--mixed", "--", "fit", "w.toml"}),
              (Words{"tessera", "plan", "fit", "w.toml", "--json", "--mixed"}));
}

TEST(JobPrediction, LeavesOtherCommands) {
    for (const Words& command :
         {Words{"tessera"}, Words{"tessera", "simulate", "w.toml"}, Words{"tessera", "run"},
          Words{"sh", "-c", "tessera dock a b"}, Words{"true"}})
        EXPECT_FALSE(plan_of(command));
}

/// Answers every command in the same way, and keeps what it was asked.
struct Answering {
    choice::Answer answer;
    Words asked;

    double seconds(const queue::JobRequest& request) {
        return app::predicted_seconds(request, 8, {"4", "7"}, [this](const Words& words) {
            asked = words;
            return answer;
        });
    }
};

queue::JobRequest fit_on(int cores, int gpus, const std::string& gpu = "") {
    queue::JobRequest request;
    request.command = {"tessera", "fit", "w.toml"};
    request.cores = cores;
    request.gpus = gpus;
    request.gpu = gpu;
    return request;
}

plan::JobPlan plan_of_12_seconds() {
    plan::JobPlan plan;
    plan.job = {"fit", "evaluations", 100, 10, "fit"};
    plan.ranks.resize(1);
    plan.phases = {{"prepare", 2}, {"fit", 10}};
    return plan;
}

TEST(JobPrediction, TakesTheWholeTimeOnTheCoresAndGpusOfTheJob) {
    Answering program{{0, plan::to_json(plan_of_12_seconds()), ""}, {}};
    const auto variables_for = [&](const queue::JobRequest& request) {
        EXPECT_DOUBLE_EQ(program.seconds(request), 12);
        return Words(program.asked.begin() + 1, program.asked.begin() + 3);
    };
    EXPECT_EQ(variables_for(fit_on(3, 0)), (Words{"OMP_NUM_THREADS=3", "CUDA_VISIBLE_DEVICES="}));
    EXPECT_EQ(variables_for(fit_on(0, 0)), (Words{"OMP_NUM_THREADS=8", "CUDA_VISIBLE_DEVICES="}));
    EXPECT_EQ(variables_for(fit_on(0, 1)), (Words{"OMP_NUM_THREADS=1", "CUDA_VISIBLE_DEVICES=4"}));
    EXPECT_EQ(variables_for(fit_on(2, 5)),
              (Words{"OMP_NUM_THREADS=2", "CUDA_VISIBLE_DEVICES=4,7"}));
    EXPECT_EQ(variables_for(fit_on(0, 1, "7")),
              (Words{"OMP_NUM_THREADS=1", "CUDA_VISIBLE_DEVICES=7"}));
}

std::string refusal(Answering program, ExitCode code) {
    try {
        program.seconds(fit_on(1, 0));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code);
        return error.what();
    }
    return "";
}

TEST(JobPrediction, PassesOnWhatIsWrongWithTheCommand) {
    EXPECT_EQ(refusal({{2, "", "tessera: no such file (x): look"}, {}}, ExitCode::usage),
              "no such file (x): look");
    EXPECT_NE(refusal({{139, "", ""}, {}}, ExitCode::resources).find("exit code 139"),
              std::string::npos);
    plan::JobPlan plan = plan_of_12_seconds();
    plan.ranks[0].why_not = "too little memory";
    EXPECT_NE(
        refusal({{4, plan::to_json(plan), ""}, {}}, ExitCode::resources).find("too little memory"),
        std::string::npos);
}

TEST(JobPrediction, RefusesWhatItCannotPlan) {
    queue::JobRequest request = fit_on(1, 0);
    request.command = {"true"};
    Answering program{};
    EXPECT_THROW(program.seconds(request), Error);
    EXPECT_TRUE(program.asked.empty());
}

}  // namespace
