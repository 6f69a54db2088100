#include "boinc/client.hpp"

#include <app_ipc.h>
#include <boinc_api.h>
#include <diagnostics.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "boinc/obey.hpp"
#include "core/error.hpp"
#include "core/run_host.hpp"

namespace tessera::boinc {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(100);

Requests asked_by_client() {
    BOINC_STATUS status = {};
    boinc_get_status(&status);
    return {status.suspended != 0,
            status.quit_request != 0 || status.abort_request != 0 || status.no_heartbeat != 0};
}

}  // namespace

Client::Client() {
    boinc_init_diagnostics(BOINC_DIAG_REDIRECTSTDERR);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    // The library would suspend the main thread in a signal handler and end the process at any
    // moment. Here it only takes notes, and the run obeys between two tiles, when all threads are
    // idle and everything is in the journal.
    BOINC_OPTIONS options = {};
    boinc_options_defaults(options);
    options.direct_process_action = 0;
    if (const int code = boinc_init_options(&options))
        throw Error("cannot speak to the BOINC client", "error " + std::to_string(code),
                    "see stderr.txt of the task", ExitCode::resources);
}

Grant Client::grant() const {
    APP_INIT_DATA data;
    boinc_get_init_data(data);
    Grant grant;
    if (data.ncpus > 0) grant.cores = data.ncpus;
    if (data.gpu_type[0] != '\0' && data.gpu_device_num >= 0) grant.gpu = data.gpu_device_num;
    grant.gpus = data.gpu_usage;
    return grant;
}

std::string Client::resolve(const std::string& name) const {
    std::string path;
    return boinc_resolve_filename_s(name.c_str(), path) == 0 ? path : name;
}

void Client::watch_over_run() const {
    run_host().between_tiles = [] {
        obey({asked_by_client, [] { std::this_thread::sleep_for(between_looks); },
              [] { std::raise(SIGTERM); }});
    };
    run_host().progress = [furthest = 0.0](double fraction) mutable {
        furthest = std::max(furthest, fraction);
        boinc_fraction_done(furthest);
    };
    run_host().wants_checkpoint = [] { return boinc_time_to_checkpoint() != 0; };
    run_host().checkpoint_done = [] { boinc_checkpoint_completed(); };
}

void Client::end_process(int exit_code) const {
    if (exit_code != static_cast<int>(ExitCode::requeue)) boinc_finish(exit_code);
    // Without a finish file the client starts the task again.
    boinc_disable_timer_thread = true;
    std::exit(0);
}

}  // namespace tessera::boinc
