// What happens in the process that keeps a job (queue/job_process.hpp).
#pragma once

#include <sys/types.h>

#include <string>

#include "queue/job_process.hpp"

namespace tessera::queue {

/// The life of a keeper, right after the fork. `lock` is the locked file of the job; a byte goes to
/// `ready` as soon as the file names the job's process.
[[noreturn]] void keep_job(const JobFiles& files, const Launch& launch, int lock, int ready);

/// When the process began, as the kernel counts; empty if there is none. Together with its number
/// this names a process for ever.
std::string start_of_process(pid_t process);

}  // namespace tessera::queue
