// Another program's answer to a command.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tessera::choice {

struct Answer {
    int code = 0;       ///< exit code; 128 and the number of the signal that ended it
    std::string out;    ///< what it wrote to stdout
    std::string error;  ///< the last line that it wrote to stderr

    /// The error without the name of the program.
    std::string line() const;
};

/// Starts the program words[0] and waits for its end. It reads nothing and shows nothing. If this
/// process is killed, so is the program.
Answer ask(const std::vector<std::string>& words);

/// What tests answer instead.
using Ask = std::function<Answer(const std::vector<std::string>& words)>;

}  // namespace tessera::choice
