#include "choice/candidate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

#include "choice/device_report.hpp"
#include "choice/shared_work.hpp"
#include "core/error.hpp"
#include "io/text/counted.hpp"

namespace tessera::choice {

namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// "--device cuda:1" and "--device=cuda:1"
bool names_device(const Words& words) {
    return std::ranges::any_of(words, [](const std::string& word) {
        return word == "--device" || word.starts_with("--device=");
    });
}

std::string does_not_answer(const Answer& answer) {
    const std::string line = answer.line();
    return fmt::format("it does not answer (exit code {}){}{}", answer.code,
                       line.empty() ? "" : ": ", line);
}

/// Plans the job with one process of a build.
Candidate plan_alone(const Build& build, const Job& job, const std::string& devices,
                     const Words& device_option, const Ask& ask) {
    Candidate candidate{build.name, devices,
                        joined(joined({build.program}, job.words), device_option), "",
                        std::nullopt};
    const Answer answer =
        ask(joined(joined(joined({build.program, "plan"}, job.words), device_option),
                   {"--this-build", "--json"}));
    if (answer.code == static_cast<int>(ExitCode::usage))
        throw Error(FinishedLine{answer.line()}, ExitCode::usage);
    try {
        candidate.plan = plan::job_from_json(answer.out);
        for (const plan::RankPlan& rank : candidate.plan->ranks)
            if (!rank.can_run()) candidate.why_not = rank.why_not;
    } catch (const std::exception&) {
        candidate.plan.reset();
        candidate.why_not = does_not_answer(answer);
    }
    return candidate;
}

/// A build with CUDA, its revision, and the GPUs on which the job can run.
struct GpuBuild {
    Build build;
    std::string revision;
    std::size_t all = 0;  ///< GPUs of the machine
    std::vector<int> numbers;
    std::vector<plan::RankPlan> ranks;
    std::optional<plan::JobPlan> plan;  ///< of the first
};

/// Plans the job on each model of GPU, and on another of the same model if that fails.
GpuBuild plan_gpus(const Build& build, const DeviceReport& report, const Job& job, const Ask& ask,
                   std::vector<Candidate>& candidates) {
    GpuBuild found{build, report.revision, report.gpus.size(), {}, {}, {}};
    std::vector<std::pair<std::string, plan::RankPlan>> models;
    for (const GpuReport& gpu : report.gpus) {
        if (!gpu.why_not.empty()) {
            candidates.push_back({build.name, gpu.name, {}, gpu.why_not, {}});
            continue;
        }
        auto known =
            std::ranges::find(models, gpu.model, [](const auto& one) { return one.first; });
        if (known == models.end()) {
            const Words device = report.gpus.size() > 1 ? Words{"--device=" + gpu.name} : Words{};
            Candidate one = plan_alone(build, job, gpu.name, device, ask);
            candidates.push_back(one);
            if (!one.can_run()) continue;
            if (!found.plan) found.plan = one.plan;
            known = models.insert(models.end(), {gpu.model, one.plan->ranks.front()});
        }
        found.numbers.push_back(gpu.number);
        found.ranks.push_back(known->second);
    }
    return found;
}

/// The words of the ranks of a build on several GPUs, from "-n" on.
Words words_of_ranks(const GpuBuild& gpus, const Job& job) {
    Words words =
        joined({"-n", std::to_string(gpus.numbers.size()), gpus.build.program}, job.words);
    if (gpus.numbers.size() < gpus.all)
        words.push_back(fmt::format("--device=cuda:{}", fmt::join(gpus.numbers, ",cuda:")));
    return words;
}

std::string count_of(const GpuBuild& gpus) { return io::counted(gpus.numbers.size(), "GPU"); }

Candidate on_all_gpus(const GpuBuild& gpus, const Job& job) {
    Candidate candidate{gpus.build.name, count_of(gpus),
                        joined({"mpirun"}, words_of_ranks(gpus, job)), "",
                        share_work(*gpus.plan, gpus.ranks)};
    if (!job.has_mpirun) candidate.why_not = "there is no mpirun in PATH to start several ranks";
    return candidate;
}

/// GPUs, and a rank on the cores that their ranks leave free.
Candidate on_both(const GpuBuild& gpus, const Candidate& host, const std::string& revision,
                  const Job& job) {
    Candidate candidate{
        gpus.build.name + " + " + host.build, count_of(gpus) + " + cpu", {}, "", std::nullopt};
    const int cores = host.plan->ranks.front().device.threads;
    const int threads = cores - static_cast<int>(gpus.numbers.size());
    if (!job.mixed) {
        candidate.why_not = "two kinds of devices: the last bits depend on the schedule; --mixed "
                            "allows it";
    } else if (revision != gpus.revision) {
        candidate.why_not = "the builds have different revisions";
    } else if (threads < 1) {
        candidate.why_not = "the ranks of the GPUs leave no core free";
    } else if (!job.has_mpirun) {
        candidate.why_not = "there is no mpirun in PATH to start several ranks";
    } else {
        std::vector<plan::RankPlan> ranks = gpus.ranks;
        ranks.push_back(with_threads(host.plan->ranks.front(), threads));
        candidate.plan = share_work(*gpus.plan, std::move(ranks));
        candidate.command =
            joined(joined({"mpirun"}, words_of_ranks(gpus, job)),
                   {":", "-n", "1", "env", fmt::format("OMP_NUM_THREADS={}", threads),
                    host.command.front()});
        candidate.command = joined(candidate.command, job.words);
    }
    return candidate;
}

}  // namespace

