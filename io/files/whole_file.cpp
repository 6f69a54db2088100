#include "io/files/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "io/files/home_folder.hpp"
#include "io/files/temporary_name.hpp"

namespace tessera::io {

namespace {

bool is_taken(const std::string& path) {
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0;
}

}  // namespace

int give_name(const std::string& temporary, const std::string& path, bool replace) {
    if (!replace) {
        if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
            return 0;
        if (errno != EINVAL && errno != ENOSYS) return errno;
        if (is_taken(path)) return EEXIST;  // the file system cannot check and rename in one step
    }
    return std::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)),
      temporary_(temporary_name(path_, mark_of_file)),
      replace_(is_taken(path_)) {
    // The name can be guessed. A file that has it comes from a killed process or is a link to
    // somewhere else.
    ::unlink(temporary_.c_str());
    errno = 0;
    const int made =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (made >= 0) file_.reset(::fdopen(made, "wb"));
    if (!file_) fail("opening failed");
}

WholeFile::~WholeFile() {
    if (temporary_.empty()) return;
    file_.reset();
    std::remove(temporary_.c_str());
}

void WholeFile::write(std::string_view bytes) {
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
        fail("writing failed");
}

void WholeFile::sync() {
    errno = 0;
    if (std::fflush(file_.get()) != 0) fail("writing failed");
    if (::fdatasync(::fileno(file_.get())) != 0 && errno != EINVAL)
        fail("bringing it to the disk failed");
}

void WholeFile::commit() {
    errno = 0;
    if (std::fclose(file_.release()) != 0) fail("closing failed");
    errno = give_name(temporary_, path_, replace_);
    if (errno != 0) fail("renaming failed");
    temporary_.clear();
}

void WholeFile::fail(const char* what) {
    const std::string reason = std::strerror(errno ? errno : EIO);
    file_.reset();
    std::remove(temporary_.c_str());
    temporary_.clear();
    throw Error("cannot write '" + path_ + "'", std::string(what) + ": " + reason,
                "check that the folder exists, is writable and has space", ExitCode::resources);
}

void copy_whole_file(const std::string& from, const std::string& to) {
    std::ifstream file(from, std::ios::binary);
    WholeFile copy(to);
    std::string block(std::size_t{1} << 20, '\0');
    errno = 0;
    while (file.read(block.data(), std::ssize(block)) || file.gcount() > 0)
        copy.write(std::string_view(block).substr(0, static_cast<std::size_t>(file.gcount())));
    if (!file.is_open() || file.bad())
        throw Error("cannot copy '" + from + "'", std::strerror(errno ? errno : EIO),
                    "check the path and its disk", ExitCode::resources);
    copy.commit();
}

void make_folder(const std::string& path) {
    if (path.empty())
        throw Error("cannot make the folder ''", "the name is empty", "name a folder");
    std::error_code failure;
    if (names_home(path) && !std::filesystem::exists("~", failure))
        throw Error("cannot make the folder '" + path + "'", "its name begins with ~", write_home);
    std::filesystem::create_directories(path, failure);
    if (failure || !std::filesystem::is_directory(path, failure))
        throw Error("cannot make the folder '" + path + "'",
                    failure ? failure.message() : "a file has that name", "choose another place",
                    ExitCode::resources);
    remove_abandoned(path + "/");
}

}  // namespace tessera::io
