#include "io/streams/stream_parameters.hpp"

#include <span>
#include <string_view>

#include "core/error.hpp"
#include "io/streams/stream_formats.hpp"
#include "io/streams/stream_profiles.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"

namespace tessera::io {

namespace {

/// The limit: a thousand times the size of a wedge with all its streams and cuts.
constexpr InputKind parameter_file{"parameter file",
                                   "give TOML or a MilkyWay@Home text parameter file",
                                   std::size_t{4} << 20, "give one wedge's parameters"};

/// The names of an enumeration's values, in their order.
using Names = std::span<const std::string_view>;
constexpr std::string_view models[] = {"classic", "2018"}, turnoffs[] = {"gaussian", "newby2011"},
                           profiles[] = {"hernquist", "broken-power-law", "nfw", "einasto",
                                         "continuous-broken-power-law"};

template <class Value>
Value value_named(Names names, const std::string& name, const std::string& where) {
    std::string choices;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (name == names[i]) return static_cast<Value>(i);
        choices += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        choices += names[i];
    }
    throw Error("there is no '" + one_line(name, 40) + "'", where, "choose " + choices);
}

template <class Value>
std::string name_in(Names names, Value value) {
    return std::string(names[static_cast<std::size_t>(value)]);
}

}  // namespace

std::string name_of(Model model) { return name_in(models, model); }
std::string name_of(Turnoff turnoff) { return name_in(turnoffs, turnoff); }
std::string name_of(Profile profile) { return name_in(profiles, profile); }

Model model_named(const std::string& name, const std::string& where) {
    return value_named<Model>(models, name, where);
}
Turnoff turnoff_named(const std::string& name, const std::string& where) {
    return value_named<Turnoff>(turnoffs, name, where);
}
Profile profile_named(const std::string& name, const std::string& where) {
    return value_named<Profile>(profiles, name, where);
}

StreamModel parse_stream_parameters(const TextSource& source, const ModelChoices& choices) {
    StreamModel model = is_text_parameters(source) ? parse_text_parameters(source, choices)
                                                   : parse_toml_parameters(source, choices);
    if (model.model == Model::model2018 && own_numbers(model.background.profile).empty())
        model.background.r0 = radius_2018;
    validate(model, source.path);
    return model;
}

StreamModel read_stream_parameters(const std::string& path, const ModelChoices& choices) {
    StreamModel model = parse_stream_parameters(read_parameter_text(path), choices);
    load_files(model);
    return model;
}

namespace {

void load_selection(StreamModel& model) {
    SelectionSource& source = model.selection_source;
    model.selection = read_selection(source);
    for (const std::string& key : unused_keys(source, *model.selection))
        model.warnings.push_back("'" + key + "' in [selection] changes nothing: '" +
                                 one_line(source.file) + "' is a table of bins, not a map");
}

}  // namespace

void load_files(StreamModel& model) {
    if (!model.selection_source.file.empty()) load_selection(model);
    for (Stream& stream : model.streams) load_track(stream);
}

TextSource read_parameter_text(const std::string& path) {
    return read_text_file(path, parameter_file);
}

}  // namespace tessera::io
