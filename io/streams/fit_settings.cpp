#include "io/streams/fit_settings.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "io/streams/shared_table.hpp"
#include "io/streams/stream_formats.hpp"
#include "io/text/counted.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "io/text/toml.hpp"

namespace tessera::io {

namespace {

constexpr std::array<std::string_view, 11> keys{"method", "start",      "population", "generations",
                                                "starts", "variations", "seed",       "tolerance",
                                                "free",   "bounds",     "shared"};

/// The table [fit] of a TOML file.
class FitTable {
  public:
    FitTable(const TextSource& source, const toml::table& table) : source_(source), table_(table) {
        for (const auto& [key, node] : table)
            if (std::ranges::find(keys, key.str()) == keys.end())
                refuse(node, fmt::format("unknown key '{}' in fit", one_line(key.str(), 40)),
                       fmt::format("did you mean '{}'?", nearest_word(key.str(), keys)));
    }

    void word(std::string_view key, std::string& value) const {
        const toml::node* node = table_.get(key);
        if (!node) return;
        if (!node->is_string()) wrong(*node, key, "a word in quotes");
        value = node->value<std::string>().value_or("");
    }
    void real(std::string_view key, double& value) const {
        if (const toml::node* node = table_.get(key)) value = number(*node, key);
    }
    template <class Integer>
    void integer(std::string_view key, Integer& value) const {
        const toml::node* node = table_.get(key);
        if (!node) return;
        const auto found = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
        if (!found || *found < 0 || !std::in_range<Integer>(*found))
            wrong(*node, key, "a whole number from 0");
        value = static_cast<Integer>(*found);
    }
    void words(std::string_view key, std::vector<std::string>& values) const {
        const toml::node* node = table_.get(key);
        if (!node) return;
        if (!node->is_array()) wrong(*node, key, "a list of words");
        for (const toml::node& one : *node->as_array()) {
            if (!one.is_string()) wrong(one, key, "a list of words");
            const std::string word = one.value<std::string>().value_or("");
            if (std::ranges::find(values, word) != values.end())
                refuse(one, fmt::format("'{}' in fit names {} twice", key, one_line(word, 40)),
                       "name it once");
            values.push_back(word);
        }
        if (values.empty())
            throw Error("nothing to fit",
                        fmt::format("'{}' in fit is empty, '{}'", key, place(*node)),
                        "name parameters in it, or leave it out for the default ones");
    }
    void bounds(std::string_view key, std::vector<ParameterBounds>& bounds) const {
        const toml::node* node = table_.get(key);
        if (!node) return;
        if (!node->is_table()) wrong(*node, key, "a table");
        for (const auto& [name, one] : *node->as_table()) {
            const toml::array* pair = one.as_array();
            if (!pair || pair->size() != 2)
                wrong(one, name.str(), "two numbers, [lower, upper] (write \"name\" in quotes)");
            const toml::node &lower = *pair->get(0), &upper = *pair->get(1);
            bounds.push_back({std::string(name.str()), number(lower, name.str()),
                              number(upper, name.str()), place(lower), place(upper)});
        }
    }

  private:
    double number(const toml::node& node, std::string_view key) const {
        const auto value = node.is_number() ? node.value<double>() : std::nullopt;
        if (!value || !std::isfinite(*value)) wrong(node, key, "a finite number");
        return *value;
    }
    [[noreturn]] void refuse(const toml::node& node, const std::string& why,
                             const std::string& what_to_do) const {
        throw Error(fmt::format("cannot read {} '{}'", source_.noun, place(node)), why, what_to_do);
    }
    std::string place(const toml::node& node) const {
        return fmt::format("{}:{}", source_.path,
                           std::max<std::size_t>(node.source().begin.line, 1));
    }
    [[noreturn]] void wrong(const toml::node& node, std::string_view key,
                            const char* wanted) const {
        refuse(node, fmt::format("'{}' in fit is not {}", one_line(key, 40), wanted), "correct it");
    }

