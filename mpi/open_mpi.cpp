#include "mpi/open_mpi.hpp"

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mpi/launcher.hpp"

namespace tessera::mpi {

namespace {

/// The value of a setting of the MPI library, or an empty text if there is no such setting.
std::string library_setting(const char* name) {
    int provided = 0, index = 0, length = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return "";
    std::string text;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &length) == MPI_SUCCESS) {
        std::vector<char> value(static_cast<std::size_t>(length) + 1, '\0');
        if (MPI_T_cvar_read(handle, value.data()) == MPI_SUCCESS) text = value.data();
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return text;
}

/// Whether this is an Open MPI that has the component pt2pt. Open MPI 5 has not, and may crash in
/// MPI_Init after its settings were read.
bool has_pt2pt() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    const std::string_view name(version.data(), static_cast<std::size_t>(length));
    return name.starts_with("Open MPI v3.") || name.starts_with("Open MPI v4.");
}

/// Whether Open MPI's launcher has started all ranks on this node and the user has not said how
/// they exchange messages.
bool may_stay_on_the_node() {
    const char* all = std::getenv("OMPI_COMM_WORLD_SIZE");
    const char* here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return all && here && std::string_view(all) == here && !std::getenv("OMPI_MCA_pml") &&
           !std::getenv("OMPI_MCA_btl") && has_pt2pt();
}

}  // namespace

OpenMpiSettings::OpenMpiSettings() {
    leave_gpus_to_us();
    if (!has_launcher())
        stay_alone();
    else if (may_stay_on_the_node())
        stay_on_the_node();
    else
        allow_windows_between_nodes();
}

OpenMpiSettings::~OpenMpiSettings() {
    for (const std::string& name : chosen_) unsetenv(name.c_str());
}

void OpenMpiSettings::set_variable(const std::string& variable, const char* value) {
    if (std::getenv(variable.c_str())) return;
    setenv(variable.c_str(), value, 0);
    chosen_.push_back(variable);
}

void OpenMpiSettings::set(const std::string& name, const char* value) {
    set_variable("OMPI_MCA_" + name, value);
}

/// MPI_Init asks hwloc for the cores of the machine. Plugins of hwloc also list its GPUs. For that
/// the one for OpenCL starts the drivers of all GPUs, which took 0.9 s with four of them.
void OpenMpiSettings::leave_gpus_to_us() {
    set_variable("HWLOC_COMPONENTS", "-opencl,-gl,-cuda,-nvml,-rsmi,-levelzero");
}

/// Without these settings Open MPI 4 starts a daemon, whose only purpose is to start further ranks,
/// and loads the libraries of all networks, of which two measure the processor's clock for 0.25 s.
/// Processes that are alone have session folders of one name, so that they must do without.
void OpenMpiSettings::stay_alone() {
    set("ess_singleton_isolated", "1");
    set("orte_create_session_dirs", "0");
    set("pml", "ob1");
    set("btl", "self");
}

/// Ranks of one node need neither networks nor their libraries. Without these settings Open MPI 4
/// loads them, measures the processor's clock twice, and MPI_Init takes 0.3 s instead of 0.1 s.
void OpenMpiSettings::stay_on_the_node() {
    set("pml", "ob1");
    set("btl", "self,vader,tcp");
}

/// Allows windows between nodes over TCP. Debian and Ubuntu configure Open MPI so that nothing
/// serves such windows and MPI_Win_allocate fails. They forbid two components: pt2pt (messages) is
/// allowed here, and ucx stays forbidden (docs/developer/scheduling.md). Any other setting comes
/// from the site or the user and is kept.
void OpenMpiSettings::allow_windows_between_nodes() {
    if (std::getenv("OMPI_MCA_osc") || !has_pt2pt()) return;
    if (library_setting("osc") == "^ucx,pt2pt") set("osc", "^ucx");
}

}  // namespace tessera::mpi
