#include "queue/job_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "queue/job_keeper.hpp"

namespace tessera::queue {

namespace {

[[noreturn]] void fail(const std::string& path) {
    throw Error("cannot start a job", "'" + path + "': " + std::strerror(errno),
                "see whether the disk is full or there are too many processes",
                ExitCode::resources);
}

}  // namespace

std::string jobs_folder(const std::string& database) { return database + ".jobs"; }

void start_job(const JobFiles& files, const Launch& launch) {
    const std::string path = files.path("lock");
    const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) fail(path);
    std::array<int, 2> ready{};
    if (flock(lock, LOCK_EX | LOCK_NB) != 0 || pipe2(ready.data(), O_CLOEXEC) != 0) {
        close(lock);
        fail(path);
    }
    const pid_t keeper = fork();
    if (keeper == 0) {
        close(ready[0]);
        keep_job(files, launch, lock, ready[1]);
    }
    // The lock stays with the keeper, which has a copy of it.
    close(lock);
    close(ready[1]);
    char byte = 0;
    while (keeper > 0 && read(ready[0], &byte, 1) < 0 && errno == EINTR) {
    }
    close(ready[0]);
    if (keeper < 0) fail("fork");
}

bool is_alive(const JobFiles& files) {
    const int lock = open(files.path("lock").c_str(), O_RDWR | O_CLOEXEC);
    if (lock < 0) return false;
    const bool is_free = flock(lock, LOCK_EX | LOCK_NB) == 0;
    close(lock);
    return !is_free;
}

std::optional<Ending> ending_of(const JobFiles& files, std::int64_t attempt) {
    std::ifstream file(files.path("exit"));
    std::int64_t of_attempt = 0;
    Ending ending;
    if (!(file >> of_attempt >> ending.code >> ending.signal) || of_attempt != attempt)
        return std::nullopt;
    return ending;
}

void signal_job(const JobFiles& files, int number) {
    std::ifstream file(files.path("lock"));
    pid_t leader = 0;
    std::string begun;
    if (!(file >> leader >> begun) || leader <= 1 || !is_alive(files)) return;
    // Another process may have the number by now, but not while the group still has members.
    const std::string now = start_of_process(leader);
    if (now.empty() || now == begun) kill(-leader, number);
}

int stop_signal(const std::vector<std::string>& command) {
    const std::string name = std::filesystem::path(command.at(0)).filename().string();
    constexpr std::array launchers{"mpirun", "mpiexec", "orterun", "prterun", "srun"};
    return std::ranges::find(launchers, name) != launchers.end() ? SIGUSR1 : SIGTERM;
}

std::string last_error_line(const JobFiles& files) {
    constexpr std::streamoff longest = 4096;
    std::ifstream file(files.path("err"), std::ios::binary | std::ios::ate);
    if (!file) return {};
    const std::streamoff size = file.tellg();
    file.seekg(std::max<std::streamoff>(0, size - longest));
    std::string line, last;
    while (std::getline(file, line))
        if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
    return io::one_line(last, 200);
}

}  // namespace tessera::queue
