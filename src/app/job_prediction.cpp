#include "app/job_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "plan/job_plan.hpp"
#include "queue/submission.hpp"

namespace tessera::app {

namespace {

using Words = std::vector<std::string>;

constexpr const char* what_to_do = "say how long it takes with --seconds, or leave out --predict";

bool can_be_planned(const std::string& word) {
    constexpr std::array<std::string_view, 6> planned{"dock",       "screen", "orbital",
                                                      "likelihood", "fit",    "sample"};
    return std::ranges::find(planned, word) != planned.end();
}

/// The variables that the runner will set, as words of env.
Words environment_of(const queue::JobRequest& request, int cores, const Words& gpus) {
    const int its_cores = request.cores > 0 ? request.cores : request.gpus > 0 ? 1 : cores;
    Words its_gpus(gpus.begin(),
                   gpus.begin() + std::min<std::ptrdiff_t>(request.gpus, std::ssize(gpus)));
    if (!request.gpu.empty()) its_gpus = {request.gpu};
    return {"/usr/bin/env", fmt::format("OMP_NUM_THREADS={}", its_cores),
            "CUDA_VISIBLE_DEVICES=" + queue::joined(its_gpus)};
}

plan::JobPlan plan_in(const choice::Answer& answer) {
    try {
        return plan::job_from_json(answer.out);
    } catch (const std::exception&) {
        throw Error("cannot predict this job",
                    fmt::format("its plan does not answer (exit code {}){}{}", answer.code,
                                answer.error.empty() ? "" : ": ", answer.line()),
                    what_to_do, ExitCode::resources);
    }
}

}  // namespace

std::optional<Words> plan_of(const Words& command) {
    const auto program = std::ranges::find_if(command, [](const std::string& word) {
        return std::filesystem::path(word).filename() == "tessera";
    });
    if (program == command.end()) return std::nullopt;
    auto workload = program + 1;
    // tessera run compares the builds itself, and so does its plan.
    const bool chooses = workload != command.end() && *workload == "run";
    if (chooses) ++workload;
    Words words(command.begin(), program + 1);
    words.push_back("plan");
    Words last{"--json"};
    for (; workload != command.end() && chooses && !can_be_planned(*workload); ++workload)
        if (*workload == "--mixed") last.push_back(*workload);
    if (workload == command.end() || !can_be_planned(*workload)) return std::nullopt;
    if (!chooses) last.insert(last.begin(), "--this-build");
    words.insert(words.end(), workload, command.end());
    words.insert(words.end(), last.begin(), last.end());
    return words;
}

double predicted_seconds(const queue::JobRequest& request, int cores, const Words& gpus,
                         const choice::Ask& ask) {
    const auto plan = plan_of(request.command);
    if (!plan)
        throw Error("cannot predict this command",
                    "tessera plan knows dock, screen, orbital, likelihood, fit and sample",
                    what_to_do);
    Words words = environment_of(request, cores, gpus);
    words.insert(words.end(), plan->begin(), plan->end());
    const choice::Answer answer = ask(words);
    if (answer.code == static_cast<int>(ExitCode::usage))
        throw Error(FinishedLine{answer.line()}, ExitCode::usage);
    const plan::JobPlan found = plan_in(answer);
    for (const plan::RankPlan& rank : found.ranks)
        if (!rank.can_run())
            throw Error("this job cannot run here", rank.why_not, "see tessera plan",
                        ExitCode::resources);
    return found.total_seconds();
}

}  // namespace tessera::app
