#include "docking/model/missing_atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "docking/model/atom_table.hpp"
#include "docking/model/residue_ranges.hpp"

namespace tessera::docking {
namespace {

constexpr std::array<std::string_view, 4> backbone{"N", "CA", "C", "O"};

/// How many residues were looked at, and how many of them lack each part.
struct MissingParts {
    int residues = 0;
    std::array<int, backbone.size()> of_backbone{};
    int side_chains = 0;

    bool is_many(int lacking) const { return 10 * lacking > residues; }
};

/// Whether a residue is one of the twenty usual kinds. Caps and unknown residues have no CB in the
/// atom table.
bool is_usual(const std::string& residue) {
    return residue == "GLY" || built_in_atom_table().find(residue, "CB") != nullptr;
}

/// Whether there is no atom beyond CB. For ALA, which ends there, whether there is no CB.
bool lacks_side_chain(const std::string& residue, const std::vector<std::string_view>& names) {
    if (residue == "GLY") return false;
    return std::ranges::none_of(names, [&](std::string_view name) {
        const bool common_to_all = std::ranges::count(backbone, name) > 0 || name == "OXT";
        return !common_to_all && (name != "CB" || residue == "ALA");
    });
}

MissingParts count_missing(const std::vector<io::AtomRecord>& atoms) {
    MissingParts missing;
    for (const ResidueRange& range : residues_of(atoms)) {
        const std::string& residue = atoms[range.begin].residue;
        if (atoms[range.begin].hetero || !is_usual(residue)) continue;
        std::vector<std::string_view> names;
        for (std::size_t i = range.begin; i < range.end; ++i) names.push_back(atoms[i].name);
        ++missing.residues;
        for (std::size_t b = 0; b < backbone.size(); ++b)
            missing.of_backbone[b] += std::ranges::count(names, backbone[b]) == 0;
        missing.side_chains += lacks_side_chain(residue, names);
    }
    return missing;
}

}  // namespace

std::vector<std::string> missing_atom_warnings(const io::Structure& structure) {
    const MissingParts missing = count_missing(structure.atoms);
    std::string parts;
    const auto add = [&](const std::string& what, int lacking) {
        if (!missing.is_many(lacking)) return;
        parts += fmt::format("{}{} in {}", parts.empty() ? "" : ", ", what, lacking);
    };
    for (std::size_t b = 0; b < backbone.size(); ++b)
        add(std::string(backbone[b]), missing.of_backbone[b]);
    add("the side chain (all of it, or what is beyond CB)", missing.side_chains);
    if (parts.empty()) return {};
    return {fmt::format("'{}' lacks {} of its {} residues: scores need all heavy atoms (rebuild "
                        "them before docking)",
                        structure.path, parts, missing.residues)};
}

}  // namespace tessera::docking
