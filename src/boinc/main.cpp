// tessera_boinc: one command of tessera as a task of a BOINC project.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line.hpp"
#include "boinc/client.hpp"
#include "boinc/grant.hpp"
#include "boinc/slot_files.hpp"
#include "core/stop_flag.hpp"
#include "core/terminal.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "mpi/session.hpp"

namespace {

using namespace tessera;

/// As src/main.cpp, in one process.
int run_command(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    char** values = arguments.data();
    auto stop = std::make_unique<StopFlag>();
    app::CommandLine command_line(count, values);
    if (!command_line.needs_ranks())
        return mpi::run_alone([&] { return command_line.run_alone(std::move(stop)); });
    mpi::Session session(count, values);
    const int code = session.run([&] { return command_line.run(std::move(stop)); });
    if (kernels::device_is_lost()) session.leave(code);
    return code;
}

/// Runs the command among the files of the task, and brings its result to the client.
int run_task(const boinc::SlotFiles& files, const std::vector<std::string>& words) {
    if (!files.has_result()) {
        files.link_inputs();
        const std::filesystem::path slot = std::filesystem::current_path();
        std::filesystem::current_path(files.folder());
        const int code = run_command(words);
        std::filesystem::current_path(slot);
        if (code != 0) return code;
    }
    files.deliver();
    return 0;
}

/// One task, from its start to the end of the process.
int serve(const std::vector<std::string>& all_words) {
    const boinc::Client client;
    boinc::Grant grant = client.grant();
    std::vector<std::string> words = boinc::without_gpu_number(all_words, grant.gpu);
    words = boinc::with_gpu_fraction(std::move(words), grant);
    boinc::set_environment(grant);
    print_line(stderr, "this task has " + boinc::environment_text());
    client.watch_over_run();
    const boinc::SlotFiles files(
        std::filesystem::current_path(),
        [&](const std::string& name) { return client.resolve(name); }, boinc::output_of(words));
    client.end_process(mpi::run_alone([&] { return run_task(files, words); }));
}

}  // namespace

int main(int argc, char** argv) {
    return mpi::run_alone([&] { return serve(std::vector<std::string>(argv, argv + argc)); });
}
