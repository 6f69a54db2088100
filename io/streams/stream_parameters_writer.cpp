// Writes a stream model as TOML: to_toml(), declared in stream_parameters.hpp.
#include <fmt/format.h>

#include <filesystem>

#include "io/streams/stream_parameters.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"

namespace tessera::io {

namespace {

/// The shortest text that reads back as the same double. It has a point or an exponent, so that
/// TOML keeps the sign of zero.
std::string exact(double value) {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// A column's name as a TOML string. validate() refuses names with quotes, backslashes and control
/// characters.
std::string quoted(const std::string& name) { return '"' + name + '"'; }

std::string to_toml(const Background& b, bool has_epsilon) {
    std::string text = fmt::format("{{ profile = \"{}\"", name_of(b.profile));
    if (own_numbers(b.profile).empty()) {
        if (has_epsilon) text += fmt::format(", epsilon = {}", exact(b.epsilon));
        text += fmt::format(", q = {}, r0 = {}, alpha = {}, delta = {}, a = {}, b = {}, c = {}",
                            exact(b.q), exact(b.r0), exact(b.alpha), exact(b.delta), exact(b.a),
                            exact(b.b), exact(b.c));
    }
    for (const ProfileNumber& number : own_numbers(b.profile))
        text += fmt::format(", {} = {}", number.key, exact(b.*number.value));
    for (const ProfileNumber* number : further_numbers(b))
        text += fmt::format(", {} = {}", number->key, exact(b.*number->value));
    return text + " }";
}

std::string to_toml(const Observable& one, const std::vector<Observable>& all) {
    std::string text = fmt::format("\n[[observable]]\nname = {}\nvalue = {}\n", quoted(one.name),
                                   quoted(one.value));
    if (!one.error.empty()) text += fmt::format("error = {}\n", quoted(one.error));
    std::string pairs;
    for (std::size_t i = 0; i < one.correlations.size(); ++i)
        if (!one.correlations[i].empty())
            pairs += fmt::format("{}{} = {}", pairs.empty() ? "" : ", ", all[i].name,
                                 quoted(one.correlations[i]));
    if (!pairs.empty()) text += fmt::format("correlation = {{ {} }}\n", pairs);
    return text + fmt::format("simulated = {{ error = {}, growth = {}, share = {} }}\n",
                              exact(one.simulated_error), exact(one.simulated_growth),
                              exact(one.simulated_share));
}

std::string to_toml(const std::vector<Spread>& spreads, const std::vector<Observable>& all) {
    std::string text;
    for (std::size_t i = 0; i < spreads.size(); ++i)
        text += fmt::format("{} = {{ mean = {}, slope = {}, curvature = {}, dispersion = {} }}\n",
                            all[i].name, exact(spreads[i].mean), exact(spreads[i].slope),
                            exact(spreads[i].curvature), exact(spreads[i].dispersion));
    return text;
}

/// The knots of a file are written themselves.
std::string to_toml(const Stream& s) {
    if (!s.has_track())
        return fmt::format("\n[[stream]]\nepsilon = {}\nmu = {}\nr = {}\ntheta = {}\nphi = {}\n"
                           "sigma = {}\n",
                           exact(s.epsilon), exact(s.mu), exact(s.r), exact(s.theta), exact(s.phi),
                           exact(s.sigma));
    std::string text =
        fmt::format("\n[[stream]]\nepsilon = {}\nsigma = {}\n", exact(s.epsilon), exact(s.sigma));
    for (const TrackShift& shift : track_shifts())
        text += fmt::format("{} = {}\n", shift.key, exact(s.*shift.value));
    std::string knots;
    for (const Vec3& knot : s.knots)
        knots += fmt::format("{}[{}, {}, {}]", knots.empty() ? "" : ", ", exact(knot.x),
                             exact(knot.y), exact(knot.z));
    return text + fmt::format("track = {{ xyz = [{}] }}\n", knots);
}

/// Any text as a TOML string.
std::string escaped(const std::string& text) {
    std::string found = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            found += fmt::format("\\u{:04x}", byte);
            continue;
        }
        if (c == '"' || c == '\\') found += '\\';
        found += c;
    }
    return found + '"';
}

/// With the whole path, because the folder of the new file is not known.
std::string to_toml(const SelectionSource& source) {
    if (source.file.empty()) return "";
    const std::string path = std::filesystem::absolute(source.file).lexically_normal().string();
    std::string text = fmt::format("\n[selection]\nfile = {}\n", escaped(path));
    const auto add = [&](const char* key, const std::string& word) {
        if (!word.empty()) text += fmt::format("{} = {}\n", key, escaped(word));
    };
    add("coordinates", source.coordinates);
    add("ordering", source.ordering);
    if (source.nside > 0) text += fmt::format("nside = {}\n", source.nside);
    add("column", source.column);
    return text;
}

std::string to_toml(const Cells& cells) {
    return fmt::format("{{ min = {}, max = {}, steps = {} }}", exact(cells.min), exact(cells.max),
                       cells.steps);
}

}  // namespace

std::string to_toml(const StreamModel& model) {
    std::string text =
        fmt::format("wedge = {}\nconvolve = {}\nmodel = \"{}\"\nturnoff = \"{}\"\n", model.wedge,
                    model.convolve, name_of(model.model), name_of(model.turnoff));
    // Where disks take the place of the 2018 model's, epsilon has no effect, and readers refuse it.
    const bool has_epsilon = model.model == Model::classic || !model.background.has_disks() ||
                             model.background.profile == Profile::broken_power_law;
    text += fmt::format("background = {}\n", to_toml(model.background, has_epsilon));
    for (const Observable& one : model.observables) text += to_toml(one, model.observables);
    for (const Population& one : model.background.populations)
        text += fmt::format("\n[[population]]\nepsilon = {}\n", exact(one.epsilon)) +
                to_toml(one.observables, model.observables);
    for (const Stream& s : model.streams)
        text += to_toml(s) + to_toml(s.observables, model.observables);
    for (const Area& area : model.areas)
        text += fmt::format("\n[[area]]\nr = {}\nmu = {}\nnu = {}\n", to_toml(area.r),
                            to_toml(area.mu), to_toml(area.nu));
    return text + to_toml(model.selection_source);
}

}  // namespace tessera::io
