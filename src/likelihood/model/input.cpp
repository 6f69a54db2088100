#include "likelihood/model/input.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/files/sha256.hpp"
#include "io/streams/star_file.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/text/counted.hpp"
#include "likelihood/model/selected_areas.hpp"
#include "likelihood/model/star_checks.hpp"
#include "likelihood/model/thin_streams.hpp"

namespace tessera::likelihood {

namespace {

using kernels::Precision;
using Json = nlohmann::ordered_json;

Json json_of(const io::Background& b) {
    Json json{{"profile", io::name_of(b.profile)},
              {"epsilon", b.epsilon},
              {"q", b.q},
              {"r0", b.r0},
              {"alpha", b.alpha},
              {"delta", b.delta},
              {"a", b.a},
              {"b", b.b},
              {"c", b.c}};
    // Only those of the model, so that results of versions without them can be run again.
    for (const io::ProfileNumber* number : io::further_numbers(b))
        json[std::string(number->key)] = b.*number->value;
    return json;
}

Json json_of(const std::vector<io::Spread>& spreads) {
    Json json = Json::array();
    for (const io::Spread& s : spreads)
        json.push_back({{"mean", s.mean},
                        {"slope", s.slope},
                        {"curvature", s.curvature},
                        {"dispersion", s.dispersion}});
    return json;
}

Json json_of(const io::Stream& s) {
    Json json{{"epsilon", s.epsilon}, {"mu", s.mu},   {"r", s.r},
              {"theta", s.theta},     {"phi", s.phi}, {"sigma", s.sigma}};
    if (!s.observables.empty()) json["observables"] = json_of(s.observables);
    if (!s.has_track()) return json;
    for (const char* unused : {"mu", "r", "theta", "phi"}) json.erase(unused);
    for (const io::TrackShift& shift : io::track_shifts())
        json[std::string(shift.key)] = s.*shift.value;
    for (const Vec3& knot : s.knots) json["track"].push_back({knot.x, knot.y, knot.z});
    return json;
}

Json json_of(const io::Observable& one) {
    return {{"name", one.name},
            {"value", one.value},
            {"error", one.error},
            {"correlations", one.correlations},
            {"simulated_error", one.simulated_error},
            {"simulated_growth", one.simulated_growth},
            {"simulated_share", one.simulated_share}};
}

Json json_of(const io::SelectionSource& source) {
    return {{"file", source.file},         {"coordinates", source.coordinates},
            {"ordering", source.ordering}, {"nside", source.nside},
            {"column", source.column},     {"sha256", source.sha256}};
}

Json json_of(const io::Cells& cells) {
    return {{"min", cells.min}, {"max", cells.max}, {"steps", cells.steps}};
}

Json json_of(const StreamModel& model) {
    Json json{{"wedge", model.wedge},
              {"convolve", model.convolve},
              {"model", io::name_of(model.model)},
              {"turnoff", io::name_of(model.turnoff)},
              {"background", json_of(model.background)},
              {"stream", Json::array()},
              {"area", Json::array()}};
    // Left out without observables, so that results of versions without them can be run again.
    for (const io::Observable& one : model.observables) json["observable"].push_back(json_of(one));
    for (const io::Population& one : model.background.populations)
        json["population"].push_back(
            {{"epsilon", one.epsilon}, {"observables", json_of(one.observables)}});
    if (!model.selection_source.file.empty()) json["selection"] = json_of(model.selection_source);
    for (const io::Stream& stream : model.streams) json["stream"].push_back(json_of(stream));
    for (const io::Area& area : model.areas)
        json["area"].push_back(
            {{"r", json_of(area.r)}, {"mu", json_of(area.mu)}, {"nu", json_of(area.nu)}});
    return json;
}

/// Number of points that the exact integration sums.
double points_of(const StreamModel& model) {
    double points = 0;
    for (const io::Area& area : model.areas)
        points += static_cast<double>(area.r.steps) * area.mu.steps * area.nu.steps;
    return points * model.convolve;
}

/// Production wedges have 2e10 points. A GPU sums some 1e11 points per second.
constexpr double most_points = 1e15;

}  // namespace

void validate(const LikelihoodInput& input) {
    if (input.parameters.size() != input.stars.size())
        throw Error(fmt::format("{} and {}", io::counted(input.parameters.size(), "parameter file"),
                                io::counted(input.stars.size(), "star file")),
                    "each wedge needs one of each",
                    "give one --stars file for each parameter file, in the same order");
    const double tolerance = input.evaluation.tolerance;
    if (!(tolerance >= 1e-14 && tolerance <= 0.1))
        throw Error(fmt::format("--tolerance {:g} is out of range", tolerance),
                    "it is a relative error", "choose a number from 1e-14 to 0.1");
    if (input.integration == Integration::compressed &&
        input.evaluation.precision != Precision::double_precision)
        throw Error("--precision " + name_of(input.evaluation.precision) +
                        " needs --integration exact",
                    "the compressed integration is in double precision",
                    "add --integration exact, or leave --precision out");
}

std::vector<WedgeInput> read_wedges(const LikelihoodInput& input) {
    std::vector<WedgeInput> wedges;
    for (std::size_t w = 0; w < input.parameters.size(); ++w) {
        WedgeInput& wedge = wedges.emplace_back();
        wedge.model_text = io::read_parameter_text(input.parameters[w]);
        wedge.model = io::parse_stream_parameters(wedge.model_text, input.choices);
        io::load_files(wedge.model);
        const io::TextSource stars = io::read_star_text(input.stars[w]);
        wedge.stars = io::parse_stars(stars, wedge.model.observables);
        wedge.stars_sha256 = stars.sha256;
        require_usable(input, wedge, w);
    }
    return wedges;
}

void require_usable(const LikelihoodInput& input, const WedgeInput& wedge, std::size_t w) {
    if (!input.allow_stars_outside) require_stars_inside(wedge.model, wedge.stars, input.stars[w]);
    require_selected(wedge.model, wedge.stars, input.stars[w]);
    const double points = points_of(wedge.model);
    if (input.integration == Integration::exact && points > most_points)
        throw Error(fmt::format("'{}' has {:.1e} points", input.parameters[w], points),
                    "the exact integration would take days or years",
                    "use --integration compressed, or fewer steps");
}

std::vector<std::string> warnings_of(const LikelihoodInput& input,
                                     const std::vector<WedgeInput>& wedges) {
    std::vector<std::string> lines;
    for (std::size_t w = 0; w < wedges.size(); ++w) {
        for (const std::string& warning : wedges[w].model.warnings)
            lines.push_back("warning: " + warning);
        for (std::string& warning : star_warnings(wedges[w].model, wedges[w].stars, input.stars[w]))
            lines.push_back(std::move(warning));
        for (std::string& warning : thin_stream_warnings(wedges[w].model, input.parameters[w]))
            lines.push_back(std::move(warning));
    }
    return lines;
}

std::string name_of(Integration integration) {
    return integration == Integration::exact ? "exact" : "compressed";
}

std::string name_of(kernels::Precision precision) {
    switch (precision) {
        case Precision::double_precision: return "double";
        case Precision::single_compensated: return "single-compensated";
        default: return "single";
    }
}

std::string name_of(Quadrature quadrature) {
    return quadrature == Quadrature::milkyway ? "milkyway" : "gauss";
}

std::string to_json(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges) {
    Json json{{"integration", name_of(input.integration)},
              {"quadrature", name_of(input.evaluation.quadrature)},
              {"tolerance", input.evaluation.tolerance},
              {"precision", name_of(input.evaluation.precision)},
              {"allow_stars_outside", input.allow_stars_outside}};
    // Left out by default, so that results of versions without them can be run again.
    if (input.evaluation.allow_empty_streams) json["allow_empty_streams"] = true;
    if (input.memberships) json["memberships"] = true;
    json["wedges"] = Json::array();
    for (std::size_t w = 0; w < wedges.size(); ++w)
        json["wedges"].push_back({{"parameters", input.parameters[w]},
                                  {"stars", input.stars[w]},
                                  {"number_of_stars", wedges[w].stars.size()},
                                  {"model", json_of(wedges[w].model)}});
    // A file name may hold any byte. Bytes that are not UTF-8 are replaced.
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string hash_of(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges) {
    std::string text = to_json(input, wedges);
    for (const WedgeInput& wedge : wedges) text += wedge.model_text.sha256;
    for (const WedgeInput& wedge : wedges) text += wedge.stars_sha256;
    return io::sha256_of(text);
}

}  // namespace tessera::likelihood
