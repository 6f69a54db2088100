#include "io/journal/partial_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/files/input_file.hpp"
#include "io/files/whole_file.hpp"
#include "io/journal/folder_lock.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

/// Syncs a file or a folder, so that its content and name survive a crash of the machine.
void bring_to_disk(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);  // file systems without fsync cannot guarantee anything
    ::close(descriptor);
}

/// The file `run` is removed after the progress, which only it identifies, and the lock last: a
/// process that waits for the lock then finds it gone and starts afresh.
void remove_held_folder(const std::string& folder) {
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        if (entry->path().filename() != "lock" && entry->path().filename() != "run")
            fs::remove(entry->path(), ignored);
    fs::remove(folder + "/run", ignored);
    fs::remove(folder + "/lock", ignored);
    fs::remove(folder, ignored);
}

/// Whether a run has left at most its lock in the folder.
bool holds_no_progress(const std::string& folder) {
    std::error_code failure;
    const fs::directory_iterator entries(folder, failure);
    return !failure && std::all_of(begin(entries), end(entries), [](const auto& entry) {
        return entry.path().filename() == "lock";
    });
}

}  // namespace

std::chrono::milliseconds lock_patience() {
    const char* text = std::getenv("TESSERA_LOCK_PATIENCE");
    char* end = nullptr;
    const double seconds = text ? std::strtod(text, &end) : 0;
    if (!text || end == text || !(seconds >= 0 && seconds <= 1e6)) return std::chrono::seconds(10);
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

JournalKey RunIdentity::key() const {
    return journal_key(workload + '\n' + input_sha256 + '\n' + build + '\n' +
                       std::to_string(tiles_total));
}

PartialFolder::PartialFolder(const std::string& output, const RunIdentity& identity, bool force,
                             std::chrono::milliseconds patience, const std::atomic<bool>* stop)
    : path_(output + ".partial"), key_(identity.key()) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::string holder = "another process";
    while ((lock_ = lock_folder(path_, holder)) < 0) {
        if (stop && stop->load())
            throw Error("stopped before the work was complete", "a signal asked for it",
                        "start the same command again", ExitCode::requeue);
        if (std::chrono::steady_clock::now() >= deadline)
            throw cannot_use_folder(path_, "held by " + holder,
                                    "wait for that run, stop it, or choose another output");
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    try {
        take_over(identity, force);
    } catch (...) {
        ::close(lock_);
        throw;
    }
}

PartialFolder::~PartialFolder() {
    if (lock_ >= 0) ::close(lock_);
}

/// The file `run` identifies the run of the folder; it is written before any progress. Without this
/// file, the contents of the folder are not ours to remove.
void PartialFolder::take_over(const RunIdentity& identity, bool force) {
    require_plain_files(path_);
    std::error_code ignored;
    const bool begun = fs::exists(file("run"), ignored);
    for (const auto& entry : fs::directory_iterator(path_))
        if (!begun && entry.path().filename() != "lock" &&
            !entry.path().filename().string().starts_with("run.tmp"))
            throw cannot_use_folder(
                path_, "it holds '" + entry.path().filename().string() + "' and no run",
                "move it away, or choose another output");
    if (begun) {
        const RunIdentity found = read_run_identity(path_);
        const std::string advice = "finish that run with the command that began it, choose another "
                                   "output, or start over with --force";
        if (!force &&
            (found.workload != identity.workload || found.input_sha256 != identity.input_sha256))
            throw cannot_use_folder(path_, "it holds the progress of another input", advice);
        if (!force && found.build != identity.build)
            throw cannot_use_folder(path_, "another build began it: " + one_line(found.build),
                                    advice);
        if (!force && found.tiles_total != identity.tiles_total)
            throw cannot_use_folder(path_,
                                    "that run has " + counted(found.tiles_total, "tile") +
                                        ", this one " + std::to_string(identity.tiles_total),
                                    advice);
        resumed_ = !force;
        if (resumed_) return;
    }
    for (const auto& entry : fs::directory_iterator(path_))
        if (entry.path().filename() != "lock") fs::remove(entry.path());
    nlohmann::json text;
    text["program"] = "tessera";
    text["workload"] = identity.workload;
    text["input_sha256"] = identity.input_sha256;
    text["build"] = identity.build;
    if (identity.tiles_total > 0) text["tiles_total"] = identity.tiles_total;
    WholeFile run(file("run"));
    run.write(text.dump(1) + "\n");
    run.commit();
    bring_to_disk(file("run"));
    bring_to_disk(path_);
}

void PartialFolder::remove() {
    if (std::exchange(removed_, true)) return;  // a folder of that name belongs to the next run
    remove_held_folder(path_);
}

bool is_outlived(const std::string& output) {
    std::error_code no_run, no_output;
    const auto begun = fs::last_write_time(output + ".partial/run", no_run);
    const auto finished = fs::last_write_time(output, no_output);
    return !no_run && !no_output && begun <= finished;
}

void remove_finished_folder(const std::string& output) {
    const std::string folder = output + ".partial";
    if (!is_outlived(output) && !holds_no_progress(folder)) return;
    std::string holder;
    const int lock = lock_folder(folder, holder);
    if (lock < 0) return;
    remove_held_folder(folder);
    ::close(lock);
}

RunIdentity read_run_identity(const std::string& folder) {
    require_plain_files(folder);
    constexpr std::size_t most_bytes = std::size_t{1}
                                       << 20;  // whoever made it may have made it endless
    const auto json =
        nlohmann::json::parse(beginning_of(folder + "/run", most_bytes), nullptr, false);
    const auto word = [&](const char* key) {
        if (!json.is_object() || !json.contains(key) || !json[key].is_string())
            throw cannot_use_folder(folder, std::string("its file 'run' has no ") + key,
                                    "it is not a run of tessera: choose another output");
        return json[key].get<std::string>();
    };
    RunIdentity identity{word("workload"), word("input_sha256"), word("build")};
    if (json.contains("tiles_total") && json["tiles_total"].is_number_integer())
        identity.tiles_total = json["tiles_total"].get<std::int64_t>();
    return identity;
}

}  // namespace tessera::io