    const TextSource& source_;
    const toml::table& table_;
};

FitSettings read_fit_table(const TextSource& source) {
    const toml::table document = parse_toml(source, "correct it");
    FitSettings settings;
    const toml::node* node = document.get("fit");
    if (!node) return settings;
    if (!node->is_table())
        throw Error(fmt::format("cannot read {} '{}'", source.noun, source.path),
                    "'fit' is not a table", "write [fit]");
    const FitTable table(source, *node->as_table());
    table.word("method", settings.method);
    table.word("start", settings.start);
    table.integer("population", settings.population);
    table.integer("generations", settings.generations);
    table.integer("starts", settings.starts);
    table.integer("variations", settings.variations);
    table.integer("seed", settings.seed);
    table.real("tolerance", settings.tolerance);
    table.words("free", settings.free);
    table.bounds("bounds", settings.bounds);
    if (const toml::node* shared = node->as_table()->get("shared"))
        settings.shared = read_shared(source, *shared);
    return settings;
}

/// The bounds and flags of a text file, which lists one object (the background or a stream) after
/// another.
class TextBounds {
  public:
    explicit TextBounds(const TextSource& source) : source_(source) {}

    FitSettings read() {
        TextScanner scanner(source_);
        for (int line = 1; !scanner.at_end(); ++line) {
            place_ = fmt::format("{}:{}", source_.path, line);
            take(scanner.rest_of_line());
        }
        // A file without any flags is damaged. Reading its model gives a better message.
        if (flags_seen_ && settings_.free.empty())
            throw Error("nothing to fit",
                        fmt::format("no optimize flag of '{}' is 1", one_line(source_.path)),
                        "set the flags of the parameters to fit to 1");
        return std::move(settings_);
    }

  private:
    static constexpr std::string_view weight[1] = {"epsilon"};
    static constexpr std::string_view background[4] = {"alpha", "q", "r0", "delta"};
    static constexpr std::string_view stream[5] = {"mu", "r", "theta", "phi", "sigma"};

    void take(std::string_view line) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) return;
        const std::string_view name = line.substr(0, line.find_first_of("[: "));
        const auto values = numbers(line.substr(colon + 1));
        if (name == "background_weight_step") later_ = true;
        if (name == "stream_weight") object_ = fmt::format("stream{}", ++streams_);
        const bool of_stream = streams_ > 0;
        const std::span<const std::string_view> fields =
            of_stream ? std::span<const std::string_view>(stream) : background;
        if (name == "background_weight_min" || name == "stream_weight_min" ||
            name == "background_min" || name == "stream_min")
            lower_ = values, lower_place_ = place_;
        else if (name == "background_weight_max" || name == "stream_weight_max")
            bound(weight, values);
        else if (name == "background_max" || name == "stream_max")
            bound(fields, values);
        else if (name == "optimize_background_weight" || name == "optimize_weight")
            free(weight, values);
        else if (name == "optimize_parameter")
            free(fields, values);
    }

    std::vector<double> numbers(std::string_view text) const {
        std::vector<double> found;
        while (!text.empty()) {
            const std::size_t comma = std::min(text.find(','), text.size());
            TextScanner scanner(source_, text.substr(0, comma));
            double value = 0;
            if (!scanner.number(value) || !scanner.line_is_over()) return {};
            found.push_back(value);
            text.remove_prefix(std::min(comma + 1, text.size()));
        }
        return found;
    }

