// The plan of a job as text and as JSON (declared in job_plan.hpp).
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "plan/job_plan.hpp"

#include "io/text/counted.hpp"

namespace tessera::plan {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const DeviceDescription& device) {
    return {{"name", device.name},
            {"backend", kernels::name_of(device.backend)},
            {"threads", device.threads},
            {"memory_bytes", device.memory_bytes},
            {"free_bytes", device.free_bytes},
            {"fp32_flops", device.fp32_flops},
            {"fp64_flops", device.fp64_flops},
            {"bandwidth_bytes_per_second", device.bandwidth},
            {"rates_basis", name_of(device.rates)}};
}

Json json_of(const RankPlan& rank) {
    return {{"host", rank.host},
            {"device", json_of(rank.device)},
            {"can_run", rank.can_run()},
            {"why_not", rank.why_not},
            {"precision", rank.precision},
            {"arrangement", rank.arrangement},
            {"planned_bytes", rank.memory_bytes},
            {"items_per_second", rank.rate()},
            {"seconds_per_item", rank.item_seconds},
            {"second_stage_seconds_per_item", rank.second_item_seconds},
            {"basis", name_of(rank.basis)},
            {"start_seconds", rank.start_seconds},
            {"start_basis", name_of(rank.start_basis)},
            {"first_tile_seconds", rank.first_tile_seconds}};
}

Basis basis_named(const std::string& name) {
    for (const Basis basis : {Basis::sampled, Basis::measured})
        if (name_of(basis) == name) return basis;
    return Basis::table;
}

kernels::Backend backend_named(const std::string& name) {
    for (const auto backend : {kernels::Backend::cuda, kernels::Backend::serial})
        if (kernels::name_of(backend) == name) return backend;
    return kernels::Backend::openmp;
}

DeviceDescription device_of(const Json& json) {
    DeviceDescription device;
    device.backend = backend_named(json.at("backend"));
    device.name = json.at("name");
    device.threads = json.at("threads");
    device.memory_bytes = json.at("memory_bytes");
    device.free_bytes = json.at("free_bytes");
    device.fp32_flops = json.at("fp32_flops");
    device.fp64_flops = json.at("fp64_flops");
    device.bandwidth = json.at("bandwidth_bytes_per_second");
    device.rates = basis_named(json.at("rates_basis"));
    return device;
}

std::string gibibytes(std::int64_t bytes) {
    return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / 0x1p30);
}

std::string rank_text(std::size_t number, const RankPlan& rank, const JobSize& job) {
    const DeviceDescription& d = rank.device;
    std::string text = fmt::format("rank {} on {}: {} ({}", number, rank.host, d.name,
                                   kernels::name_of(d.backend));
    if (d.backend != kernels::Backend::cuda)
        text += fmt::format(", {}", io::counted(d.threads, "thread"));
    text += ")\n";
    if (d.memory_bytes > 0)
        text += fmt::format("  memory {} of {} free\n", gibibytes(d.free_bytes),
                            gibibytes(d.memory_bytes));
    if (d.fp32_flops > 0)
        text += fmt::format("  FP32 {:.4g} and FP64 {:.4g} Gflop/s, {:.4g} GB/s ({})\n",
                            d.fp32_flops * 1e-9, d.fp64_flops * 1e-9, d.bandwidth * 1e-9,
                            d.rates == Basis::table ? "peaks of the data sheet" : "measured");
    if (!rank.can_run()) return text + "  cannot run here: " + rank.why_not + "\n";
    text += fmt::format("  precision {}; {}\n", rank.precision, rank.arrangement);
    return text + fmt::format("  {:.4g} {}/s ({})\n", rank.rate(), job.item, name_of(rank.basis));
}

RankPlan rank_of(const Json& json) {
    RankPlan rank;
    rank.host = json.at("host");
    rank.device = device_of(json.at("device"));
    rank.why_not = json.at("why_not");
    rank.precision = json.at("precision");
    rank.arrangement = json.at("arrangement");
    rank.memory_bytes = json.at("planned_bytes");
    rank.item_seconds = json.at("seconds_per_item");
    rank.second_item_seconds = json.at("second_stage_seconds_per_item");
    rank.basis = basis_named(json.at("basis"));
    rank.start_seconds = json.at("start_seconds");
    rank.start_basis = basis_named(json.at("start_basis"));
    rank.first_tile_seconds = json.at("first_tile_seconds");
    return rank;
}

