// Which candidate does the job, and how that is told.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "choice/candidate.hpp"

namespace tessera::choice {

/// Of two candidates whose predicted times differ by no more than this part, the first one does it.
inline constexpr double worth_it = 0.05;

/// The first candidate that is as fast as the fastest one, within `worth_it`. Nullopt if none can
/// do the job.
std::optional<std::size_t> choose(const std::vector<Candidate>& candidates);

/// The command of a candidate as one types it in a shell.
std::string command_text(const Candidate& candidate);

/// A table of the candidates for people, and which one is chosen.
std::string table_text(const std::vector<Candidate>& candidates);

/// The JSON of `tessera plan`: the chosen plan, with the list of candidates. If there is none, the
/// first plan that says why.
std::string to_json(const std::vector<Candidate>& candidates);

}  // namespace tessera::choice