    void bound(std::span<const std::string_view> fields, const std::vector<double>& upper) {
        if (lower_.size() != fields.size() || upper.size() != fields.size())
            throw Error(fmt::format("cannot read {} '{}'", source_.noun, place_),
                        fmt::format("the bounds of {} are not {} each", object_,
                                    counted(fields.size(), "number")),
                        "correct the lines ..._min and ..._max");
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const double turn = fields[i] == "mu"                            ? 360
                                : fields[i] == "theta" || fields[i] == "phi" ? 6.28
                                                                             : HUGE_VAL;
            if (upper[i] - lower_[i] < turn && has_effect(fields[i]))
                settings_.bounds.push_back(
                    {name_of(fields[i]), lower_[i], upper[i], lower_place_, place_});
        }
        lower_.clear();
    }

    void free(std::span<const std::string_view> fields, const std::vector<double>& flags) {
        flags_seen_ = true;
        if (flags.size() != fields.size())
            throw Error(fmt::format("cannot read {} '{}'", source_.noun, place_),
                        fmt::format("the flag{} of {} {} not {} number{}",
                                    fields.size() > 1 ? "s" : "", object_,
                                    fields.size() > 1 ? "are" : "is", fields.size(),
                                    fields.size() > 1 ? "s" : ""),
                        "give each parameter 0 or 1");
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (flags[i] == 1 && has_effect(fields[i]))
                settings_.free.push_back(name_of(fields[i]));
    }

    /// The 2018 model fixes the radius of its background.
    bool has_effect(std::string_view field) const { return !(later_ && field == "r0"); }
    std::string name_of(std::string_view field) const {
        return fmt::format("{}.{}", object_, field);
    }

    const TextSource& source_;
    FitSettings settings_;
    std::string object_ = "background";
    std::string place_, lower_place_;  ///< of the current line and of the last minima
    std::vector<double> lower_;
    int streams_ = 0;
    bool later_ = false, flags_seen_ = false;
};

}  // namespace

FitSettings parse_fit_settings(const TextSource& source) {
    const FitSettings settings =
        is_text_parameters(source) ? TextBounds(source).read() : read_fit_table(source);
    validate(settings, source.path);
    return settings;
}

void validate(const FitSettings& settings, const std::string& where) {
    const auto refuse_at = [](const std::string& place, const std::string& why,
                              const std::string& what_to_do) {
        throw Error("cannot use the fit settings of '" + one_line(place) + "'", why, what_to_do);
    };
    const auto refuse = [&](const std::string& why, const std::string& what_to_do) {
        refuse_at(where, why, what_to_do);
    };
    constexpr std::string_view methods[] = {"differential-evolution", "particle-swarm", "newton",
                                            "quasi-newton"};
    if (std::ranges::find(methods, settings.method) == std::end(methods))
        refuse("there is no method '" + one_line(settings.method, 40) + "'",
               "choose differential-evolution, particle-swarm, quasi-newton or newton");
    if (settings.start != "random" && settings.start != "file")
        refuse("there is no start '" + one_line(settings.start, 40) + "'", "choose random or file");
    if (settings.bootstrap != 0 && (settings.bootstrap < 2 || settings.bootstrap > 100'000))
        refuse(fmt::format("the number of bootstrap sets is {}", settings.bootstrap),
               "choose between 2 and 100000, or 0 for none");
    if (settings.asynchronous && settings.method == "quasi-newton")
        refuse(
            "an asynchronous search needs a population, and quasi-newton has none",
            "choose differential-evolution, particle-swarm or newton, or leave --asynchronous out");
    if (!(settings.verify >= 0 && settings.verify <= 1))
        refuse(fmt::format("the share to verify is {:g}", settings.verify),
               "choose between 0 and 1");
    if (settings.population != 0 && (settings.population < 4 || settings.population > 1'000'000))
        refuse(fmt::format("the population is {}", settings.population),
               "choose between 4 and 1000000, or 0 for the default");
    if (settings.generations < 0 || settings.generations > 1'000'000)
        refuse(fmt::format("there are {} generations", settings.generations),
               "choose between 1 and 1000000, or 0 for the default");
    if (settings.starts < 1 || settings.starts > 10'000)
        refuse(fmt::format("there are {} starts", settings.starts), "choose between 1 and 10000");
    if (settings.variations < 0 || settings.variations > 10'000)
        refuse(fmt::format("there are {} variations", settings.variations),
               "choose between 0 and 10000");
    if (!(settings.tolerance >= 0 && settings.tolerance < HUGE_VAL))
        refuse(fmt::format("the tolerance is {:g}", settings.tolerance), "choose 0 or more");
    for (const ParameterBounds& one : settings.bounds)
        if (!(one.lower < one.upper))
            refuse_at(one.lower_place.empty() ? where : one.lower_place,
                      fmt::format("the bounds of {} are {:g} and {:g}", one_line(one.name, 40),
                                  one.lower, one.upper),
                      "give the lower bound first");
    validate(settings.shared, where);
}

}  // namespace tessera::io
