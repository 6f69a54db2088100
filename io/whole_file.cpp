#include "io/whole_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace tessera::io {

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + ".tmp." + std::to_string(getpid())) {
    errno = 0;
    file_.reset(std::fopen(temporary_.c_str(), "wb"));
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

void WholeFile::commit() {
    errno = 0;
    if (std::fclose(file_.release()) != 0) fail("closing failed");
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming failed");
    temporary_.clear();
}

void WholeFile::fail(const char* what) {
    const std::string reason = std::strerror(errno ? errno : EIO);
    file_.reset();
    std::remove(temporary_.c_str());
    temporary_.clear();
    throw Error("cannot write '" + path_ + "'", std::string(what) + ": " + reason,
                "check that the folder exists, is writable and has room", ExitCode::resources);
}

void make_folder(const std::string& path) {
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    if (failure || !std::filesystem::is_directory(path, failure))
        throw Error("cannot make the folder '" + path + "'",
                    failure ? failure.message() : "a file has that name", "choose another place",
                    ExitCode::resources);
}

}  // namespace tessera::io
