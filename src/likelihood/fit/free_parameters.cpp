// The free parameters of a fit and their bounds, declared in stream_space.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/radial_nodes.hpp"

namespace tessera::likelihood {

namespace {

using io::Profile;

std::string field_of(const std::string& name) { return name.substr(name.find('.') + 1); }
bool of_background(const std::string& name) { return name.starts_with("background."); }

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

[[noreturn]] void refuse(const std::string& name, const std::string& why,
                         const std::string& what_to_do) {
    throw Error("cannot fit " + io::one_line(name, 40), why, what_to_do);
}

/// Whether a parameter belongs to an observable or a population: stream1.NAME.mean.
bool of_observable(const StreamModel& model, const std::string& name) {
    return !model.observables.empty() &&
           (name.starts_with("background.population") || std::ranges::count(name, '.') > 1);
}

bool free_by_default(const StreamModel& model, const io::FitSettings& settings,
                     const std::string& name) {
    if (of_observable(model, name))
        return std::ranges::find(settings.bounds, name, &io::ParameterBounds::name) !=
               settings.bounds.end();
    if (!of_background(name)) return true;
    const std::string field = field_of(name);
    if (const auto* listed = io::listed_number(model.background, field)) return listed->fitted;
    return (field == "epsilon" || field == "q" || field == "r0") &&
           io::background_depends_on(model, field);
}

/// Bounds as in the published parameter files of MilkyWay@Home, within the wedge.
std::optional<io::ParameterBounds> default_bounds(const StreamModel& model,
                                                  const std::string& name) {
    constexpr double pi = std::numbers::pi;
    if (of_observable(model, name)) return std::nullopt;
    const std::string field = field_of(name);
    const io::Area& wedge = model.areas.front();
    if (of_background(name)) {
        if (const auto* listed = io::listed_number(model.background, field))
            return {{name, listed->lower, listed->upper}};
        const bool power_law = model.background.profile == Profile::broken_power_law;
        if (field == "epsilon") return {{name, 0, 1}};
        if (field == "q") return {{name, 0.1, 2}};
        if (field == "r0") return {{name, 1, 30}};
        if (field == "alpha" || field == "delta")
            return power_law ? io::ParameterBounds{name, 0.1, 10} : io::ParameterBounds{name, 0, 3};
        return std::nullopt;
    }
    if (field == "epsilon") return {{name, -20, 20}};
    for (const io::TrackShift& shift : io::track_shifts())
        if (field == shift.key) return {{name, -1, 1}};
    if (field == "mu") return {{name, wedge.mu.min, wedge.mu.max}};
    if (field == "r") {
        const double near = std::max(2.0, distance_of(wedge.r.min));
        const double far = std::min(60.0, distance_of(wedge.r.max));
        if (near >= far) return std::nullopt;
        return {{name, near, far}};
    }
    if (field == "theta") return {{name, 0, pi}};
    if (field == "phi") return {{name, -pi, pi}};
    return {{name, 0.1, 30}};
}

/// ", 'PATH:LINE'", or an empty string if the place is unknown.
std::string said_at(const std::string& place) {
    return place.empty() ? "" : ", '" + io::one_line(place) + "'";
}

std::size_t index_of(const std::string& name, const std::vector<std::string>& names) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        refuse(name, "the model has no such parameter",
               fmt::format("did you mean '{}'?", io::nearest_word(name, known)));
    }
    return static_cast<std::size_t>(found - names.begin());
}

io::ParameterBounds bounds_of(const StreamModel& model, const io::FitSettings& settings,
                              const std::string& name) {
    for (const io::ParameterBounds& one : settings.bounds)
        if (one.name == name) return one;
    const auto bounds = default_bounds(model, name);
    if (!bounds)
        refuse(name, "it has no default bounds", fmt::format("add \"{}\" to [fit.bounds]", name));
    return *bounds;
}

/// Every model within the bounds must be valid. Checking each bound alone is enough, because the
/// valid ranges of the parameters do not depend on each other.
void check_bounds(const StreamModel& model, std::size_t index, const io::ParameterBounds& bounds) {
    if (bounds.name.ends_with(".sigma") && bounds.lower <= 1e-4)
        refuse(bounds.name,
               fmt::format("it may become {:g} kpc{}", bounds.lower, said_at(bounds.lower_place)),
               bounds.prior.empty() ? "give a lower bound above 1e-4 kpc"
                                    : "truncate its prior, with a lower bound above 1e-4 kpc");
    for (const bool upper : {false, true}) {
        auto numbers = parameter_values(model);
        numbers[index] = upper ? bounds.upper : bounds.lower;
        if (const auto complaint = io::complaint_about(with_values(model, numbers)))
            refuse(bounds.name,
                   fmt::format("its {} bound is {:g}{}", upper ? "upper" : "lower", numbers[index],
                               said_at(upper ? bounds.upper_place : bounds.lower_place)),
                   bounds.prior.empty() ? complaint->what_to_do : "truncate its prior");
    }
}

/// Throws Error for bounds of a parameter that is not free. Without a list of free parameters, a
/// user would think that it is fitted.
void check_bounds_are_used(const io::FitSettings& settings,
                           const std::vector<FreeParameter>& free) {
    if (!settings.free.empty()) return;
    for (const io::ParameterBounds& one : settings.bounds)
        if (std::ranges::find(free, one.name, &FreeParameter::name) == free.end() &&
            !contains(settings.fix, one.name))
            throw Error(fmt::format("bounds of {} have no effect", one.name),
                        "it is not free" + said_at(one.lower_place),
                        "name all free parameters in [fit] free, or remove its bounds");
}

}  // namespace

std::optional<std::size_t> FreeParameter::index_in(std::size_t its) const {
    if (shared() || wedge == its) return index;
    const auto place = std::ranges::find(places, its, &ParameterPlace::wedge);
    return place == places.end() ? std::nullopt : std::optional(place->index);
}

std::vector<FreeParameter> free_parameters(const StreamModel& model,
                                           const io::FitSettings& settings) {
    const auto names = parameter_names(model);
    for (const io::ParameterBounds& one : settings.bounds) index_of(one.name, names);
    std::vector<bool> chosen(names.size(), false);
    for (const std::string& name : settings.free) {
        const std::size_t index = index_of(name, names);
        if (of_background(name) && !io::background_depends_on(model, field_of(name)))
            refuse(name, "it has no effect of its own in this model", "remove it from [fit] free");
        chosen[index] = true;
    }
    for (const std::string& name : settings.fix) index_of(name, names);
    std::vector<FreeParameter> free;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (settings.free.empty() ? !free_by_default(model, settings, names[i]) : !chosen[i])
            continue;
        if (contains(settings.fix, names[i])) continue;
        const auto bounds = bounds_of(model, settings, names[i]);
        check_bounds(model, i, bounds);
        const bool given = std::ranges::find(settings.bounds, names[i],
                                             &io::ParameterBounds::name) != settings.bounds.end();
        free.push_back({names[i], i, bounds.lower, bounds.upper, given, bounds.prior});
    }
    check_bounds_are_used(settings, free);
    return free;
}

std::vector<FixedParameter> fixed_parameters(const StreamModel& model,
                                             const std::vector<FreeParameter>& free) {
    const auto names = parameter_names(model);
    const auto values = parameter_values(model);
    std::vector<FixedParameter> fixed;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool matters =
            !of_background(names[i]) || io::background_depends_on(model, field_of(names[i]));
        if (matters && std::ranges::find(free, i, &FreeParameter::index) == free.end())
            fixed.push_back({names[i], values[i]});
    }
    return fixed;
}

}  // namespace tessera::likelihood
