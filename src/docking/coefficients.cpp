// Named coefficient sets.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "docking/energy.hpp"

namespace tessera::docking {

namespace {

std::vector<CoefficientSet> read_sets(const std::string& path) {
    std::ifstream in(path);
    std::vector<CoefficientSet> sets;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        std::istringstream fields(line);
        CoefficientSet set;
        std::string rest;
        fields >> set.name;
        for (double& weight : set.weights) fields >> weight;
        if (fields.fail() || (fields >> rest))
            throw Error(fmt::format("{}:{}: not a coefficient set", path, number), line,
                        "write: name w_repulsion w_attraction w_electrostatics w_pair");
        sets.push_back(set);
    }
    return sets;
}

}  // namespace

std::vector<CoefficientSet> default_coefficient_sets() {
    return {{"balanced", {0.40, -0.40, 600, 1.00}},
            {"electrostatic", {0.40, -0.40, 1200, 1.00}},
            {"hydrophobic", {0.40, -0.40, 600, 2.00}},
            {"vdw", {0.40, -0.10, 600, 0.00}}};
}

std::vector<CoefficientSet> parse_coefficient_sets(const std::string& names_or_file) {
    std::vector<CoefficientSet> sets;
    if (std::ifstream(names_or_file).good()) {
        sets = read_sets(names_or_file);
    } else {
        std::istringstream names(names_or_file);
        for (std::string name; std::getline(names, name, ',');) {
            const auto known = default_coefficient_sets();
            const auto set = std::find_if(known.begin(), known.end(),
                                          [&](const auto& s) { return s.name == name; });
            if (set == known.end())
                throw Error(fmt::format("unknown coefficient set '{}'", name),
                            "it is neither a built-in set nor a file",
                            "use balanced, electrostatic, hydrophobic, vdw, or a file of your own");
            sets.push_back(*set);
        }
    }
    if (sets.empty() || sets.size() > kernels::max_coefficient_sets)
        throw Error(fmt::format("{} coefficient sets given", sets.size()), names_or_file,
                    fmt::format("give 1 to {}", kernels::max_coefficient_sets));
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (sets[i].name == sets[j].name)
                throw Error(fmt::format("coefficient set '{}' is given twice", sets[i].name),
                            "output groups carry the sets' names", "rename one");
    return sets;
}

}  // namespace tessera::docking
