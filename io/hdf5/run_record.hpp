// What every output file says about the run that made it: group /run (docs: the file layout).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/run_statistics.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::io {

/// Complete on rank 0 at the end of the run.
struct RunRecord {
    std::string command_line;
    std::string input;         ///< JSON with every default made explicit
    std::string input_sha256;  ///< of whatever decides the result: settings and input files
    std::string build;         ///< JSON: compiler, libraries, git revision
    std::vector<RankRecord> ranks;
    std::vector<PhaseRecord> phases;
    std::vector<RetryRecord> retries;
    std::int64_t tiles_total = 0;
    std::int64_t tiles_resumed = 0;
    std::string resumed_devices;  ///< that computed those: "NVIDIA H200: 12 tiles; ..."
    std::string device_kinds;     ///< of the ranks: "NVIDIA H200 (cuFFT 12.0.0): 8 ranks; ..."
    std::vector<std::string>
        warnings;  ///< about the input, as they were printed; the first thousand are written

    /// Runs `phase`, adds its wall time to that under `name` and returns what it returns.
    template <class Phase>
    decltype(auto) time_phase(const std::string& name, Phase&& phase) {
        const PhaseTimer timer{*this, name, std::chrono::steady_clock::now()};
        return std::forward<Phase>(phase)();
    }

  private:
    struct PhaseTimer {
        RunRecord& record;
        const std::string& name;
        std::chrono::steady_clock::time_point start;
        ~PhaseTimer() {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
            for (auto& [phase, seconds] : record.phases)
                if (phase == name) {
                    seconds += passed.count();
                    return;
                }
            record.phases.push_back({name, passed.count()});
        }
    };
};

/// Writes attributes and tables into a new group /run.
void write_run_record(h5::Group root, const RunRecord& record);
/// Reads them back. Throws Error where something is missing, and for counts and times that are none.
RunRecord read_run_record(const h5::Group& root);

}  // namespace tessera::io