std::vector<Candidate> list_candidates(const std::vector<Build>& builds, const Job& job,
                                       const Ask& ask) {
    std::vector<Candidate> on_gpu, on_host, on_several;
    std::vector<GpuBuild> gpu_builds;
    const Candidate* fastest_host = nullptr;
    std::string host_revision;
    on_host.reserve(builds.size());
    for (const Build& build : builds) {
        if (!build.why_not.empty()) {
            on_host.push_back({build.name, "", {}, build.why_not, {}});
            continue;
        }
        const Answer answer = ask({build.program, "devices", "--json"});
        const auto report = read_device_report(answer.out);
        if (!report) {
            on_host.push_back({build.name, "", {}, does_not_answer(answer), {}});
        } else if (names_device(job.words)) {
            on_host.push_back(plan_alone(build, job, "as given", {}, ask));
        } else if (!report->cuda_build) {
            on_host.push_back(plan_alone(build, job, "cpu", {}, ask));
            const Candidate& host = on_host.back();
            if (host.can_run() && (!fastest_host || host.plan->total_seconds() <
                                                        fastest_host->plan->total_seconds())) {
                fastest_host = &host;
                host_revision = report->revision;
            }
        } else if (!report->why_no_gpu.empty()) {
            on_gpu.push_back({build.name, "cuda", {}, report->why_no_gpu, {}});
        } else {
            gpu_builds.push_back(plan_gpus(build, *report, job, ask, on_gpu));
        }
    }
    for (const GpuBuild& gpus : gpu_builds) {
        if (gpus.numbers.empty()) continue;
        if (gpus.numbers.size() > 1) on_several.push_back(on_all_gpus(gpus, job));
        if (fastest_host) on_several.push_back(on_both(gpus, *fastest_host, host_revision, job));
    }
    std::ranges::move(on_host, std::back_inserter(on_gpu));
    std::ranges::move(on_several, std::back_inserter(on_gpu));
    return on_gpu;
}

std::vector<Candidate> compare_builds(const std::vector<std::string>& words, bool mixed) {
    return list_candidates(installed_builds(), {words, mixed, is_in_path("mpirun")}, ask);
}

}  // namespace tessera::choice
