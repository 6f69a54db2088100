#include "likelihood/fit/joint_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/fit/shared_parameters.hpp"

namespace tessera::likelihood {

namespace {

/// "wedge2." for the wedge 1.
std::string prefix_of(std::size_t wedge) { return fmt::format("wedge{}.", wedge + 1); }

[[noreturn]] void refuse_together(std::span<const std::string> files, std::size_t wedge,
                                  const std::string& why, const std::string& what_to_do) {
    throw Error(fmt::format("cannot fit '{}' and '{}' together", io::one_line(files[0]),
                            io::one_line(files[wedge])),
                why, what_to_do);
}

/// Throws Error unless all wedges have the same kind of model.
void require_one_kind(std::span<const StreamModel> models, std::span<const std::string> files) {
    const auto compare = [&](std::size_t w, const char* what, const std::string& first,
                             const std::string& other) {
        if (first != other)
            refuse_together(files, w, fmt::format("their {} differ: {} and {}", what, first, other),
                            "give wedges that can have one background");
    };
    for (std::size_t w = 1; w < models.size(); ++w) {
        const StreamModel &first = models[0], &other = models[w];
        compare(w, "models", io::name_of(first.model), io::name_of(other.model));
        compare(w, "turnoffs", io::name_of(first.turnoff), io::name_of(other.turnoff));
        compare(w, "background profiles", io::name_of(first.background.profile),
                io::name_of(other.background.profile));
        const auto shape = [](const StreamModel& m) {
            return std::string(m.background.triaxial ? "triaxial" : "spheroidal");
        };
        compare(w, "halos", shape(first), shape(other));
        const auto disks = [](const StreamModel& m) {
            const io::Background& b = m.background;
            return std::string(b.thin_disk && b.thick_disk ? "thin and thick"
                               : b.thin_disk               ? "thin"
                               : b.thick_disk              ? "thick"
                                                           : "none");
        };
        compare(w, "disks", disks(first), disks(other));
    }
}

/// Throws Error if the file of a wedge gives a parameter of the background other bounds or another
/// prior than the first file does.
void require_same_bounds(const FreeParameter& one, const std::vector<FreeParameter>& free,
                         std::span<const std::string> files, std::size_t wedge) {
    const auto first = std::ranges::find(free, one.name, &FreeParameter::name);
    if (first == free.end() || !one.bounds_are_given) return;
    if (first->prior != one.prior)
        refuse_together(files, wedge, fmt::format("the priors of {} differ", one.name),
                        "give the prior of the background in the first file");
    if (first->lower == one.lower && first->upper == one.upper) return;
    refuse_together(files, wedge,
                    fmt::format("the bounds of {} are {} to {} and {} to {}", one.name,
                                first->lower, first->upper, one.lower, one.upper),
                    "give the bounds of the background in the first file");
}

/// The names of all parameters that a wedge of the fit has.
std::vector<std::string> names_of(std::span<const StreamModel> models) {
    std::vector<std::string> names;
    for (std::size_t w = 0; w < models.size(); ++w)
        for (const std::string& name : parameter_names(models[w]))
            if (w == 0 || !of_common_background(name)) names.push_back(joint_name(name, w));
    return names;
}

/// Throws Error for a name with a wedge, such as "wedge3.stream1.mu", if the fit does not have it,
/// if it stands in the file of another wedge, or if wedges share the parameter.
void check_names(std::span<const StreamModel> models, std::span<const io::FitSettings> settings,
                 const SharedParameters& shared) {
    const auto known = names_of(models);
    const std::vector<std::string_view> words(known.begin(), known.end());
    const auto names = [](const io::FitSettings& one) {
        auto all = one.free;
        all.insert(all.end(), one.fix.begin(), one.fix.end());
        return all;
    };
    const auto refuse = [](const std::string& name, const std::string& why,
                           const std::string& what_to_do) {
        throw Error("cannot fit " + io::one_line(name, 40), why, what_to_do);
    };
    for (std::size_t w = 0; w < models.size(); ++w)
        for (const std::string& name : names(settings[w])) {
            if (!name.starts_with("wedge")) continue;
            if (std::ranges::find(known, name) == known.end())
                refuse(name, "no wedge of the fit has such a parameter",
                       fmt::format("did you mean '{}'?", io::nearest_word(name, words)));
            for (std::size_t owner = 0; owner < models.size(); ++owner)
                if (const auto own = name_in_wedge(name, owner))
                    if (const auto common = shared.common_name(owner, *own))
                        refuse(name, "several wedges share it", "call it " + *common);
            for (std::size_t other = 0; other < models.size(); ++other)
                if (const auto all = names(settings[other]);
                    std::ranges::find(all, name) == all.end())
                    refuse(name, "a parameter file names streams of its own wedge",
                           fmt::format("call it {} in the file of its wedge",
                                       io::one_line(name.substr(name.find('.') + 1), 40)));
        }
}

/// The settings with the names that their parameters have in one wedge.
io::FitSettings settings_in_wedge(io::FitSettings settings, std::size_t wedge,
                                  const SharedParameters& shared) {
    const auto common = shared.names();
    const auto here = [&](const std::string& name) -> std::optional<std::string> {
        if (const auto own = shared.name_in(wedge, name)) return own;
        const bool of_others =
            !name.starts_with("stream") && std::ranges::find(common, name) != common.end();
        return of_others ? std::nullopt : name_in_wedge(name, wedge);
    };
    for (auto* names : {&settings.free, &settings.fix}) {
        std::vector<std::string> own;
        for (const std::string& name : *names)
            if (const auto found = here(name)) own.push_back(*found);
        *names = std::move(own);
    }
    return settings;
}

/// The free parameters that one wedge depends on.
std::vector<FreeParameter> free_in_wedge(const std::vector<FreeParameter>& free,
                                         std::size_t wedge) {
    std::vector<FreeParameter> own;
    for (const FreeParameter& one : free)
        if (const auto index = one.index_in(wedge)) {
            own.push_back(one);
            own.back().index = *index;
        }
    return own;
}

/// Throws Error if a number of the background is not fitted and differs between wedges.
void require_one_background(std::span<const StreamModel> models,
                            const std::vector<FreeParameter>& free,
                            std::span<const std::string> files) {
    const auto first = fixed_parameters(models[0], free_in_wedge(free, 0));
    for (std::size_t w = 1; w < models.size(); ++w)
        for (const FixedParameter& one : fixed_parameters(models[w], free_in_wedge(free, w))) {
            if (!of_common_background(one.name)) continue;
            const auto same = std::ranges::find(first, one.name, &FixedParameter::name);
            if (same != first.end() && same->value != one.value)
                refuse_together(files, w,
                                fmt::format("{} is {} and {}, and it is not fitted", one.name,
                                            same->value, one.value),
                                "give both files the same number, or fit it");
        }
}

}  // namespace

std::string joint_name(const std::string& name, std::size_t wedge) {
    return of_common_background(name) ? name : prefix_of(wedge) + name;
}

std::optional<std::string> name_in_wedge(const std::string& name, std::size_t wedge) {
    if (!name.starts_with("wedge")) return name;
    const std::string prefix = prefix_of(wedge);
    if (!name.starts_with(prefix)) return std::nullopt;
    return name.substr(prefix.size());
}

std::optional<std::string> name_in_wedge(const FreeParameter& free, std::size_t wedge) {
    if (free.places.empty()) return name_in_wedge(free.name, wedge);
    const auto place = std::ranges::find(free.places, wedge, &ParameterPlace::wedge);
    return place == free.places.end() ? std::nullopt : std::optional(place->name);
}

bool is_called(const FreeParameter& free, const std::string& name) {
    if (name == "all" || name == free.name) return true;
    if (free.places.empty()) return name == name_in_wedge(free.name, free.wedge);
    return std::ranges::any_of(free.places, [&](const ParameterPlace& place) {
        return name == place.name || name == joint_name(place.name, place.wedge);
    });
}

std::vector<FreeParameter> joint_parameters(std::span<const StreamModel> models,
                                            std::span<const io::FitSettings> settings,
                                            std::span<const std::string> files) {
    const SharedParameters shared(models, settings, files);
    if (models.size() == 1) return free_parameters(models[0], settings[0]);
    require_one_kind(models, files);
    check_names(models, settings, shared);
    std::vector<FreeParameter> free;
    for (std::size_t w = 0; w < models.size(); ++w) {
        const io::FitSettings own = settings_in_wedge(settings[w], w, shared);
        if (own.free.empty() && !settings[w].free.empty()) continue;
        for (FreeParameter& one : free_parameters(models[w], own)) {
            if (one.shared() && w > 0) {
                require_same_bounds(one, free, files, w);
                continue;
            }
            if (shared.add(one, w, free)) continue;
            one.name = joint_name(one.name, w);
            one.wedge = w;
            free.push_back(std::move(one));
        }
    }
    require_one_background(models, free, files);
    shared.check(free);
    return free;
}

std::vector<FixedParameter> joint_fixed_parameters(std::span<const StreamModel> models,
                                                   const std::vector<FreeParameter>& free) {
    if (models.size() == 1) return fixed_parameters(models[0], free);
    std::vector<FixedParameter> fixed;
    for (std::size_t w = 0; w < models.size(); ++w)
        for (FixedParameter& one : fixed_parameters(models[w], free_in_wedge(free, w))) {
            if (of_common_background(one.name) && w > 0) continue;
            one.name = joint_name(one.name, w);
            fixed.push_back(std::move(one));
        }
    return fixed;
}

}  // namespace tessera::likelihood
