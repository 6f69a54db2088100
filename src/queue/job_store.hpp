// The jobs and projects of a queue, in its database.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "queue/database.hpp"
#include "queue/job.hpp"

namespace tessera::queue {

struct StoredProject {
    std::string name;
    double share = 1;
    double debt = 0;                           ///< core-seconds
    double core_seconds = 0, gpu_seconds = 0;  ///< what its jobs have used
};

/// Each function but together() is one transaction. Throws Error as Database does.
class JobStore {
  public:
    enum class Open { make, existing };
    /// Throws Error if `existing` and there is no such file, or if a newer program wrote it.
    JobStore(const std::string& path, Open how);

    /// Returns the number of the new job.
    std::int64_t submit(const JobRequest& request, double now);
    /// All jobs, or those that have not ended, by number.
    std::vector<Job> jobs(bool with_ended = true);
    std::optional<Job> job(std::int64_t id);
    /// The number of the newest job; 0 without jobs.
    std::int64_t newest();
    /// Writes what the runner knows of the job. A wish of the user to cancel it stays. False if the
    /// job has ended meanwhile, because a user has cancelled it.
    bool update(const Job& job);
    /// A waiting job is cancelled at once, a running one by the runner. Returns the state before.
    JobState cancel(std::int64_t id, double now);

    std::vector<StoredProject> projects();
    void set_share(const std::string& name, double share);
    void update(const std::vector<StoredProject>& projects);
    /// Makes one transaction of several updates.
    void together(const std::function<void()>& work);

    /// Whether another process has written since the last call.
    bool has_news();
    const std::string& path() const { return path_; }

  private:
    void require_own();
    void make_tables();
    std::string path_;
    Database database_;
    std::int64_t version_ = -1;
};

/// Where the queue is: `given`, else $TESSERA_QUEUE, else tessera/queue.db in the user's folder of
/// data. Makes the folder of the last one.
std::string queue_path(const std::string& given);

}  // namespace tessera::queue
