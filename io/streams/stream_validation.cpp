// The checking half of io/streams/stream_parameters.hpp: the valid ranges of all numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numbers>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/text/counted.hpp"

namespace tessera::io {

namespace {

/// Throws a Complaint about the first number that is out of range.
class Checks {
  public:
    [[noreturn]] void refuse(const std::string& why, const std::string& what_to_do) const {
        throw Complaint{why, what_to_do};
    }
    /// Requires low <= value <= high; NaN is refused.
    void range(const std::string& name, double value, double low, double high,
               const char* unit = "") const {
        if (!(value >= low && value <= high))
            refuse(
                fmt::format("{} is {:g}", name, value),
                fmt::format("choose between {:g} and {:g}{}{}", low, high, *unit ? " " : "", unit));
    }
    void finite(const std::string& name, double value) const { range(name, value, -1e30, 1e30); }
    void positive(const std::string& name, double value) const {
        finite(name, value);
        if (!(value > 0))
            refuse(fmt::format("{} is {:g}", name, value), "choose a number greater than 0");
    }
};

constexpr double largest_log_weight = 700;                                 // exp() overflows beyond
constexpr double most_degrees = 720, most_radians = 4 * std::numbers::pi;  // two turns
constexpr double most_kpc = 1e5;    // beyond, rounding hides positions in the wedge
constexpr int most_steps = 100000;  // for each axis; production grids have 1600 at most
constexpr int largest_convolve = 256, last_stripe = 86;
constexpr std::size_t most_observables = 8;

void check_background(const Checks& checks, const StreamModel& model) {
    const Background& b = model.background;
    checks.positive("background.q", b.q);
    for (const auto& [name, value] : {std::pair{"background.alpha", b.alpha},
                                      {"background.delta", b.delta},
                                      {"background.a", b.a},
                                      {"background.b", b.b},
                                      {"background.c", b.c}})
        checks.finite(name, value);
    if (model.model == Model::model2018) {
        checks.range("background.epsilon", b.epsilon, 0, 1);
    } else {
        checks.range("background.epsilon", b.epsilon, -largest_log_weight, largest_log_weight);
        checks.positive("background.r0", b.r0);
    }
    std::vector<const ProfileNumber*> numbers = further_numbers(b);
    for (const ProfileNumber& number : own_numbers(b.profile)) numbers.push_back(&number);
    for (const ProfileNumber* number : numbers)
        checks.range(fmt::format("background.{}", number->key), b.*number->value, number->least,
                     number->most, number->unit);
    if (b.has_auxiliary() && !background_depends_on(model, "a"))
        checks.refuse("background.a, b and c have no effect on the profile " + name_of(b.profile),
                      "remove them, or use the hernquist profile");
}

/// Features of the 2018 application that were never defined for the classic model.
void check_combination(const Checks& checks, const StreamModel& model) {
    if (model.model == Model::model2018) return;
    if (model.turnoff == Turnoff::newby2011)
        checks.refuse("the classic model has no turnoff newby2011",
                      "use the 2018 model, or the gaussian turnoff");
    if (model.background.profile == Profile::broken_power_law)
        checks.refuse("the classic model has no broken power law",
                      "use the 2018 model, or the hernquist profile");
}

/// A spline through chords that turn much may have loops.
void check_knots(const Checks& checks, const std::vector<Vec3>& knots) {
    constexpr double least = 1e-3;  // kpc
    if (knots.size() < 2 || knots.size() > most_knots)
        checks.refuse(fmt::format("its track has {}", counted(knots.size(), "knot")),
                      fmt::format("give 2 to {}", most_knots));
    for (std::size_t k = 0; k < knots.size(); ++k) {
        const std::string name = fmt::format("knot {} of the track", k + 1);
        for (const double x : {knots[k].x, knots[k].y, knots[k].z})
            checks.range("a coordinate of " + name, x, -most_kpc, most_kpc, "kpc");
        if (norm(knots[k] - galactocentric(0, 0, 0)) < least)
            checks.refuse(name + " is at the Sun", "give its distance from the Sun in kpc");
        if (k == 0) continue;
        const Vec3 chord = knots[k] - knots[k - 1];
        if (norm(chord) < least)
            checks.refuse(name + " is at the place of the one before", "leave one of them out");
        if (k == 1) continue;
        const Vec3 before = knots[k - 1] - knots[k - 2];
        if (dot(chord, before) < 0.5 * norm(chord) * norm(before))
            checks.refuse(fmt::format("the track turns by more than 60 degrees at knot {}", k),
                          "give the knots in their order along the track, and more where it turns");
    }
}

void check_track(const Checks& checks, const std::string& name, const Stream& stream) {
    for (const TrackShift& shift : track_shifts())
        checks.range(fmt::format("{}.{}", name, shift.key), stream.*shift.value, -1000, 1000,
                     "kpc");
    if (!stream.knots.empty()) check_knots(checks, stream.knots);
}

void check_stream(const Checks& checks, const std::string& name, const Stream& stream) {
    checks.range(name + ".epsilon", stream.epsilon, -largest_log_weight, largest_log_weight);
    if (stream.has_track()) check_track(checks, name, stream);
    checks.range(name + ".mu", stream.mu, -most_degrees, most_degrees, "degrees");
    checks.range(name + ".r", stream.r, 0, most_kpc, "kpc");
    checks.range(name + ".theta", stream.theta, -most_radians, most_radians, "radians");
    checks.range(name + ".phi", stream.phi, -most_radians, most_radians, "radians");
    checks.range(name + ".sigma", stream.sigma, 0, most_kpc, "kpc");
    if (stream.sigma == 0)
        checks.refuse(name + ".sigma is 0: a stream without width", "choose a width in kpc");
}

bool is_name(const std::string& text) {
    return !text.empty() && text.size() <= 40 &&
           std::isalpha(static_cast<unsigned char>(text[0])) &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// Whether a text can be the name of a column.
bool is_column(const std::string& text) {
    return text.size() <= 100 && std::ranges::all_of(text, [](unsigned char c) {
               return c >= ' ' && c != 127 && c != '"' && c != '\\' && c != ',';
           });
}

void check_columns(const Checks& checks, const Observable& one) {
    std::vector<std::string> columns{one.value, one.error};
    columns.insert(columns.end(), one.correlations.begin(), one.correlations.end());
    if (one.value.empty() || !std::ranges::all_of(columns, is_column))
        checks.refuse(fmt::format("a column of the observable {} is no name", one.name),
                      "give names of up to 100 characters without commas, quotes or backslashes");
}

void check_observables(const Checks& checks, const StreamModel& model) {
    const std::vector<std::string_view> keys = stream_keys();
    std::vector<std::string> names(keys.begin(), keys.end());
    for (const Observable& one : model.observables) {
        if (!is_name(one.name) || std::ranges::find(names, one.name) != names.end())
            checks.refuse(fmt::format("the name of observable {} cannot be used",
                                      names.size() - keys.size() + 1),
                          "give letters, digits and _, other than the keys of a stream and other "
                          "observables");
        names.push_back(one.name);
        check_columns(checks, one);
        checks.range(one.name + ".simulated.error", one.simulated_error, 0, 1e30);
        checks.range(one.name + ".simulated.growth", one.simulated_growth, 0.01, 100);
        checks.range(one.name + ".simulated.share", one.simulated_share, 0, 1);
    }
    if (model.observables.size() > most_observables)
        checks.refuse(fmt::format("it has {} observables", model.observables.size()),
                      fmt::format("give {} at most", most_observables));
    if (model.observables.empty() != model.background.populations.empty())
        checks.refuse(model.observables.empty() ? "it has [[population]] but no [[observable]]"
                                                : "it has [[observable]] but no [[population]]",
                      "describe the observables, and their distribution in the background");
}

void check_spreads(const Checks& checks, const std::string& component,
                   const std::vector<Spread>& spreads, const std::vector<Observable>& of) {
    if (spreads.size() != of.size())
        checks.refuse(fmt::format("{} has {}, not {}", component,
                                  counted(spreads.size(), "observable"), of.size()),
                      "give each observable in each component");
    for (std::size_t i = 0; i < of.size(); ++i) {
        const std::string name = component + "." + of[i].name;
        checks.finite(name + ".mean", spreads[i].mean);
        checks.finite(name + ".slope", spreads[i].slope);
        checks.finite(name + ".curvature", spreads[i].curvature);
        checks.range(name + ".dispersion", spreads[i].dispersion, 1e-9, 1e9);
    }
}

void check_spreads_of_components(const Checks& checks, const StreamModel& model) {
    const std::vector<Population>& populations = model.background.populations;
    for (std::size_t p = 0; p < populations.size(); ++p) {
        const std::string name = fmt::format("background.population{}", p + 1);
        checks.range(name + ".epsilon", populations[p].epsilon, -largest_log_weight,
                     largest_log_weight);
        if (p == 0 && populations[p].epsilon != 0)
            checks.refuse(name + ".epsilon is not 0", "give the others relative to it");
        check_spreads(checks, name, populations[p].observables, model.observables);
    }
    for (std::size_t s = 0; s < model.streams.size(); ++s)
        check_spreads(checks, fmt::format("stream{}", s + 1), model.streams[s].observables,
                      model.observables);
}

void check_cells(const Checks& checks, const std::string& name, const Cells& cells, double low,
                 double high, const char* unit) {
    checks.range(name + ".min", cells.min, low, high, unit);
    checks.range(name + ".max", cells.max, low, high, unit);
    checks.range(name + ".steps", cells.steps, 1, most_steps);
    if (!(cells.min < cells.max))
        checks.refuse(fmt::format("{} goes from {:g} to {:g}", name, cells.min, cells.max),
                      "give min below max");
}

void check_area(const Checks& checks, const std::string& name, const Area& area) {
    check_cells(checks, name + ".r", area.r, 0, 40, "magnitudes");
    check_cells(checks, name + ".mu", area.mu, -most_degrees, most_degrees, "degrees");
    check_cells(checks, name + ".nu", area.nu, -90, 90, "degrees");
    if (area.mu.max - area.mu.min > 360)
        checks.refuse(name + ".mu goes around the sky more than once", "give 360 degrees or less");
}

void check_model(const StreamModel& model) {
    const Checks checks;
    checks.range("wedge", model.wedge, 1, last_stripe);
    checks.range("convolve", model.convolve, 2, largest_convolve);
    if (model.convolve % 2 != 0)
        checks.refuse(fmt::format("convolve is {}", model.convolve), "choose an even number");
    check_background(checks, model);
    check_combination(checks, model);
    for (std::size_t s = 0; s < model.streams.size(); ++s)
        check_stream(checks, fmt::format("stream{}", s + 1), model.streams[s]);
    check_observables(checks, model);
    check_spreads_of_components(checks, model);
    if (model.areas.empty()) checks.refuse("it has no area", "describe the wedge by an area");
    for (std::size_t a = 0; a < model.areas.size(); ++a)
        check_area(checks, a == 0 ? "the wedge" : fmt::format("cut {}", a), model.areas[a]);
}

}  // namespace

std::optional<Complaint> complaint_about_track(const Stream& stream) {
    try {
        check_knots({}, stream.knots);
    } catch (const Complaint& complaint) {
        return complaint;
    }
    return std::nullopt;
}

std::optional<Complaint> complaint_about(const StreamModel& model) {
    try {
        check_model(model);
    } catch (const Complaint& complaint) {
        return complaint;
    }
    return std::nullopt;
}

void validate(const StreamModel& model, const std::string& where) {
    if (const auto complaint = complaint_about(model))
        throw Error("cannot use parameter file '" + where + "'", complaint->why,
                    complaint->what_to_do);
}

}  // namespace tessera::io
