// Settings of Open MPI that this program chooses before MPI starts.
#pragma once

#include <string>
#include <vector>

namespace tessera::mpi {

/// Sets in the environment what suits this process, and takes it back when it is destroyed, so that
/// processes started later do not inherit it. What the site or the user has set is kept. Other MPI
/// libraries do not read these settings. It has to live while MPI_Init runs.
///
/// A process without a launcher is the only rank. It starts no daemon and loads no network, which
/// takes 0.1 s instead of 0.7 s. Ranks of one node load no network either. Ranks between nodes get
/// windows over TCP where the library can serve them. The GPUs are left alone until the program
/// starts them.
class OpenMpiSettings {
  public:
    OpenMpiSettings();
    ~OpenMpiSettings();
    OpenMpiSettings(const OpenMpiSettings&) = delete;
    OpenMpiSettings& operator=(const OpenMpiSettings&) = delete;

  private:
    void set_variable(const std::string& variable, const char* value);
    void set(const std::string& name, const char* value);
    void leave_gpus_to_us();
    void stay_alone();
    void stay_on_the_node();
    void allow_windows_between_nodes();

    std::vector<std::string> chosen_;  ///< names of variables that were not set before
};

}  // namespace tessera::mpi
