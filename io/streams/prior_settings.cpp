#include "io/streams/prior_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/error.hpp"
#include "io/streams/stream_formats.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "io/text/toml.hpp"

namespace tessera::io {

namespace {

constexpr std::array<std::string_view, 4> distributions{"uniform", "log-uniform", "normal",
                                                        "truncated-normal"};

bool has_bounds(Distribution one) { return one != Distribution::normal; }
bool has_mean(Distribution one) {
    return one == Distribution::normal || one == Distribution::truncated_normal;
}

/// The keys of a prior besides `distribution`.
std::vector<std::string_view> keys_of(Distribution one) {
    std::vector<std::string_view> keys;
    if (has_mean(one)) keys = {"mean", "sd"};
    if (has_bounds(one)) keys.insert(keys.end(), {"lower", "upper"});
    return keys;
}

/// One entry of the table [prior].
class PriorEntry {
  public:
    PriorEntry(const TextSource& source, std::string_view name, const toml::node& node)
        : source_(source), name_(name), node_(node) {}

    PriorSetting read() const {
        if (!node_.is_table())
            refuse(node_, "it is not a table",
                   "write { distribution = \"normal\", mean = 1, sd = 0.1 }");
        PriorSetting prior;
        prior.name = name_;
        prior.place = place(node_);
        prior.distribution = distribution();
        check_keys(prior.distribution);
        if (has_mean(prior.distribution)) {
            prior.mean = number("mean");
            prior.sd = number("sd");
            if (!(prior.sd > 0)) refuse(node_, "its sd is not above 0", "correct it");
        }
        if (!has_bounds(prior.distribution)) return prior;
        prior.lower = number("lower");
        prior.upper = number("upper");
        if (!(prior.lower < prior.upper))
            refuse(node_, "its lower bound is not below its upper one", "correct them");
        if (prior.distribution == Distribution::log_uniform && !(prior.lower > 0))
            refuse(node_, "a log-uniform prior reaches down to 0", "give a lower bound above 0");
        return prior;
    }

  private:
    const toml::table& table() const { return *node_.as_table(); }

    Distribution distribution() const {
        const toml::node* node = table().get("distribution");
        if (!node)
            refuse(node_, "it has no 'distribution'",
                   "choose uniform, log-uniform, normal or truncated-normal");
        const std::string word = node->value<std::string>().value_or("");
        const auto found = std::ranges::find(distributions, word);
        if (!node->is_string() || found == distributions.end())
            refuse(*node, fmt::format("there is no distribution '{}'", one_line(word, 40)),
                   fmt::format("did you mean '{}'?", nearest_word(word, distributions)));
        return static_cast<Distribution>(found - distributions.begin());
    }

    void check_keys(Distribution distribution) const {
        const auto keys = keys_of(distribution);
        for (const auto& [key, node] : table())
            if (key.str() != "distribution" && std::ranges::find(keys, key.str()) == keys.end())
                refuse(node,
                       fmt::format("a {} prior has no '{}'", name_of(distribution),
                                   one_line(key.str(), 40)),
                       fmt::format("give {}", fmt::join(keys, ", ")));
    }

    double number(std::string_view key) const {
        const toml::node* node = table().get(key);
        if (!node) refuse(node_, fmt::format("it has no '{}'", key), "add it");
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        if (!value || !std::isfinite(*value))
            refuse(*node, fmt::format("'{}' is not a finite number", key), "correct it");
        return *value;
    }

    std::string place(const toml::node& node) const {
        return fmt::format("{}:{}", source_.path,
                           std::max<std::size_t>(node.source().begin.line, 1));
    }

    [[noreturn]] void refuse(const toml::node& node, const std::string& why,
                             const std::string& what_to_do) const {
        throw Error(
            fmt::format("cannot use the prior of {} in '{}'", one_line(name_, 40), place(node)),
            why, what_to_do);
    }

    const TextSource& source_;
    std::string name_;
    const toml::node& node_;
};

}  // namespace

std::string name_of(Distribution distribution) {
    return std::string(distributions[static_cast<std::size_t>(distribution)]);
}

std::vector<PriorSetting> parse_priors(const TextSource& source) {
    std::vector<PriorSetting> priors;
    if (is_text_parameters(source)) return priors;
    const toml::table document = parse_toml(source, "correct it");
    const toml::node* node = document.get("prior");
    if (!node) return priors;
    if (!node->is_table())
        throw Error(fmt::format("cannot read {} '{}'", source.noun, source.path),
                    "'prior' is not a table", "write [prior]");
    for (const auto& [name, one] : *node->as_table())
        priors.push_back(PriorEntry(source, name.str(), one).read());
    return priors;
}

}  // namespace tessera::io
