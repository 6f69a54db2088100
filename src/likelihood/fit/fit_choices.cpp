#include "likelihood/fit/fit_choices.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::likelihood {

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
    io::validate(settings, where);
    return settings;
}

}  // namespace tessera::likelihood
