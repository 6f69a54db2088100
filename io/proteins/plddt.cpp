#include "io/proteins/plddt.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "io/proteins/file_origin.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::io {

namespace {

/// Fewer different values are marks of another kind, such as 0 and 1.
constexpr std::size_t fewest_values = 5;

struct BColumn {
    std::vector<double> values;  ///< of each residue
    bool one_a_residue = true;   ///< all atoms of a residue have the same value
};

BColumn b_column_of(const std::vector<AtomRecord>& atoms) {
    BColumn column;
    double first = 0;
    int residue = -1;
    for (const AtomRecord& atom : atoms) {
        if (atom.hetero || atom.nucleic) continue;
        if (atom.residue_index != residue) {
            residue = atom.residue_index;
            first = atom.b_factor;
            column.values.push_back(first);
        } else if (atom.name == "CA") {
            column.values.back() = atom.b_factor;
        }
        column.one_a_residue &= atom.b_factor == first;
    }
    return column;
}

std::string name_of_file(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// As of AlphaFold 2 and ColabFold: one value for each residue, which differs along the chain.
bool looks_like_plddt(const BColumn& column) {
    const std::set<double> different(column.values.begin(), column.values.end());
    return column.one_a_residue && different.size() >= fewest_values &&
           checked_plddt(column.values, "").problem.empty();
}

}  // namespace

Plddt checked_plddt(std::vector<double> values, const std::string& source) {
    Plddt plddt;
    plddt.source = source;
    std::optional<double> lowest, highest;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        lowest = std::min(value, lowest.value_or(value));
        highest = std::max(value, highest.value_or(value));
    }
    if (!lowest)
        plddt.problem = "there are no values";
    else if (*lowest < 0 || *highest > 100)
        plddt.problem = "it has values outside of 0 to 100";
    else if (*lowest == *highest)
        plddt.problem = "all of its values are the same";
    if (!plddt.problem.empty()) return plddt;
    if (*highest <= 1)
        for (double& value : values) value *= 100;
    plddt.values = std::move(values);
    return plddt;
}

Plddt plddt_of_b_column(const std::vector<AtomRecord>& atoms) {
    return checked_plddt(b_column_of(atoms).values, "the B column, as --plddt says");
}

Plddt recognised_plddt(const std::vector<AtomRecord>& atoms, const FileOrigin& origin,
                       const std::vector<double>& local, const std::string& path) {
    Plddt none;
    if (!origin.experiment.empty()) {
        none.problem = origin.experiment + " says that it is an experiment";
        return none;
    }
    if (std::ranges::any_of(local, [](double value) { return std::isfinite(value); }))
        return checked_plddt(local, "_ma_qa_metric_local");
    const BColumn column = b_column_of(atoms);
    if (!origin.prediction.empty())
        return checked_plddt(column.values, "the B column, as " + origin.prediction);
    none.problem = "the file does not say that it is a predicted model";
    if (!looks_like_plddt(column)) return none;
    // Most files of ColabFold have no header at all, but a telling name.
    const std::string predictor = predictor_in(name_of_file(path));
    if (!predictor.empty())
        return checked_plddt(column.values, "the B column, as the file's name has " + predictor);
    none.may_be = true;
    return none;
}

}  // namespace tessera::io
