#include "choice/ask.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/error.hpp"

namespace tessera::choice {

namespace {

[[noreturn]] void fail(const char* what) {
    throw Error(std::string("cannot ask another build: ") + what, std::strerror(errno),
                "see whether memory is left and there are not too many processes",
                ExitCode::resources);
}

/// A file without a name, in memory.
class Note {
  public:
    explicit Note(const char* name) : file_(memfd_create(name, MFD_CLOEXEC)) {
        if (file_ < 0) fail("memfd_create");
    }
    ~Note() { close(file_); }
    Note(const Note&) = delete;
    Note& operator=(const Note&) = delete;

    int file() const { return file_; }
    std::string text() const {
        std::string all;
        std::array<char, 4096> part{};
        lseek(file_, 0, SEEK_SET);
        for (ssize_t n; (n = read(file_, part.data(), part.size())) > 0;)
            all.append(part.data(), static_cast<std::size_t>(n));
        return all;
    }

  private:
    int file_;
};

/// In the new process: becomes the program.
[[noreturn]] void become(char* const* words, const Note& out, const Note& error) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out.file(), STDOUT_FILENO);
    dup2(error.file(), STDERR_FILENO);
    execv(words[0], words);
    dprintf(STDERR_FILENO, "%s: %s\n", words[0], std::strerror(errno));
    _exit(127);
}

int exit_code_of(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) fail("waitpid");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string last_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

std::string Answer::line() const {
    constexpr std::string_view name = "tessera: ";
    return error.starts_with(name) ? error.substr(name.size()) : error;
}

Answer ask(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const Note out("tessera stdout"), error("tessera stderr");
    const pid_t process = fork();
    if (process < 0) fail("fork");
    if (process == 0) become(arguments.data(), out, error);
    Answer answer;
    answer.code = exit_code_of(process);
    answer.out = out.text();
    answer.error = last_line(error.text());
    return answer;
}

}  // namespace tessera::choice
