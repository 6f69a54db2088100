#include "likelihood/fit/fit_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::likelihood {

namespace {

constexpr int most_numbers = 20;

/// "1:3"
void take_numbers(const std::string& text, io::FitSettings& settings) {
    if (text.empty()) return;
    const char *begin = text.data(), *end = begin + text.size();
    const auto first = std::from_chars(begin, end, settings.fewest_streams);
    const bool pair = first.ec == std::errc() && first.ptr != end && *first.ptr == ':';
    const auto last = pair ? std::from_chars(first.ptr + 1, end, settings.most_streams) : first;
    if (!pair || last.ec != std::errc() || last.ptr != end || settings.fewest_streams < 0 ||
        settings.most_streams <= settings.fewest_streams || settings.most_streams > most_numbers)
        throw Error("cannot use --streams " + io::one_line(text, 20),
                    fmt::format("it is not two different numbers from 0 to {}, the lower one first",
                                most_numbers),
                    "write --streams 1:3, for instance");
    if (settings.asynchronous || settings.bootstrap > 0)
        throw Error(fmt::format("cannot use --streams with --{}",
                                settings.asynchronous ? "asynchronous" : "bootstrap"),
                    "it compares fits with several numbers of streams",
                    "choose the number first, then fit a file that has it");
}

void take_folds(const FitChoices& choices, io::FitSettings& settings) {
    const bool held_out = choices.criterion.value_or("bic") == "held-out";
    if (choices.streams.empty() && (held_out || choices.folds > 0))
        throw Error(held_out ? "--criterion needs --streams" : "--folds needs --streams",
                    "it compares numbers of streams", "add --streams 1:3, for instance");
    if (choices.folds > 0 && !held_out)
        throw Error("--folds needs --criterion held-out", "BIC compares fits of all stars",
                    "add --criterion held-out, or leave --folds out");
    if (held_out) settings.folds = choices.folds > 0 ? choices.folds : FitChoices::default_folds;
}

}  // namespace

io::FitSettings FitChoices::settings(const io::TextSource& parameters,
                                     const std::string& where) const {
    io::FitSettings settings = io::parse_fit_settings(parameters);
    const auto take = [](const auto& given, auto& value) {
        if (given) value = *given;
    };
    take(method, settings.method);
    take(start, settings.start);
    take(population, settings.population);
    take(generations, settings.generations);
    take(starts, settings.starts);
    take(variations, settings.variations);
    take(seed, settings.seed);
    take(search_tolerance, settings.tolerance);
    if (!free.empty()) settings.free = free;
    settings.fix = fix;
    io::share_everywhere(share, settings.shared);
    settings.profile = profile;
    settings.bootstrap = bootstrap;
    settings.asynchronous = asynchronous;
    settings.verify = verify;
    for (const std::string& name : free)
        if (std::ranges::find(fix, name) != fix.end())
            throw Error("--free and --fix both name " + io::one_line(name, 40),
                        "a parameter is either fitted or not", "name it in one of them");
    take_numbers(streams, settings);
    take_folds(*this, settings);
    io::validate(settings, where);
    return settings;
}

std::vector<std::string> FitChoices::unused(const io::FitSettings& settings) const {
    std::vector<std::string> lines, names;
    if (criterion && streams.empty())
        lines.emplace_back("--criterion without --streams: one number of streams is fitted, so "
                           "that nothing changes");
    if (generations) names.emplace_back("--generations");
    if (search_tolerance) names.emplace_back("--search-tolerance");
    if (settings.method == "quasi-newton" && !names.empty())
        lines.push_back(fmt::format("{} with --method quasi-newton: it has no generations, so that "
                                    "nothing changes",
                                    fmt::join(names, ", ")));
    return lines;
}

}  // namespace tessera::likelihood
