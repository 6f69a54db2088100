// The TOML half of io/streams/stream_formats.hpp: Tessera's own parameter files.
// Every key is checked.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "io/streams/checked_table.hpp"
#include "io/streams/stream_formats.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/streams/track_table.hpp"

namespace tessera::io {

namespace {

constexpr std::string_view background_keys[] = {"epsilon", "q", "r0", "alpha",
                                                "delta",   "a", "b",  "c"};

/// The numbers of a profile that lists its own. It has no weight of its own. The weights of the
/// streams are relative to it.
void read_own_numbers(const CheckedTable& table, Model model, Background& b) {
    for (const std::string_view key : background_keys)
        if (table.has(key) && own_number(b.profile, key) == nullptr)
            table.refuse(nullptr,
                         fmt::format("'{}' in background has no effect on profile {}", key,
                                     name_of(b.profile)),
                         "remove it");
    b.epsilon = model == Model::classic ? 0 : 1;
    for (const ProfileNumber& number : own_numbers(b.profile))
        b.*number.value =
            number.standard ? table.number(number.key, *number.standard) : table.number(number.key);
}

/// The axes of the halo and the disks. A file that gives no number of a group has none of them.
void read_groups(const CheckedTable& table, Background& b) {
    for (const NumberGroup& group : number_groups()) {
        const auto given = [&](const ProfileNumber& number) { return table.has(number.key); };
        b.*group.given = std::ranges::any_of(group.numbers, given);
        if (!(b.*group.given)) continue;
        for (const ProfileNumber& number : group.numbers)
            b.*number.value = number.standard ? table.number(number.key, *number.standard)
                                              : table.number(number.key);
    }
}

/// The share of the halo. Disks with scales of their own take the place of the 2018 model's.
double read_epsilon(const CheckedTable& table, Model model, const Background& b) {
    const bool power_law = b.profile == Profile::broken_power_law;
    if (model == Model::classic || power_law) return table.number("epsilon", power_law ? 1 : 0);
    if (!b.has_disks()) return table.number("epsilon");
    if (table.has("epsilon"))
        table.refuse(nullptr, "'epsilon' in background has no effect beside thin or thick disks",
                     "remove it");
    return 1;
}

Background read_background(const CheckedTable& top, Model model, const ModelChoices& choices) {
    Keys keys{"profile"};
    keys.insert(keys.end(), std::begin(background_keys), std::end(background_keys));
    for (const NumberGroup& group : number_groups())
        for (const ProfileNumber& number : group.numbers) keys.push_back(number.key);
    const CheckedTable table = top.table("background", keys);
    Background b;
    read_groups(table, b);
    b.profile =
        table.choice("profile", choices.profile, std::optional(Profile::hernquist), profile_named);
    if (!own_numbers(b.profile).empty()) {
        read_own_numbers(table, model, b);
        return b;
    }
    const bool power_law = b.profile == Profile::broken_power_law;
    b.epsilon = read_epsilon(table, model, b);
    b.q = table.number("q");
    b.r0 = model == Model::classic ? table.number("r0") : table.number("r0", radius_2018);
    b.alpha = power_law ? table.number("alpha") : table.number("alpha", 1);
    b.delta = power_law ? table.number("delta") : table.number("delta", 1);
    b.a = table.number("a", 0);
    b.b = table.number("b", 0);
    b.c = table.number("c", 0);
    return b;
}

/// An observable that comes after `before`.
Observable read_observable(const CheckedTable& table, const std::vector<Observable>& before) {
    Observable one{table.word("name"), table.word("value"), table.word("error", "")};
    Keys names;
    for (const Observable& other : before) names.emplace_back(other.name);
    if (!table.has("correlation")) {
        one.correlations.resize(before.size());
    } else if (before.empty()) {
        table.refuse(nullptr, "the first observable has a 'correlation'",
                     "give it with the second one of a pair");
    } else {
        const CheckedTable correlation = table.table("correlation", names);
        for (const std::string_view name : names)
            one.correlations.push_back(correlation.word(name, ""));
    }
    if (table.has("simulated")) {
        const CheckedTable simulated = table.table("simulated", {"error", "growth", "share"});
        one.simulated_error = simulated.number("error", 0);
        one.simulated_growth = simulated.number("growth", 1);
        one.simulated_share = simulated.number("share", 1);
    }
    return one;
}

std::vector<Spread> read_spreads(const CheckedTable& component, const Keys& observables) {
    std::vector<Spread> all;
    for (const std::string_view name : observables) {
        const CheckedTable table =
            component.table(name, {"mean", "slope", "curvature", "dispersion"});
        all.push_back({table.number("mean"), table.number("slope", 0), table.number("curvature", 0),
                       table.number("dispersion")});
    }
    return all;
}

/// `own` and the names of the observables, which are keys of a component.
Keys component_keys(Keys own, const Keys& observables) {
    own.insert(own.end(), observables.begin(), observables.end());
    return own;
}

/// A straight stream, or one with a track.
Stream read_stream(const CheckedTable& table, std::vector<Spread> spreads,
                   const std::string& parameters) {
    Stream stream;
    stream.epsilon = table.number("epsilon");
    stream.sigma = table.number("sigma");
    stream.observables = std::move(spreads);
    if (table.has("track")) {
        read_track(table, parameters, stream);
        return stream;
    }
    refuse_shifts(table);
    stream.mu = table.number("mu");
    stream.r = table.number("r");
    stream.theta = table.number("theta");
    stream.phi = table.number("phi");
    return stream;
}

/// The file is relative to the folder of the parameter file.
SelectionSource read_selection_source(const CheckedTable& top, const std::string& parameters) {
    if (!top.has("selection")) return {};
    const CheckedTable table =
        top.table("selection", {"file", "coordinates", "ordering", "nside", "column"});
    SelectionSource source;
    const std::filesystem::path file = table.word("file");
    if (file.empty()) table.refuse(nullptr, "'file' in selection is empty", "name a file");
    source.file = (std::filesystem::path(parameters).parent_path() / file).string();
    source.coordinates = table.word("coordinates", "");
    source.ordering = table.word("ordering", "");
    source.nside = table.integer("nside", 0);
    source.column = table.word("column", "");
    const auto one_of = [&](const char* key, const std::string& word, const Keys& words) {
        if (!word.empty() && std::ranges::find(words, word) == words.end())
            table.refuse(nullptr, fmt::format("'{}' in selection is '{}'", key, one_line(word, 40)),
                         fmt::format("choose {} or {}", words[0], words[1]));
    };
    one_of("coordinates", source.coordinates, {"galactic", "equatorial"});
    one_of("ordering", source.ordering, {"ring", "nested"});
    if (table.has("nside") && (source.nside < 1 || source.nside > largest_nside ||
                               (source.nside & (source.nside - 1)) != 0))
        table.refuse(nullptr, fmt::format("'nside' in selection is {}", source.nside),
                     fmt::format("give a power of two up to {}", largest_nside));
    return source;
}

Cells read_cells(const CheckedTable& area, std::string_view key) {
    const CheckedTable table = area.table(key, {"min", "max", "steps"});
    return {table.number("min"), table.number("max"), table.integer("steps")};
}

toml::table parse(const TextSource& source) {
    return parse_toml(source, source.path.ends_with(".lua")
                                  ? "write the Lua file's values as TOML, or give the text layout"
                                  : "correct it, or give a MilkyWay@Home text parameter file");
}

}  // namespace

StreamModel parse_toml_parameters(const TextSource& source, const ModelChoices& choices) {
    const toml::table document = parse(source);
    // tessera fit reads [fit], and tessera sample also reads [prior].
    const CheckedTable top(source, document, "",
                           {"wedge", "convolve", "model", "turnoff", "background", "stream", "area",
                            "observable", "population", "selection", "fit", "prior"});
    StreamModel model;
    model.wedge = top.integer("wedge");
    model.convolve = top.integer("convolve", 120);
    model.model = top.choice("model", choices.model, std::optional<Model>(), model_named);
    model.turnoff =
        top.choice("turnoff", choices.turnoff, std::optional(Turnoff::gaussian), turnoff_named);
    model.background = read_background(top, model.model, choices);
    for (const CheckedTable& table :
         top.tables("observable", {"name", "value", "error", "correlation", "simulated"}))
        model.observables.push_back(read_observable(table, model.observables));
    Keys observables;
    for (const Observable& one : model.observables) observables.emplace_back(one.name);
    for (const CheckedTable& table :
         top.tables("population", component_keys({"epsilon"}, observables)))
        model.background.populations.push_back(
            {table.number("epsilon", 0), read_spreads(table, observables)});
    for (const CheckedTable& table :
         top.tables("stream", component_keys(stream_keys(), observables)))
        model.streams.push_back(read_stream(table, read_spreads(table, observables), source.path));
    for (const CheckedTable& table : top.tables("area", {"r", "mu", "nu"}))
        model.areas.push_back(
            {read_cells(table, "r"), read_cells(table, "mu"), read_cells(table, "nu")});
    model.selection_source = read_selection_source(top, source.path);
    if (model.areas.empty()) top.refuse(nullptr, "'area' is missing", "add [[area]], the wedge");
    return model;
}

}  // namespace tessera::io
