#include "app/info_json.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "docking/pairs/pairs_progress.hpp"
#include "docking/result/result_json.hpp"
#include "docking/screen/shard_view.hpp"
#include "engine/tile_journal.hpp"
#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/result/result.hpp"
#include "likelihood/sample/sample_result.hpp"
#include "orbitals/result/report.hpp"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;
using io::h5::Group;

/// Text in which only ASCII characters stand, so that it can be printed as it is.
std::string text_of(const Json& json) {
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

/// An attribute that holds JSON. Throws Error if it holds something else, or is nested so deeply
/// that printing it could exhaust the stack.
Json parsed(const Group& run, const std::string& name, const std::string& text) {
    constexpr int deepest = 64;
    bool too_deep = false;
    const auto shallow = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
        too_deep = too_deep || depth > deepest;
        return !too_deep;
    };
    Json json = Json::parse(text, shallow, false);
    if (too_deep || json.is_discarded())
        run.refuse("'" + run.name() + "@" + name + "'", "it is not JSON of a run");
    return json;
}

Json ranks_of(const io::RunRecord& record) {
    Json ranks = Json::array();
    for (const RankRecord& rank : record.ranks)
        ranks.push_back({{"rank", ranks.size()},
                         {"host", rank.host.str()},
                         {"device", rank.device.str()},
                         {"backend", rank.backend.str()},
                         {"tiles_done", rank.tiles_done},
                         {"busy_seconds", rank.busy_seconds},
                         {"waiting_seconds", rank.waiting_seconds},
                         {"retries", rank.retries},
                         {"fate", rank.fate.str()}});
    return ranks;
}

Json retries_of(const io::RunRecord& record) {
    Json retries = Json::array();
    for (const RetryRecord& retry : record.retries)
        retries.push_back({{"tile", retry.tile},
                           {"rank", retry.rank},
                           {"reason", retry.reason.str()},
                           {"detail", retry.detail.str()},
                           {"outcome", retry.outcome.str()}});
    return retries;
}

/// Everything in the group /run.
Json run_of(const Group& root) {
    const io::RunRecord record = io::read_run_record(root);
    const Group run = root.open_group("run");
    Json json{{"command_line", record.command_line},
              {"input", parsed(run, "input", record.input)},
              {"input_sha256", record.input_sha256},
              {"build", parsed(run, "build", record.build)},
              {"tiles_total", record.tiles_total},
              {"tiles_resumed", record.tiles_resumed},
              {"resumed_devices", record.resumed_devices},
              {"device_kinds", record.device_kinds},
              {"warnings", record.warnings}};
    for (const char* name : {"docking_command_line", "pairs_table"})
        if (run.has_attribute(name)) json[name] = run.read_attribute<std::string>(name);
    if (run.has_attribute("pairs_row"))
        json["pairs_row"] = run.read_attribute<std::int64_t>("pairs_row");
    json["ranks"] = ranks_of(record);
    json["phases"] = Json::array();
    for (const PhaseRecord& phase : record.phases)
        json["phases"].push_back({{"name", phase.name.str()}, {"seconds", phase.seconds}});
    json["retries"] = retries_of(record);
    return json;
}

}  // namespace

std::string result_json(const Group& root) {
    const auto workload = root.read_attribute<std::string>("workload");
    Json json{{"program", "tessera"}, {"version", root.read_attribute<std::string>("version")},
              {"workload", workload}, {"created", root.read_attribute<std::string>("created")},
              {"complete", true},     {"file", root.file()},
              {"run", run_of(root)}};
    const auto add = [&](const char* name, const std::string& text) {
        json[name] = Json::parse(text);
    };
    if (workload == "dock") add("docking", docking::to_json(docking::read_dock_summary(root)));
    if (workload == "screen") add("screen", docking::to_json(docking::read_shard(root)));
    if (workload == "orbital") {
        add("orbitals", orbitals::to_json(orbitals::read_orbital_result(root)));
        json["orbitals"]["has_values"] = root.contains("orbitals/values");
        json["orbitals"]["has_isosurfaces"] = root.contains("isosurfaces");
    }
    if (workload == "fit") add("fit", likelihood::to_json(likelihood::read_fit_result(root)));
    if (workload == "sample")
        add("sample", likelihood::to_json(likelihood::read_sample_result(root)));
    if (workload == "likelihood" || workload == "fit")
        add("likelihood", likelihood::to_json(likelihood::read_likelihood_result(root)));
    return text_of(json);
}

std::string progress_json(const std::string& folder) {
    const RunProgress run = read_run_progress(folder);
    Json json{{"program", "tessera"},
              {"workload", run.identity.workload},
              {"build", run.identity.build},
              {"complete", false},
              {"folder", folder},
              {"input_sha256", run.identity.input_sha256},
              {"running", !run.holder.empty()},
              {"holder", run.holder.empty() ? Json() : Json(run.holder)},
              {"seconds_since_begun", run.age_seconds}};
    if (run.identity.workload == docking::pairs_workload) {
        const auto pairs = docking::read_pairs_progress(folder);
        json["pairs_total"] = pairs ? Json(pairs->pairs) : Json();
        json["pairs_done"] = pairs ? Json(pairs->done) : Json();
        const auto quiet = pairs ? pairs->quiet_seconds : std::nullopt;
        json["seconds_since_written"] = quiet ? Json(std::max(0.0, *quiet)) : Json();
        return text_of(json);
    }
    json["seconds_since_written"] = run.quiet_seconds;
    json["tiles_total"] =
        counts_batches(run.identity.workload) ? Json() : Json(run.identity.tiles_total);
    json["tiles_done"] = run.tiles_done;
    json["refinement_tiles_done"] = run.tiles_refined;
    json["attempts"] = run.attempts;
    json["ranks"] = run.ranks;
    json["devices"] = Json::array();
    for (const auto& [kind, tiles] : run.devices)
        json["devices"].push_back({{"device", kind}, {"tiles_done", tiles}});
    return text_of(json);
}

}  // namespace tessera::app
