// The record of a run that every output file holds in its group /run (docs/reference/hdf5.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/run_statistics.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::io {

/// On rank 0 the record is complete at the end of the run.
struct RunRecord {
    std::string command_line;
    std::string input;         ///< JSON with all defaults filled in
    std::string input_sha256;  ///< of all settings and input files that determine the result
    std::string config;        ///< TOML: every option of the command; empty: not recorded
    std::string no_command;    ///< why no command does the same; empty: `config` is one that does
    std::string build;         ///< JSON: compiler, libraries, git revision
    std::vector<RankRecord> ranks;
    std::vector<PhaseRecord> phases;
    std::vector<RetryRecord> retries;
    std::int64_t tiles_total = 0;
    std::int64_t tiles_resumed = 0;
    std::string resumed_devices;  ///< devices of these tiles: "NVIDIA H200: 12 tiles; ..."
    std::string device_kinds;  ///< devices of the ranks: "NVIDIA H200 (cuFFT 12.0.0): 8 ranks; ..."
    /// Warnings about the input, as printed. The file holds the first thousand.
    std::vector<std::string> warnings;

    /// Runs `phase`, adds its wall time under `name` and returns its result.
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
/// Reads the record. Throws Error if something is missing, and for invalid counts and times.
RunRecord read_run_record(const h5::Group& root);

}  // namespace tessera::io
