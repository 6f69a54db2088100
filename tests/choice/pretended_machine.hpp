// Builds and devices that are not there: what they answer to `devices --json` and `plan --json`.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "choice/candidate.hpp"

namespace tessera {

/// A docking of 7,000 rotations in 100 tiles, and a second stage of 700 poses.
inline plan::JobPlan pretended_plan(kernels::Backend backend, double item_seconds,
                                    int threads = 1) {
    plan::JobPlan plan;
    plan.job = {"dock", "rotations", 7000, 100, "search"};
    plan.job.second = {"refine", 700, 10};
    plan::RankPlan rank;
    rank.host = "node";
    rank.device.backend = backend;
    rank.device.name = "pretended";
    rank.device.threads = threads;
    rank.memory_bytes = std::int64_t{3} << 30;
    rank.item_seconds = item_seconds;
    rank.second_item_seconds = item_seconds / 10;
    rank.start_seconds = backend == kernels::Backend::cuda ? 0.5 : 0.1;
    plan.ranks = {rank};
    plan.phases = {{"prepare", 1},
                   {"start device", rank.start_seconds},
                   {"search", 7000 * item_seconds},
                   {"refine", 700 * item_seconds / 10},
                   {"rank", 0.5}};
    return plan;
}

inline plan::JobPlan pretended_failure(const std::string& why) {
    plan::JobPlan plan = pretended_plan(kernels::Backend::cuda, 0);
    plan.ranks.front().why_not = why;
    plan.phases.clear();
    return plan;
}

struct PretendedGpu {
    std::string model;
    plan::JobPlan plan;
    std::string why_not = {};
};

struct PretendedBuild {
    bool cuda = false;
    std::string revision = "abc";
    std::string why_no_gpu = {};
    std::vector<PretendedGpu> gpus = {};
    plan::JobPlan plan = {};  ///< on the host
};

struct PretendedMachine {
    std::map<std::string, PretendedBuild> builds;
    std::vector<std::vector<std::string>> asked = {};

    std::vector<choice::Build> installed() const {
        std::vector<choice::Build> list;
        for (const auto& [program, build] : builds) list.push_back({program, "/" + program, ""});
        return list;
    }

    choice::Answer answer(const std::vector<std::string>& words) {
        asked.push_back(words);
        const auto found = builds.find(words.at(0).substr(1));
        if (found == builds.end()) return {132, "", ""};  // illegal instruction
        return {0, words.at(1) == "devices" ? devices(found->second) : plan(found->second, words),
                ""};
    }

    std::vector<choice::Candidate> candidates(const choice::Job& job) {
        return choice::list_candidates(installed(), job,
                                       [&](const auto& words) { return answer(words); });
    }

  private:
    static std::string devices(const PretendedBuild& build) {
        std::string gpus;
        for (std::size_t i = 0; i < build.gpus.size(); ++i)
            gpus += fmt::format(R"({}{{"name":"cuda:{}","number":{},"model":"{}","why_not":"{}"}})",
                                i ? "," : "", i, i, build.gpus[i].model, build.gpus[i].why_not);
        return fmt::format(
            R"({{"revision":"{}","cuda":{{"built":{},"why_not":"{}"}},"gpus":[{}]}})",
            build.revision, build.cuda, build.why_no_gpu, gpus);
    }

    static std::string plan(const PretendedBuild& build, const std::vector<std::string>& words) {
        if (!build.cuda) return plan::to_json(build.plan);
        std::size_t gpu = 0;
        for (const std::string& word : words)
            if (word.starts_with("--device=cuda:")) gpu = std::stoul(word.substr(14));
        return plan::to_json(build.gpus.at(gpu).plan);
    }
};

}  // namespace tessera
