#include "likelihood/fit/shared_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::likelihood {

namespace {

[[noreturn]] void refuse(const io::SharedParameter& one, const std::string& why,
                         const std::string& what_to_do) {
    const std::string at = one.place.empty() ? "" : fmt::format(", '{}'", io::one_line(one.place));
    throw Error("cannot share " + one.name + at, why, what_to_do);
}

}  // namespace

SharedParameters::SharedParameters(std::span<const StreamModel> models,
                                   std::span<const io::FitSettings> settings,
                                   std::span<const std::string> files)
    : models_(models), files_(files) {
    for (std::size_t w = 0; w < models.size(); ++w) take(w, settings[w].shared);
    // --share stands in the settings of every wedge, also of those without the stream.
    for (const io::SharedParameter& one : settings.front().shared)
        if (one.place.empty() && places_of(one.name).size() < 2)
            refuse(one, "fewer than two wedges of the fit have this stream",
                   "give more parameter files, or leave it out of --share");
    if (models.size() > 1) require_partners();
}

void SharedParameters::take(std::size_t wedge, const std::vector<io::SharedParameter>& shared) {
    const auto names = parameter_names(models_[wedge]);
    for (const io::SharedParameter& one : shared) {
        const bool has_it = std::ranges::find(names, one.parameter) != names.end();
        if (has_it) places_.push_back({wedge, one});
        if (!has_it && !one.place.empty())
            refuse(one, fmt::format("the model has no {}", one.parameter),
                   "correct the number of the stream");
    }
}

void SharedParameters::require_partners() const {
    for (const Place& place : places_)
        if (places_of(place.shared.name).size() < 2)
            refuse(place.shared, "no other wedge of the fit shares it",
                   "give the stream the same name in [fit.shared] of another parameter file");
}

std::vector<SharedParameters::Place> SharedParameters::places_of(const std::string& common) const {
    std::vector<Place> found;
    std::ranges::copy_if(places_, std::back_inserter(found),
                         [&](const Place& place) { return place.shared.name == common; });
    return found;
}

std::optional<std::string> SharedParameters::common_name(std::size_t wedge,
                                                         const std::string& parameter) const {
    for (const Place& place : places_)
        if (place.wedge == wedge && place.shared.parameter == parameter) return place.shared.name;
    return std::nullopt;
}

std::optional<std::string> SharedParameters::name_in(std::size_t wedge,
                                                     const std::string& common) const {
    for (const Place& place : places_)
        if (place.wedge == wedge && place.shared.name == common) return place.shared.parameter;
    return std::nullopt;
}

std::vector<std::string> SharedParameters::names() const {
    std::vector<std::string> names;
    for (const Place& place : places_)
        if (std::ranges::find(names, place.shared.name) == names.end())
            names.push_back(place.shared.name);
    return names;
}

std::string SharedParameters::both(std::size_t one, std::size_t other) const {
    return fmt::format("'{}' and '{}'", io::one_line(files_[one]), io::one_line(files_[other]));
}

bool SharedParameters::add(const FreeParameter& one, std::size_t wedge,
                           std::vector<FreeParameter>& free) const {
    const auto common = common_name(wedge, one.name);
    if (!common) return false;
    const ParameterPlace place{wedge, one.index, one.name};
    const auto first = std::ranges::find(free, *common, &FreeParameter::name);
    if (first == free.end()) {
        free.push_back(one);
        free.back().name = *common;
        free.back().wedge = wedge;
        free.back().places = {place};
        return true;
    }
    const bool same = first->lower == one.lower && first->upper == one.upper;
    if (!same && (one.bounds_are_given || !first->bounds_are_given))
        throw Error(fmt::format("cannot share {} between {}", *common, both(first->wedge, wedge)),
                    fmt::format("its bounds are {} to {} and {} to {}", first->lower, first->upper,
                                one.lower, one.upper),
                    "give its bounds in the first of these files only");
    if (first->prior != one.prior && !one.prior.empty())
        throw Error(fmt::format("cannot share {} between {}", *common, both(first->wedge, wedge)),
                    "its priors differ", "give its prior in the first of these files only");
    first->places.push_back(place);
    return true;
}

double SharedParameters::value_at(const Place& place) const {
    const auto names = parameter_names(models_[place.wedge]);
    const auto at = std::ranges::find(names, place.shared.parameter) - names.begin();
    return parameter_values(models_[place.wedge])[static_cast<std::size_t>(at)];
}

void SharedParameters::check(const std::vector<FreeParameter>& free) const {
    for (const std::string& name : names()) {
        const auto places = places_of(name);
        const auto fitted = std::ranges::find(free, name, &FreeParameter::name);
        for (const Place& place : places) {
            const bool here = fitted != free.end() && fitted->concerns(place.wedge);
            if (fitted != free.end() && !here)
                throw Error(fmt::format("cannot share {} between {}", name,
                                        both(fitted->wedge, place.wedge)),
                            "it is fitted in the first of them only",
                            fmt::format("fit {} in both, or in none", name));
            if (fitted == free.end() && value_at(place) != value_at(places.front()))
                throw Error(fmt::format("cannot share {} between {}", name,
                                        both(places.front().wedge, place.wedge)),
                            fmt::format("it is {} and {}, and it is not fitted",
                                        value_at(places.front()), value_at(place)),
                            "give both files the same number, or fit it");
        }
    }
}

}  // namespace tessera::likelihood
