#include "likelihood/fit/fit_choices.hpp"

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
    io::validate(settings, where);
    return settings;
}

}  // namespace tessera::likelihood
