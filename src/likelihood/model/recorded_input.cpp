#include "likelihood/model/recorded_input.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/text/one_line.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::json;

io::Background background_of(const Json& json, const std::string& where) {
    io::Background b;
    b.profile = io::profile_named(json.at("profile").get<std::string>(), where);
    b.epsilon = json.at("epsilon").get<double>();
    b.q = json.at("q").get<double>();
    b.r0 = json.at("r0").get<double>();
    b.alpha = json.at("alpha").get<double>();
    b.delta = json.at("delta").get<double>();
    b.a = json.at("a").get<double>();
    b.b = json.at("b").get<double>();
    b.c = json.at("c").get<double>();
    for (const io::NumberGroup& group : io::number_groups())
        b.*group.given = json.contains(std::string(group.numbers.front().key));
    for (const io::ProfileNumber* number : io::further_numbers(b))
        b.*number->value = json.at(std::string(number->key)).get<double>();
    return b;
}

io::Cells cells_of(const Json& json) {
    return {json.at("min").get<double>(), json.at("max").get<double>(),
            json.at("steps").get<int>()};
}

std::vector<io::Spread> spreads_of(const Json& json) {
    std::vector<io::Spread> spreads;
    for (const Json& one : json)
        spreads.push_back({one.at("mean").get<double>(), one.at("slope").get<double>(),
                           one.at("curvature").get<double>(), one.at("dispersion").get<double>()});
    return spreads;
}

/// The observables and their distributions in the background, if there are any.
void read_observables(const Json& json, io::StreamModel& model) {
    for (const Json& one : json.value("observable", Json::array()))
        model.observables.push_back(
            {one.at("name").get<std::string>(), one.at("value").get<std::string>(),
             one.at("error").get<std::string>(),
             one.at("correlations").get<std::vector<std::string>>(),
             one.at("simulated_error").get<double>(), one.at("simulated_growth").get<double>(),
             one.at("simulated_share").get<double>()});
    for (const Json& one : json.value("population", Json::array()))
        model.background.populations.push_back(
            {one.at("epsilon").get<double>(), spreads_of(one.at("observables"))});
}

io::Stream stream_of(const Json& json) {
    io::Stream stream;
    json.at("epsilon").get_to(stream.epsilon);
    json.at("sigma").get_to(stream.sigma);
    stream.observables = spreads_of(json.value("observables", Json::array()));
    if (json.contains("track")) {
        for (const io::TrackShift& shift : io::track_shifts())
            json.at(std::string(shift.key)).get_to(stream.*shift.value);
        for (const Json& knot : json.at("track"))
            stream.knots.push_back(
                {knot.at(0).get<double>(), knot.at(1).get<double>(), knot.at(2).get<double>()});
        return stream;
    }
    json.at("mu").get_to(stream.mu);
    json.at("r").get_to(stream.r);
    json.at("theta").get_to(stream.theta);
    json.at("phi").get_to(stream.phi);
    return stream;
}

io::StreamModel model_of(const Json& json, const std::string& where) {
    io::StreamModel model;
    model.wedge = json.at("wedge").get<int>();
    model.convolve = json.at("convolve").get<int>();
    model.model = io::model_named(json.at("model").get<std::string>(), where);
    model.turnoff = io::turnoff_named(json.at("turnoff").get<std::string>(), where);
    model.background = background_of(json.at("background"), where);
    read_observables(json, model);
    for (const Json& stream : json.at("stream")) model.streams.push_back(stream_of(stream));
    if (json.contains("selection")) {
        const Json& from = json.at("selection");
        io::SelectionSource& source = model.selection_source;
        from.at("file").get_to(source.file);
        from.at("coordinates").get_to(source.coordinates);
        from.at("ordering").get_to(source.ordering);
        from.at("nside").get_to(source.nside);
        from.at("column").get_to(source.column);
        from.at("sha256").get_to(source.sha256);
    }
    for (const Json& area : json.at("area"))
        model.areas.push_back(
            {cells_of(area.at("r")), cells_of(area.at("mu")), cells_of(area.at("nu"))});
    return model;
}

}  // namespace

RecordedInput recorded_input(const std::string& text, const std::string& file) {
    try {
        const Json json = Json::parse(text);
        RecordedInput input;
        for (const Json& wedge : json.at("wedges")) {
            const io::StreamModel& model =
                input.models.emplace_back(model_of(wedge.at("model"), "'" + file + "'"));
            if (model.areas.empty())
                throw Error("cannot use '" + file + "'", "its attribute /run/input has no wedge",
                            "give an unchanged result");
            io::validate(model, file);
            input.stars.push_back(wedge.at("stars").get<std::string>());
        }
        json.at("integration").get_to(input.integration);
        json.at("quadrature").get_to(input.quadrature);
        json.at("precision").get_to(input.precision);
        json.at("tolerance").get_to(input.tolerance);
        json.at("allow_stars_outside").get_to(input.allow_stars_outside);
        input.allow_empty_streams = json.value("allow_empty_streams", false);
        return input;
    } catch (const nlohmann::json::exception& error) {
        throw Error("cannot use '" + file + "'",
                    "its attribute /run/input does not say how it was made: " +
                        io::one_line(error.what(), 120),
                    "give an unchanged result of this version");
    }
}

}  // namespace tessera::likelihood
