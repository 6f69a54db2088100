#include "engine/rank_record.hpp"

#include "core/host_name.hpp"
#include "engine/rank_table.hpp"

namespace tessera::engine {

RankRecord rank_record(const kernels::DeviceInfo& device) {
    RankRecord mine;
    mine.host = host_name();
    mine.device = device.name;
    mine.backend = kernels::name_of(device.backend);
    return mine;
}

RankRecord rank_record(const kernels::DeviceInfo& device, const LoopReport& run) {
    RankRecord mine = rank_record(device);
    mine.tiles_done = run.tiles_done;
    mine.busy_seconds = run.busy_seconds;
    mine.retries = static_cast<std::int64_t>(run.retries.size());
    mine.waiting_seconds = run.waiting_seconds;
    mine.fate = run.device_lost ? "device lost" : "finished";
    return mine;
}

std::string device_kind(const kernels::DeviceInfo& device) {
    const std::string name = device.name.empty() ? kernels::name_of(device.backend) : device.name;
    return name + " (" + device.arithmetic + ")";
}

void note_run_alone(const kernels::DeviceInfo& device, const LoopReport& run,
                    std::int64_t tiles_total, io::RunRecord& record) {
    record.ranks = {rank_record(device, run)};
    record.retries = run.retries;
    record.tiles_total = tiles_total;
    record.device_kinds = kinds_text({{device_kind(device), 1}});
}

}  // namespace tessera::engine
