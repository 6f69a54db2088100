#include "likelihood/fit/fit_config.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "io/text/option_file.hpp"

namespace tessera::likelihood {

namespace {

class ConfigLines {
  public:
    void list(const char* name, std::vector<std::string> values) {
        if (!values.empty()) text += io::option_line({name, std::move(values)}, /*is_list=*/true);
    }
    template <class Value>
    void one(const char* name, const Value& value) {
        text += io::option_line({name, {fmt::format("{}", value)}}, /*is_list=*/false);
    }
    template <class Value>
    void one(const char* name, const std::optional<Value>& value) {
        if (value) one(name, *value);
    }
    template <class Value>
    void name_if_given(const char* name, const std::optional<Value>& value) {
        if (value) one(name, name_of(*value));
    }
    void flag(const char* name, bool on) {
        io::FileOption option;
        option.name = name;
        option.is_switch = true;
        option.on = on;
        text += io::option_line(option, false);
    }

    std::string text = "# tessera fit, all options of a run\n";
};

}  // namespace

std::string config_of(const LikelihoodInput& input, const FitChoices& choices) {
    ConfigLines lines;
    lines.list("parameters", input.parameters);
    lines.list("stars", input.stars);
    lines.one("method", choices.method);
    lines.one("start", choices.start);
    lines.one("population", choices.population);
    lines.one("generations", choices.generations);
    lines.one("starts", choices.starts);
    lines.one("variations", choices.variations);
    lines.one("seed", choices.seed);
    lines.one("search-tolerance", choices.search_tolerance);
    lines.list("free", choices.free);
    lines.list("fix", choices.fix);
    lines.list("share", choices.share);
    lines.list("profile", choices.profile);
    if (choices.bootstrap > 0) lines.one("bootstrap", choices.bootstrap);
    lines.flag("memberships", input.memberships);
    lines.flag("allow-stars-outside", input.allow_stars_outside);
    lines.flag("allow-empty-streams", input.evaluation.allow_empty_streams);
    lines.one("integration", name_of(input.integration));
    lines.one("quadrature", name_of(input.evaluation.quadrature));
    lines.one("tolerance", input.evaluation.tolerance);
    lines.one("precision", name_of(input.evaluation.precision));
    lines.name_if_given("model", input.choices.model);
    lines.name_if_given("turnoff", input.choices.turnoff);
    lines.name_if_given("background-profile", input.choices.profile);
    return lines.text;
}

}  // namespace tessera::likelihood
