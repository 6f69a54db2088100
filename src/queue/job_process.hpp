// The processes of a job. Each attempt has a keeper: a small process that starts the command,
// waits for it and for all that it has started, and writes down how it ended. The keeper does not
// end with the runner, so that the next runner finds out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::queue {

/// The files of a job: ID.out and ID.err (what it prints, attempt after attempt), ID.lock (locked
/// while anything of the job lives) and ID.exit (how the last attempt ended).
class JobFiles {
  public:
    JobFiles(std::string folder, std::int64_t id) : folder_(std::move(folder)), id_(id) {}
    std::string path(const char* ending) const {
        return folder_ + "/" + std::to_string(id_) + "." + ending;
    }

  private:
    std::string folder_;
    std::int64_t id_;
};

/// The folder of these files: FILE.jobs beside the database FILE.
std::string jobs_folder(const std::string& database);

struct Launch {
    std::vector<std::string> command;
    std::string folder;
    std::vector<std::string> environment;  ///< NAME=value, besides that of the runner
    std::int64_t attempt = 1;
};

/// How a command ended: `code` is its exit code, or 128 + the signal that killed it.
struct Ending {
    int code = 0;
    int signal = 0;
};

/// Starts the keeper, and returns when it has written down the command's process. Throws Error if
/// no process can be made, or if something of the job still runs.
void start_job(const JobFiles& files, const Launch& launch);

/// Whether anything of the job still runs.
bool is_alive(const JobFiles& files);

/// How the attempt ended; nothing if nobody could write it down (the keeper was killed, or the
/// machine went down). Only known when the job is no longer alive.
std::optional<Ending> ending_of(const JobFiles& files, std::int64_t attempt);

/// Sends the signal to all processes of the job's group, if they still live.
void signal_job(const JobFiles& files, int number);

/// The signal that lets this command stop at its next tile: SIGTERM, but SIGUSR1 for launchers of
/// MPI programs, which kill their ranks at once after SIGTERM (docs/guide/resume.md).
int stop_signal(const std::vector<std::string>& command);

/// The last line that the job wrote to stderr, printable and at most 200 characters; may be empty.
std::string last_error_line(const JobFiles& files);

}  // namespace tessera::queue
