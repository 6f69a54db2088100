#include "io/files/temporary_name.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>

#include "io/files/sha256.hpp"

namespace tessera::io {

namespace {

namespace fs = std::filesystem;

/// Processes with the same text see each other's numbers. Containers have namespaces of their own.
std::string machine() {
    std::array<char, 256> host{}, space{};
    ::gethostname(host.data(), host.size() - 1);
    if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) < 0) space[0] = '\0';
    std::string id;
    std::ifstream("/etc/machine-id") >> id;
    Sha256 hash;
    hash.add(std::string(host.data()) + "\n" + space.data() + "\n" + id);
    return hash.hex().substr(0, 8);
}

const std::string& this_machine() {
    static const std::string name = machine();
    return name;
}

/// The process of a name that temporary_name() has made on this machine; 0 for another name.
pid_t process_of(std::string_view name, std::string_view mark) {
    const std::string ours = std::string(mark) + this_machine() + ".";
    const std::size_t at = name.rfind(ours);
    if (at == std::string_view::npos || at == 0) return 0;
    const std::string_view number = name.substr(at + ours.size());
    pid_t process = 0;
    const auto [end, failure] =
        std::from_chars(number.data(), number.data() + number.size(), process);
    return failure == std::errc{} && end == number.data() + number.size() && process > 0 ? process
                                                                                         : 0;
}

bool has_ended(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// Whether it is of this type and belongs to this user. Links stay.
bool is_ours(const fs::path& path, mode_t type) {
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == type &&
           status.st_uid == ::geteuid();
}

/// What ended processes left, files or folders by `type`.
std::vector<fs::path> abandoned(const std::string& path, std::string_view mark, mode_t type) {
    const fs::path output(path);
    const std::string beginning =
        output.has_filename() ? output.filename().string() + std::string(mark) : "";
    const fs::path folder = output.has_parent_path() ? output.parent_path() : ".";
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(beginning)) continue;
        const pid_t process = process_of(name, mark);
        if (process > 0 && has_ended(process) && is_ours(entry->path(), type))
            found.push_back(entry->path());
    }
    return found;
}

}  // namespace

std::string temporary_name(const std::string& path, std::string_view mark) {
    return path + std::string(mark) + this_machine() + "." + std::to_string(::getpid());
}

std::vector<fs::path> abandoned_files(const std::string& path, std::string_view mark) {
    return abandoned(path, mark, S_IFREG);
}

void remove_abandoned(const std::string& path, std::string_view mark) {
    std::error_code ignored;
    for (const fs::path& file : abandoned_files(path, mark)) fs::remove(file, ignored);
}

void remove_abandoned_folders(const std::string& path, std::string_view mark) {
    std::error_code ignored;
    for (const fs::path& folder : abandoned(path, mark, S_IFDIR)) fs::remove_all(folder, ignored);
}

}  // namespace tessera::io
