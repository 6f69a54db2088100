// Which project is asked for work, and when it is asked again.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tessera::queue {

/// Where the work of a project comes from: a command of the shell that submits jobs.
struct Source {
    std::string project;
    std::string command;
};

/// "PROJECT=COMMAND". Throws Error.
Source read_source(const std::string& text);

/// The paper's client asks "from among the projects likely to have jobs [...] the one whose overall
/// debt is greatest". A project that had none is unlikely to have some soon: it is asked again
/// after a minute, and each time later, after four hours at most.
class SourceTurns {
  public:
    explicit SourceTurns(std::vector<Source> sources);

    const Source& source(std::size_t i) const { return entries_[i].source; }
    /// What a project is owed, by its name; nothing if it shall not be asked.
    using Debt = std::function<std::optional<double>(const std::string&)>;
    /// The source to ask now, if there is one.
    std::optional<std::size_t> next(const Debt& debt, double now) const;
    void note(std::size_t i, bool brought_jobs, double now);
    /// Whether no source has brought a job when it was asked last, and all of them were asked.
    bool all_are_dry() const;

  private:
    struct Entry {
        Source source;
        double wait = 0;  ///< s after which it is asked again; 0 if it is likely to have jobs
        double not_before = -std::numeric_limits<double>::infinity();
    };
    std::vector<Entry> entries_;
};

}  // namespace tessera::queue
