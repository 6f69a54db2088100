#include "choice/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/text/shell_word.hpp"

namespace tessera::choice {

namespace {

using Json = nlohmann::ordered_json;

double fastest_of(const std::vector<Candidate>& candidates) {
    double least = std::numeric_limits<double>::infinity();
    for (const Candidate& one : candidates)
        if (one.can_run()) least = std::min(least, one.plan->total_seconds());
    return least;
}

/// The memory of the device that the job needs most of.
std::int64_t bytes_of(const plan::JobPlan& plan) {
    return std::ranges::max_element(plan.ranks, {}, &plan::RankPlan::memory_bytes)->memory_bytes;
}

std::string reason_of(const std::vector<Candidate>& candidates, std::size_t chosen) {
    return candidates[chosen].plan->total_seconds() <= fastest_of(candidates)
               ? "chosen: the fastest"
               : fmt::format("chosen: within {:g} % of the fastest, and simpler", 100 * worth_it);
}

std::string row_text(const Candidate& one, std::size_t width, const std::string& verdict) {
    std::string text = fmt::format("{:<{}}  {:<14}", one.build, width, one.devices);
    if (!one.can_run())
        return text + fmt::format("{:>10}{:>26}{:>12}  {}\n", "-", "-", "-", verdict);
    const std::int64_t bytes = bytes_of(*one.plan);
    return text +
           fmt::format("{:>10}{:>26}{:>12}  {}\n", plan::duration_text(one.plan->total_seconds()),
                       fmt::format("{:.4g} {}/s", one.plan->rate(), one.plan->job.item),
                       bytes > 0 ? fmt::format("{:.3g} GiB", static_cast<double>(bytes) / 0x1p30)
                                 : "-",
                       verdict);
}

Json json_of(const Candidate& one, bool chosen) {
    Json json{{"build", one.build},       {"devices", one.devices}, {"command", one.command},
              {"can_run", one.can_run()}, {"why_not", one.why_not}, {"chosen", chosen}};
    if (one.can_run()) {
        json["ranks"] = one.plan->ranks.size();
        json["total_seconds"] = one.plan->total_seconds();
        json["items_per_second"] = one.plan->rate();
        json["planned_bytes"] = bytes_of(*one.plan);
    }
    return json;
}

}  // namespace

std::optional<std::size_t> choose(const std::vector<Candidate>& candidates) {
    const double enough = (1 + worth_it) * fastest_of(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].can_run() && candidates[i].plan->total_seconds() <= enough) return i;
    return std::nullopt;
}

std::string command_text(const Candidate& candidate) {
    std::string line;
    for (const std::string& word : candidate.command)
        line += (line.empty() ? "" : " ") + io::shell_word(word);
    return line;
}

std::string table_text(const std::vector<Candidate>& candidates) {
    const auto chosen = choose(candidates);
    std::size_t width = 10;
    for (const Candidate& one : candidates) width = std::max(width, one.build.size());
    std::string text = fmt::format("{:<{}}  {:<14}{:>10}{:>26}{:>12}\n", "build", width, "devices",
                                   "time", "rate", "memory");
    for (std::size_t i = 0; i < candidates.size(); ++i)
        text += row_text(candidates[i], width,
                         i == chosen ? reason_of(candidates, i) : candidates[i].why_not);
    if (chosen) text += "\n" + command_text(candidates[*chosen]) + "\n";
    return text;
}

std::string to_json(const std::vector<Candidate>& candidates) {
    const auto chosen = choose(candidates);
    Json json{{"program", "tessera"}, {"can_run", false}};
    const auto planned =
        std::ranges::find_if(candidates, [](const Candidate& one) { return one.plan.has_value(); });
    if (chosen)
        json = Json::parse(plan::to_json(*candidates[*chosen].plan));
    else if (planned != candidates.end())
        json = Json::parse(plan::to_json(*planned->plan));
    json["candidates"] = Json::array();
    for (std::size_t i = 0; i < candidates.size(); ++i)
        json["candidates"].push_back(json_of(candidates[i], i == chosen));
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::choice
