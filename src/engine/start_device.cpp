#include "engine/start_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <ranges>
#include <vector>

#include "core/fixed_string.hpp"
#include "engine/rank_record.hpp"
#include "engine/rank_table.hpp"
#include "engine/run_notes.hpp"
#include "io/text/counted.hpp"
#include "kokkos_kernels/device/device_binding.hpp"

namespace tessera::engine {

namespace {

/// "device: NVIDIA H200 (cuda), 8 ranks", "device: Intel Xeon (openmp), 2 ranks of 8 threads". A
/// wrong number of threads is the most frequent mistake on hosts.
std::string device_line(const kernels::DeviceInfo& device, int ranks) {
    std::string line = fmt::format("device: {} ({}), {}", device.name,
                                   kernels::name_of(device.backend), io::counted(ranks, "rank"));
    if (device.backend != kernels::Backend::cuda)
        line += " of " + io::counted(device.threads, "thread");
    return line;
}

/// Collective. How many ranks compute on each kind of device, on rank 0.
std::map<std::string, int> ranks_by_kind(const mpi::Communicator& ranks,
                                         const kernels::DeviceInfo& device) {
    std::map<std::string, int> counts;
    for (const auto& kind : ranks.gather(std::vector{FixedString<192>(device_kind(device))}))
        ++counts[kind.str()];
    return counts;
}

}  // namespace

kernels::DeviceRequest device_share(const mpi::Communicator& node,
                                    const kernels::DeviceChoice& choice) {
    const FixedString<48> mine = kernels::gpu_name(choice.names, node.rank());
    kernels::set_gpu_share(kernels::sharers_of(mine, node.allgather(mine)), choice.gpu_fraction);
    kernels::DeviceRequest request;
    request.device = choice.names;
    request.node_rank = node.rank();
    request.node_size = node.size();
    request.cores = kernels::core_share(node.rank(), node.allgather(kernels::allowed_cores()));
    return request;
}

std::unique_ptr<kernels::DeviceRuntime> start_device(const mpi::Communicator& ranks,
                                                     const kernels::DeviceChoice& choice) {
    const kernels::DeviceRequest request = device_share(ranks.split_shared(), choice);
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    ranks.together([&] { runtime = std::make_unique<kernels::DeviceRuntime>(request); });
    return runtime;
}

std::string kinds_of(const mpi::Communicator& ranks, const kernels::DeviceInfo& device) {
    return fmt::format("{}", fmt::join(std::views::keys(ranks_by_kind(ranks, device)), " and "));
}

void announce_devices(const mpi::Communicator& ranks, const kernels::DeviceInfo& device,
                      bool speaks, io::RunRecord& record) {
    say(speaks, device_line(device, ranks.size()));
    const auto ranks_of = ranks_by_kind(ranks, device);
    record.device_kinds = kinds_text(ranks_of);
    ranks.broadcast(record.device_kinds);
    if (ranks_of.size() > 1)
        say(speaks, fmt::format("note: {} kinds of devices ({}); which of them computes a tile "
                                "decides its last bits",
                                ranks_of.size(), record.device_kinds));
}

}  // namespace tessera::engine
