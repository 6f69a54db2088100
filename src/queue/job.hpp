// A job of the queue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::queue {

/// What a user asks for. Times are in seconds since 1970.
struct JobRequest {
    std::string project = "default";
    std::vector<std::string> command;
    std::string folder;                    ///< in which the command starts
    std::vector<std::string> environment;  ///< NAME=value
    int cores = 0;                         ///< 0: all of the machine
    int gpus = 0;
    std::string gpu;  ///< the GPU that it must have; empty: any
    int priority = 0;
    std::optional<double> deadline;
    std::optional<double> seconds;  ///< predicted time of the whole job
};

enum class JobState { waiting, running, done, failed, cancelled };

struct Job {
    std::int64_t id = 0;
    JobRequest request;
    JobState state = JobState::waiting;
    double submitted = 0;
    std::optional<double> began, ended;  ///< the first start and the end of the last attempt
    double ran = 0;                      ///< s in all attempts
    std::int64_t attempts = 0;           ///< how often it was started
    std::int64_t preemptions = 0;        ///< how often it had to make room
    std::int64_t deaths = 0;             ///< ends in a row that nobody asked for and that may go on
    bool stopping = false;               ///< it was asked to stop at its next tile
    bool cancelling = false;             ///< the user wants its end
    double protected_until = 0;          ///< the end of its time slice
    std::vector<std::string> held{};     ///< its GPUs
    std::optional<std::int64_t> exit_code;  ///< of the last attempt; 128 + the signal that ended it
    std::string reason;                     ///< why it failed
};

inline const char* name_of(JobState state) {
    switch (state) {
        case JobState::waiting: return "waiting";
        case JobState::running: return "running";
        case JobState::done: return "done";
        case JobState::failed: return "failed";
        default: return "cancelled";
    }
}

inline bool has_ended(JobState state) {
    return state != JobState::waiting && state != JobState::running;
}

}  // namespace tessera::queue
