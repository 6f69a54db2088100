#include "docking/setup/call_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "docking/setup/dock_choices.hpp"
#include "docking/setup/option_list.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "io/text/option_file.hpp"

namespace tessera::docking {

namespace {

using Json = nlohmann::ordered_json;

/// Whether the value can be stored without loss. The JSON library would cut 2.5 to 2.
template <class Value>
bool fits(const Json& json) {
    if constexpr (std::is_integral_v<Value>)
        return json.is_number_unsigned()
                   ? std::in_range<Value>(json.get<std::uint64_t>())
                   : json.is_number_integer() && std::in_range<Value>(json.get<std::int64_t>());
    else if constexpr (std::is_floating_point_v<Value>)
        return json.is_number();
    else if constexpr (std::is_same_v<Value, std::string>)
        return json.is_string();
    else
        return json.is_array() &&
               std::ranges::all_of(json, [](const Json& one) { return one.is_string(); });
}

/// The options that a caller gives, of which each is taken once.
class GivenOptions {
  public:
    explicit GivenOptions(Json json) : json_(std::move(json)) {}

    bool has(const char* key) const { return json_.contains(key); }
    Json& operator[](const char* key) { return json_[key]; }

    /// Moves an option to `value`.
    template <class Value>
    void take(const char* key, Value& value) {
        known_.emplace_back(key);
        const auto found = json_.find(key);
        if (found == json_.end()) return;
        if (!fits<Value>(*found))
            throw Error(std::string("the option ") + key + " is " + io::one_line(found->dump(), 60),
                        "such a value does not fit it", "see tessera dock --help");
        found->get_to(value);
        json_.erase(found);
    }

    template <class Value>
    void take(const char* key, std::optional<Value>& value) {
        known_.emplace_back(key);
        if (json_.contains(key)) take(key, value.emplace());
    }

    /// Throws Error for an option that nobody took, with the nearest one.
    void expect_none() const {
        if (json_.empty()) return;
        const std::string name = json_.begin().key();
        const std::string_view nearest = io::nearest_word(name, known_);
        const bool near = io::edit_distance(name, nearest) <= 2;
        throw Error("there is no option '" + io::one_line(name, 60) + "'",
                    near ? "did you mean '" + std::string(nearest) + "'?"
                         : "the options are those of the command, with _ for -",
                    "see tessera dock --help");
    }

  private:
    Json json_;
    std::vector<std::string_view> known_;
};

/// Options that only have a name in JSON.
constexpr std::array<std::string_view, 2> no_options{"cluster_interface_cutoff",
                                                     "cluster_minimum_size"};

bool is_option(std::string_view key) {
    return std::ranges::find(no_options, key) == no_options.end();
}

/// The lines of options with these values.
class ConfigLines {
  public:
    template <class Value>
    void operator()(std::string_view key, const Value& value) {
        if constexpr (!std::is_same_v<Value, std::vector<CoefficientSet>>)
            if (is_option(key)) add(key, value);
    }
    const std::string& text() const { return text_; }

  private:
    void add(std::string_view key, const std::vector<std::string>& values) {
        put(key, values, /*is_list=*/true);
    }
    void add(std::string_view key, const std::string& value) {
        if (!value.empty()) put(key, {value}, false);
    }
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void add(std::string_view key, Number value) { put(key, {fmt::format("{}", value)}, false); }
    void put(std::string_view key, std::vector<std::string> values, bool is_list) {
        std::string name(key);
        std::ranges::replace(name, '_', '-');
        if (!values.empty()) text_ += io::option_line({name, std::move(values)}, is_list);
    }

    std::string text_ = "# tessera dock, all options of a run\n";
};

}  // namespace

DockInput input_of_options(const std::string& text) {
    GivenOptions given(Json::parse(text));
    DockInput input;
    DockChoices choices;
    std::string symmetry;
    given.take("coefficients", choices.coefficients);
    given.take("repulsion", choices.repulsion);
    given.take("rim", choices.rim);
    given.take("buried_ligand_weight", choices.buried_ligand_weight);
    given.take("refine", choices.refine);
    given.take("antibody", input.antibody);
    if (given.has("plddt") && given["plddt"].is_number()) given["plddt"] = given["plddt"].dump();
    given.take("plddt", input.plddt);
    given.take("keep", input.keep);
    given.take("drop", input.drop);
    given.take("repack", input.consensus.repack);
    given.take("symmetry", symmetry);
    given.take("axes", input.symmetry.axes);
    given.take("rings", input.symmetry.rings);
    const auto take = [&](const char* key, auto& value) { given.take(key, value); };
    for_each_restraint_option(input, take);
    if (given.has("restraints_weight"))
        take("restraints_weight", input.restraints.weight.emplace());
    take("restraints_pull", input.restraints.pull);
    take("restraints_closeness", input.restraints.closeness);
    for_each_membrane_option(input, take);
    for_each_ensemble_option(input, take);
    take("receptor_text", input.receptor_text);
    take("ligand_text", input.ligand_text);
    take("reference_text", input.reference_text);
    for_each_option(input, [&](const char* key, auto& value) {
        if constexpr (!std::is_same_v<decltype(value), std::vector<CoefficientSet>&>)
            take(key, value);
    });
    given.expect_none();
    input.symmetry = parse_symmetry(symmetry, input.symmetry);
    choices.complete(input);
    require_membrane(input.membrane);
    return input;
}

std::string config_of_options(const std::string& json) {
    const DockInput input = input_of_options(json);
    ConfigLines lines;
    const auto line = [&](const char* key, const auto& value) { lines(key, value); };
    for_each_option(input, line);
    line("coefficients", Json::parse(json).value("coefficients", std::string()));
    line("antibody", input.antibody);
    line("plddt", input.plddt);
    line("keep", input.keep);
    line("drop", input.drop);
    if (input.consensus.repack > 0) line("repack", input.consensus.repack);
    if (input.symmetry.is_set()) {
        line("symmetry", name_of(input.symmetry));
        line("axes", input.symmetry.axes);
        line("rings", input.symmetry.rings);
    }
    if (!input.restraints.files.empty()) {
        for_each_restraint_option(input, line);
        if (input.restraints.weight) line("restraints_weight", *input.restraints.weight);
        line("restraints_pull", input.restraints.pull);
        line("restraints_closeness", input.restraints.closeness);
    }
    if (input.membrane.is_set()) for_each_membrane_option(input, line);
    if (input.ensemble.is_set()) for_each_ensemble_option(input, line);
    return lines.text();
}

std::string why_no_command(const DockInput& input) {
    std::string in_memory;
    const auto look = [&](const char* name, const std::string& text) {
        if (!text.empty()) in_memory += (in_memory.empty() ? "" : " and ") + std::string(name);
    };
    look("receptor", input.receptor_text);
    if (!input.symmetry.is_set()) look("ligand", input.ligand_text);
    look("reference", input.reference_text);
    if (!in_memory.empty()) return "only the memory of a process held the " + in_memory;
    const ClusteringOptions usual;
    if (input.clustering.interface_cutoff != usual.interface_cutoff ||
        input.clustering.minimum_size != usual.minimum_size)
        return "the command has no option for its clusters";
    return "";
}

}  // namespace tessera::docking
