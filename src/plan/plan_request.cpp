#include "plan/plan_request.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"

namespace tessera::plan {

namespace {

// Of a CUDA device without anything on it, as a run on an H200 recorded it (docs/benchmarks.md).
constexpr double gpu_start_seconds = 0.1;

}  // namespace

PlannedDevice start_device(const PlanRequest& request, RankPlan& rank) {
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    rank.host = host;
    PlannedDevice planned;
    if (!request.for_device.empty()) {
        rank.device = require_known_gpu(request.for_device);
        rank.start_seconds = gpu_start_seconds;
        return planned;
    }
    try {
        rank.start_basis = Basis::measured;
        rank.start_seconds = seconds_of(
            [&] { planned.runtime = std::make_unique<kernels::DeviceRuntime>(request.device); });
        rank.device = describe(planned.runtime->info());
    } catch (const Error& error) {
        if (error.code() != ExitCode::resources) throw;
        rank.why_not = error.what();
        rank.device.name = "no device '" + request.device.device + "'";
    }
    return planned;
}

WriteRates write_rates(const std::string& output, double bytes) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    if (output.empty()) return {};
    const auto folder = std::filesystem::absolute(output).parent_path();
    const int file = open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (file < 0) return {};
    const std::vector<char> data(piece, 1);
    const auto pieces = static_cast<int>(std::clamp(bytes / piece, 1.0, 64.0));
    bool written = true;
    const double writing = seconds_of([&] {
        for (int i = 0; written && i < pieces; ++i)
            written = write(file, data.data(), piece) == static_cast<ssize_t>(piece);
    });
    const double syncing = seconds_of([&] { fsync(file); });
    close(file);
    if (!written) return {};
    const double all = pieces * static_cast<double>(piece);
    return {all / std::max(writing, 1e-6), all / std::max(syncing, 1e-6)};
}

}  // namespace tessera::plan
