#include "io/hdf5/result_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/crash_line.hpp"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

/// UTC, such as 2026-01-31T12:00:00Z.
std::string time_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    return std::string(text, std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc));
}

/// Waits until the disk has the file or folder.
void bring_to_disk(const fs::path& path, int open_flags, const std::string& output) {
    const int descriptor = open(path.c_str(), open_flags | O_CLOEXEC);
    const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    // Some network file systems cannot sync folders. The file itself was synced before.
    if (!synced && !(reason == EINVAL && (open_flags & O_DIRECTORY)))
        throw cannot_write_output(output, std::strerror(reason), "check the disk",
                                  ExitCode::resources);
}

}  // namespace

h5::File open_result(const std::string& path) {
    h5::explain_crashes_in(path);
    h5::File file = h5::File::open(path);
    const h5::Group root = file.root();
    if (!root.has_attribute("program") || !root.has_attribute("workload") ||
        root.read_attribute<std::string>("program") != "tessera")
        throw Error("cannot use '" + path + "'", "it is an HDF5 file of another program",
                    "give the output of a tessera run");
    if (!root.has_attribute("complete") || root.read_attribute<std::uint8_t>("complete") != 1)
        throw Error("cannot use '" + path + "'", "it is not marked as complete",
                    "run the command that wrote it again");
    return file;
}

void write_header(h5::Group& root, const std::string& workload, const std::string& version) {
    root.write_attribute("program", "tessera");
    root.write_attribute("version", version);
    root.write_attribute("workload", workload);
    root.write_attribute("created", time_now());
}

ResultFile::ResultFile(std::string path, const std::string& workload, const std::string& version,
                       bool force, const TemporaryPlace& place)
    : path_(std::move(path)),
      temporary_path_(place.path.empty() ? temporary_name(path_, mark_of_result) : place.path),
      force_(force),
      begun_(place.begun) {
    check_output_path(path_, force_);
    if (place.path.empty()) remove_abandoned(path_, mark_of_result);
    try {
        file_ = begun_ ? h5::File::reopen(temporary_path_) : h5::File::create(temporary_path_);
        h5::Group top = root();
        write_header(top, workload, version);
    } catch (...) {
        discard();
        throw;
    }
}

ResultFile::~ResultFile() {
    if (!temporary_path_.empty()) discard();  // otherwise it has its name, or is kept for the user
}

void ResultFile::discard() {
    file_.reset();
    std::error_code ignored;
    if (!begun_) fs::remove(temporary_path_, ignored);
}

h5::Group ResultFile::root() const {
    if (!file_)
        throw Error("'" + path_ + "' is finished", "it was used after its commit",
                    "please report this", ExitCode::internal);
    return file_->root();
}

void ResultFile::commit() {
    root().write_attribute("complete", std::uint8_t{1});
    file_->close();
    file_.reset();
    bring_to_disk(temporary_path_, O_RDONLY, path_);
    give_name();
    temporary_path_.clear();
    bring_to_disk(folder_of(path_), O_RDONLY | O_DIRECTORY, path_);
}

/// Hours may have passed since the name was free. If it is taken now, the complete result stays,
/// under a name that remove_abandoned() does not know.
void ResultFile::give_name() {
    const std::string temporary = std::exchange(temporary_path_, {});
    const int failure = io::give_name(temporary, path_, force_ && may_go(path_, is_result));
    if (failure == 0) return;
    const bool moved = !begun_ && io::give_name(temporary, temporary + ".complete", false) == 0;
    const std::string kept =
        "the complete result is in '" + temporary + (moved ? ".complete" : "") + "': rename it";
    if (failure == EEXIST)
        throw cannot_write_output(path_, "a file of that name has appeared during the run", kept);
    throw cannot_write_output(path_, std::strerror(failure), kept, ExitCode::resources);
}

}  // namespace tessera::io
