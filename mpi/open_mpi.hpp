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
/// takes 0.1 s instead of 0.7 s. Ranks between nodes get windows over TCP where the library can
/// serve them.
class OpenMpiSettings {
  public:
    OpenMpiSettings();
    ~OpenMpiSettings();
    OpenMpiSettings(const OpenMpiSettings&) = delete;
    OpenMpiSettings& operator=(const OpenMpiSettings&) = delete;

  private:
    void set(const std::string& name, const char* value);
    void stay_alone();
    void allow_windows_between_nodes();

    std::vector<std::string> chosen_;  ///< names of variables that were not set before
};

}  // namespace tessera::mpi