JobSize size_of(const Json& work) {
    JobSize job;
    job.item = work.at("item");
    job.items = work.at("items");
    job.tiles = work.at("tiles");
    job.tile_phase = work.at("phase");
    job.serial_share = work.at("serial_share");
    if (!work.contains("second_stage")) return job;
    const Json& second = work.at("second_stage");
    job.second = {second.at("phase"), second.at("items"), second.at("tiles")};
    return job;
}

Json json_of(const JobSize& job) {
    Json work{{"item", job.item},
              {"items", job.items},
              {"tiles", job.tiles},
              {"phase", job.tile_phase},
              {"serial_share", job.serial_share}};
    if (!job.second.phase.empty())
        work["second_stage"] = {
            {"phase", job.second.phase}, {"items", job.second.items}, {"tiles", job.second.tiles}};
    return work;
}

}  // namespace

std::string duration_text(double seconds) {
    if (seconds < 120) return fmt::format("{:.3g} s", seconds);
    return seconds < 7200 ? fmt::format("{:.3g} min", seconds / 60)
                          : fmt::format("{:.3g} h", seconds / 3600);
}

std::string to_json(const RankPlan& rank) {
    return json_of(rank).dump(-1, ' ', false, Json::error_handler_t::replace);
}

RankPlan rank_from_json(const std::string& text) { return rank_of(Json::parse(text)); }

JobPlan job_from_json(const std::string& text) {
    const Json json = Json::parse(text);
    JobPlan plan;
    plan.job = size_of(json.at("work"));
    plan.job.workload = json.at("workload");
    if (json.contains("jobs")) plan.job.jobs = json.at("jobs");
    for (const Json& rank : json.at("ranks")) plan.ranks.push_back(rank_of(rank));
    if (plan.ranks.empty()) throw std::runtime_error("a plan without ranks");
    for (const Json& phase : json.at("phases"))
        plan.phases.push_back(
            {phase.at("name"), phase.at("seconds"), basis_named(phase.at("basis"))});
    plan.notes = json.at("notes");
    return plan;
}

std::string to_json(const JobPlan& plan) {
    Json json{{"program", "tessera"},      {"workload", plan.job.workload},
              {"can_run", plan.can_run()}, {"work", json_of(plan.job)},
              {"ranks", Json::array()},    {"phases", Json::array()}};
    for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
        Json rank{{"rank", r}};
        rank.update(json_of(plan.ranks[r]));
        json["ranks"].push_back(std::move(rank));
    }
    for (const PhaseEstimate& phase : plan.phases)
        json["phases"].push_back(
            {{"name", phase.name}, {"seconds", phase.seconds}, {"basis", name_of(phase.basis)}});
    if (plan.can_run()) {
        json["items_per_second"] = plan.rate();
        json["total_seconds"] = plan.total_seconds();
        if (plan.job.jobs > 0) {
            json["jobs"] = plan.job.jobs;
            json["node_hours"] = plan.node_hours();
        }
    }
    json["notes"] = plan.notes;
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string report_text(const JobPlan& plan) {
    std::string text;
    for (const std::string& note : plan.notes) text += note + "\n";
    const std::string& items = plan.job.item;  // an s at the end makes it a plural
    text += fmt::format("{} {} in {}\n\n", plan.job.items,
                        plan.job.items == 1 ? items.substr(0, items.size() - 1) : items,
                        io::counted(plan.job.tiles, "tile"));
    for (std::size_t r = 0; r < plan.ranks.size(); ++r)
        text += rank_text(r, plan.ranks[r], plan.job);
    if (!plan.can_run()) return text + "\nthe job cannot run\n";
    text += fmt::format("\n{:<24}{:>12}  basis\n", "phase", "time");
    for (const PhaseEstimate& phase : plan.phases)
        text += fmt::format("{:<24}{:>12}  {}\n", phase.name, duration_text(phase.seconds),
                            name_of(phase.basis));
    text += fmt::format("{:<24}{:>12}", "total", duration_text(plan.total_seconds()));
    if (plan.ranks.size() > 1)
        text += fmt::format("  on {} ranks, {:.4g} {}/s", plan.ranks.size(), plan.rate(),
                            plan.job.item);
    text += "\n";
    if (plan.job.jobs > 0)
        text += fmt::format("{:<24}{:>12.3g}  {} of {} on {}\n", "node-hours", plan.node_hours(),
                            io::counted(plan.job.jobs, "job"), duration_text(plan.total_seconds()),
                            io::counted(plan.nodes(), "node"));
    return text;
}

}  // namespace tessera::plan
