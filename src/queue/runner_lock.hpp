// One runner at a time for each queue.
#pragma once

#include <sys/types.h>

#include <string>

namespace tessera::queue {

/// Holds the lock of the queue's runner. It ends with the process, however that ends.
class RunnerLock {
  public:
    /// Throws Error if another runner has it.
    explicit RunnerLock(const std::string& database);
    ~RunnerLock();
    RunnerLock(const RunnerLock&) = delete;
    RunnerLock& operator=(const RunnerLock&) = delete;

  private:
    int file_ = -1;
};

/// The process of the queue's runner, or 0 if there is none.
pid_t runner_of(const std::string& database);

}  // namespace tessera::queue
