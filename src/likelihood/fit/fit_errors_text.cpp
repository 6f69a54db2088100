// The errors of a fit in words: errors_text(), declared in fit_errors.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "likelihood/fit/fit_errors.hpp"

#include "io/text/counted.hpp"

namespace tessera::likelihood {

namespace {

std::string doubts_text(const FitErrors& errors, const std::vector<FreeParameter>& free,
                        const std::vector<bool>& determined) {
    std::string names;
    for (std::size_t i = 0; i < free.size(); ++i)
        if (determined[i] && !errors.trusted(i))
            names += (names.empty() ? "" : ", ") + free[i].name;
    if (names.empty()) return "";
    return fmt::format("note: do not trust the standard errors of {}: within two of them the log "
                       "likelihood differs from a parabola by more than {:.0f} %{}\n",
                       names, 100 * tolerated_share,
                       errors.profiles.empty() ? "; --profile all gives intervals" : "");
}

/// "12.3 to 14.5", where an asterisk marks an end that is not one of the level.
std::string interval_text(const ProfileIntervals& one, std::size_t level) {
    const auto end = [](double value, const std::string& kind) {
        return fmt::format("{:.6g}{}", value,
                           kind == "found"      ? ""
                           : kind == "at bound" ? "*"
                                                : "?");
    };
    return fmt::format("{:>11} to {:<11}", end(one.lower[level], one.lower_ends[level]),
                       end(one.upper[level], one.upper_ends[level]));
}

std::string profiles_text(const FitErrors& errors, const std::vector<FreeParameter>& free) {
    const std::size_t width = name_width(free);
    std::string text = fmt::format("  {:<{}} {:^26}   {:^26}\n", "profile likelihood", width,
                                   "68.27 %", "95.45 %");
    bool at_bound = false, not_found = false;
    for (const ProfileIntervals& one : errors.profiles) {
        text += fmt::format("  {:<{}} {}   {}\n", free[one.parameter].name, width,
                            interval_text(one, 0), interval_text(one, 1));
        for (const auto* ends : {&one.lower_ends, &one.upper_ends}) {
            at_bound = at_bound || std::ranges::find(*ends, "at bound") != ends->end();
            not_found = not_found || std::ranges::find(*ends, "not found") != ends->end();
        }
    }
    if (at_bound) text += "  * the interval reaches a bound of the parameter, or all angles\n";
    if (not_found) text += "  ? the end was not found; this is the nearest value\n";
    return text;
}

std::string bootstrap_text(const BootstrapErrors& errors, const std::vector<FreeParameter>& free) {
    const std::size_t width = name_width(free);
    std::string text = fmt::format("  bootstrap of {} sets, {} converged\n", errors.sets(),
                                   std::ranges::count(errors.converged, 1));
    text += fmt::format("  {:<{}} {:>13} {:^26}   {:^26}\n", "parameter", width, "error", "68.27 %",
                        "95.45 %");
    for (std::size_t i = 0; i < free.size(); ++i) {
        const BootstrapSummary& one = errors.summaries.at(i);
        text += fmt::format("  {:<{}} {:>13.3g} {:>11.6g} to {:<11.6g}   {:>11.6g} to {:<11.6g}\n",
                            free[i].name, width, one.standard_error, one.lower[0], one.upper[0],
                            one.lower[1], one.upper[1]);
    }
    return text;
}

}  // namespace

std::size_t name_width(const std::vector<FreeParameter>& free) {
    std::size_t width = 20;
    for (const FreeParameter& one : free) width = std::max(width, one.name.size());
    return width;
}

std::string errors_text(const FitErrors& errors, const std::vector<FreeParameter>& free,
                        const std::vector<bool>& determined) {
    std::string text = doubts_text(errors, free, determined);
    if (errors.left_maxima > 0)
        text += fmt::format("note: a profile met a higher likelihood {}, from which the fit "
                            "went on{}\n",
                            io::counted(errors.left_maxima, "time"),
                            errors.profiles.empty()
                                ? "; there are no profiles, so repeat it with more --starts"
                                : "");
    if (!errors.profiles.empty()) text += profiles_text(errors, free);
    if (errors.bootstrap) text += bootstrap_text(*errors.bootstrap, free);
    return text;
}

}  // namespace tessera::likelihood
