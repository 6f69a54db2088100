// BOINC's client, which has started this process and watches over it.
#pragma once

#include <string>

#include "boinc/grant.hpp"

namespace tessera::boinc {

/// The client of this process. One object may exist. Without a client (no init_data.xml in the
/// current folder) a run goes on as if it were never asked for anything.
class Client {
  public:
    /// Starts BOINC's runtime. What the process prints goes to stderr.txt. Throws Error.
    Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    Grant grant() const;
    /// The file that a file of the slot stands for, as Resolve.
    std::string resolve(const std::string& name) const;
    /// From now on the run of this process tells the client its progress and its checkpoints, and
    /// obeys it: see run_host().
    void watch_over_run() const;
    /// Ends the process. Code 75 is a run that goes on later: the client starts the task again.
    /// Other codes than 0 are errors that the project gets to know.
    [[noreturn]] void end_process(int exit_code) const;
};

}  // namespace tessera::boinc
