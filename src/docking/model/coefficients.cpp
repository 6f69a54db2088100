#include "docking/model/coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "core/error.hpp"
#include "docking/model/energy.hpp"
#include "io/files/file_name.hpp"
#include "io/text/near_name.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_lines.hpp"

namespace tessera::docking {

namespace {

constexpr double largest_weight = 1e6;
/// The largest weight of a set must not be smaller, or it would vanish in single precision.
constexpr double smallest_weight = 1e-30;

constexpr io::InputKind coefficient_file{
    "coefficient sets", "write: name w_repulsion w_attraction w_electrostatics w_pair",
    std::size_t{1} << 20, "give a line for each set"};

/// The names are used for groups of the output and in file names.
bool is_good_name(const std::string& name) {
    return io::why_no_file_name(name).empty() && name.size() <= 64 &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return (c < 128 && std::isalnum(c)) || c == '-' || c == '_' || c == '.';
           });
}

void check_set(const CoefficientSet& set, const std::string& where) {
    if (!is_good_name(set.name))
        throw Error(
            fmt::format("{}: the name '{}' cannot be used", where, io::one_line(set.name, 40)),
            "it names groups and files of the output",
            "use up to 64 letters, digits, '-', '_' and '.', a letter or digit first");
    if (io::without_capitals(set.name) == "consensus")
        throw Error(fmt::format("{}: the name 'consensus' cannot be used", where),
                    "the list of all sets together has this name", "choose another name");
    for (const double weight : set.weights)
        if (!(std::abs(weight) <= largest_weight))
            throw Error(fmt::format("{}: the weight {} is out of range", where, weight),
                        "scores have single precision",
                        fmt::format("choose between {0} and -{0}", largest_weight));
    if (std::ranges::none_of(set.weights, [](double w) { return std::abs(w) >= smallest_weight; }))
        throw Error(fmt::format("{}: all weights of '{}' are 0", where, set.name),
                    "every pose would have the same score", "give at least one weight a value");
}

std::vector<CoefficientSet> parse_sets(const io::TextSource& source) {
    std::vector<CoefficientSet> sets;
    io::TextLines lines(source.text);
    for (std::string line; lines.next(line);) {
        const std::string where = fmt::format("{}:{}", source.path, lines.number());
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        std::istringstream fields(line);
        CoefficientSet set;
        std::string rest;
        fields >> set.name;
        for (double& weight : set.weights) fields >> weight;
        if (fields.fail() || (fields >> rest))
            throw Error(where + ": not a coefficient set", "'" + io::one_line(line) + "'",
                        coefficient_file.wanted);
        check_set(set, where);
        sets.push_back(set);
    }
    return sets;
}

/// The built-in sets with these names, which are separated by commas. Empty if a name is not
/// built-in.
std::vector<CoefficientSet> built_in_sets(const std::string& list,
                                          const std::string& pair_potential, std::string& unknown) {
    const auto known = default_coefficient_sets(pair_potential);
    std::vector<CoefficientSet> sets;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) {
        const auto set =
            std::find_if(known.begin(), known.end(), [&](const auto& s) { return s.name == name; });
        if (set == known.end()) {
            unknown = name;
            return {};
        }
        sets.push_back(*set);
    }
    return sets;
}

}  // namespace

std::vector<CoefficientSet> default_coefficient_sets(const std::string& pair_potential) {
    // Chosen on 94 complexes with cross-validation: docs/method/docking-choices.md.
    if (pair_potential == default_pair_potential)
        return {{"balanced", {0.40, -0.40, 300, 1.00}},
                {"electrostatic", {0.40, -0.40, 500, 1.00}},
                {"hydrophobic", {0.40, -0.40, 200, 1.50}},
                {"vdw", {0.80, -0.40, 500, 0.00}}};
    return {{"balanced", {0.40, -0.40, 500, 1.00}},
            {"electrostatic", {0.40, -0.40, 750, 1.00}},
            {"hydrophobic", {0.40, -0.40, 500, 1.40}},
            {"vdw", {0.80, -0.40, 500, 0.00}}};
}

bool is_fine_search(std::int64_t rotations) { return rotations >= 20'000; }

ClashCost default_clash_cost(std::int64_t rotations) {
    const EnergyParameters fine;
    if (is_fine_search(rotations)) return {fine.repulsion, fine.rim, fine.buried_ligand_weight};
    return {30, 0.3, 4};
}

std::vector<CoefficientSet> parse_coefficient_sets(const std::string& names_or_file,
                                                   const std::string& pair_potential) {
    std::string unknown;
    std::vector<CoefficientSet> sets = built_in_sets(names_or_file, pair_potential, unknown);
    if (sets.empty()) {
        std::error_code ignored;
        if (!std::filesystem::exists(names_or_file, ignored))
            io::refuse_name("coefficient set", unknown,
                            {"balanced", "electrostatic", "hydrophobic", "vdw"});
        sets = parse_sets(io::read_text_file(names_or_file, coefficient_file));
    }
    if (sets.empty() || sets.size() > kernels::max_coefficient_sets)
        throw Error(fmt::format("{} coefficient sets in '{}'", sets.size(), names_or_file),
                    "each set costs memory and time",
                    fmt::format("give 1 to {} sets", kernels::max_coefficient_sets));
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (io::without_capitals(sets[i].name) == io::without_capitals(sets[j].name))
                throw Error(fmt::format("coefficient set '{}' is given twice", sets[i].name),
                            "the names are used for groups and files, and capitals do not count",
                            "rename one of the two");
    return sets;
}

}  // namespace tessera::docking
