#include "queue/job_keeper.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace tessera::queue {

namespace {

constexpr int failed_start = 127;  // as in shells

/// Closes what the runner has open, such as its database and the pipes of who started it.
void close_others(int lock, int ready) {
    std::vector<int> open_files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored))
        open_files.push_back(std::atoi(entry.path().filename().c_str()));
    for (const int file : open_files)
        if (file > STDERR_FILENO && file != lock && file != ready) close(file);
}

void put_at(int place, const char* path, int flags) {
    const int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (file != place) {
        dup2(file, place);
        close(file);
    } else {
        fcntl(file, F_SETFD, 0);
    }
}

void for_signals(void (*handler)(int)) {
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) signal(number, handler);
}

/// The process of the command. The lock goes on to it, and lives as long as any of its processes.
[[noreturn]] void become_command(const JobFiles& files, const Launch& launch, int lock,
                                 pid_t keeper) {
    setpgid(0, 0);
    for_signals(SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // without its keeper it stops, to be resumed
    if (getppid() != keeper) _exit(failed_start);
    put_at(STDIN_FILENO, "/dev/null", O_RDONLY);
    put_at(STDOUT_FILENO, files.path("out").c_str(), O_WRONLY | O_CREAT | O_APPEND);
    put_at(STDERR_FILENO, files.path("err").c_str(), O_WRONLY | O_CREAT | O_APPEND);
    fcntl(lock, F_SETFD, 0);
    const auto give_up = [](const std::string& what) {
        dprintf(STDERR_FILENO, "tessera queue: %s: %s\n", what.c_str(), std::strerror(errno));
        _exit(failed_start);
    };
    if (chdir(launch.folder.c_str()) != 0) give_up("cannot enter '" + launch.folder + "'");
    for (const std::string& variable : launch.environment) {
        const auto equals = variable.find('=');
        setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
    std::vector<char*> words;
    words.reserve(launch.command.size() + 1);
    for (const std::string& word : launch.command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    give_up("cannot start '" + launch.command[0] + "'");
    _exit(failed_start);
}

void write_down(int file, const std::string& text) {
    if (ftruncate(file, 0) != 0 || pwrite(file, text.data(), text.size(), 0) < 0) return;
    fsync(file);
}

/// Waits for the command and for all that it leaves behind. Returns how the command ended. If a
/// signal has killed it, what it has started must stop as well, to be resumed.
int wait_for_all(pid_t command) {
    int of_command = 0;
    while (true) {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, 0);
        if (ended == command) {
            of_command = status;
            if (WIFSIGNALED(status)) kill(-command, SIGTERM);
        }
        if (ended < 0 && errno != EINTR) return of_command;
    }
}

}  // namespace

std::string start_of_process(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return {};
    // The second field is the name in parentheses, which may hold blanks; the 22nd is the start.
    std::istringstream rest(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) rest >> field;
    return field;
}

void keep_job(const JobFiles& files, const Launch& launch, int lock, int ready) {
    setsid();
    for_signals(SIG_IGN);  // they are for the command
    close_others(lock, ready);
    put_at(STDIN_FILENO, "/dev/null", O_RDONLY);
    put_at(STDOUT_FILENO, "/dev/null", O_WRONLY);
    put_at(STDERR_FILENO, "/dev/null", O_WRONLY);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t keeper = getpid();
    const pid_t command = fork();
    if (command == 0) become_command(files, launch, lock, keeper);
    if (command > 0) {
        setpgid(command, command);  // in both processes: whoever comes first
        write_down(lock, std::to_string(command) + " " + start_of_process(command) + "\n");
    }
    close(ready);
    const int status = command > 0 ? wait_for_all(command) : failed_start << 8;
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const int code = number ? 128 + number : WEXITSTATUS(status);
    const std::string temporary = files.path("exit.new");
    const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    write_down(file, std::to_string(launch.attempt) + " " + std::to_string(code) + " " +
                         std::to_string(number) + "\n");
    if (file >= 0) rename(temporary.c_str(), files.path("exit").c_str());
    _exit(0);
}

}  // namespace tessera::queue
