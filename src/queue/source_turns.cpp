#include "queue/source_turns.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace tessera::queue {

namespace {

constexpr double first_wait = 60, longest_wait = 4 * 3600;  // s

}  // namespace

Source read_source(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw Error("'" + text + "' is no source of work", "it is not PROJECT=COMMAND",
                    "such as --fetch 'stars=./submit_stars.sh'");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

SourceTurns::SourceTurns(std::vector<Source> sources) {
    for (Source& source : sources) entries_.push_back({std::move(source)});
}

std::optional<std::size_t> SourceTurns::next(const Debt& debt, double now) const {
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (now < entries_[i].not_before) continue;
        const std::optional<double> its = debt(source(i).project);
        if (!its || (best && *its <= most)) continue;
        best = i;
        most = *its;
    }
    return best;
}

void SourceTurns::note(std::size_t i, bool brought_jobs, double now) {
    Entry& entry = entries_[i];
    entry.wait = brought_jobs ? 0 : std::clamp(2 * entry.wait, first_wait, longest_wait);
    entry.not_before = now + entry.wait;
}

bool SourceTurns::all_are_dry() const {
    return std::ranges::all_of(entries_, [](const Entry& entry) { return entry.wait > 0; });
}

}  // namespace tessera::queue
