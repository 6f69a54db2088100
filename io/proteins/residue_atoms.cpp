#include "io/proteins/residue_atoms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>

#include "io/proteins/nucleotides.hpp"

namespace tessera::io {
namespace {

// The site whose alternate location (with its residue name) has the highest occupancy; the first
// one wins ties.
const AtomSite* best_conformer(const Residue& residue) {
    const AtomSite* best = nullptr;
    for (const AtomSite& site : residue)
        if (site.alternate != ' ' && (!best || site.occupancy > best->occupancy)) best = &site;
    return best;
}

// Keeps one site for each atom name: that of the chosen conformer, otherwise one without a letter,
// otherwise that of highest occupancy.
Residue without_alternates(const Residue& residue, int& dropped) {
    const AtomSite* const best = best_conformer(residue);
    const std::string& name = chosen_name(residue);
    const auto rank = [&](const AtomSite& site) {
        const bool chosen = best && site.alternate == best->alternate;
        return std::pair(chosen ? 2 : site.alternate == ' ' ? 1 : 0, site.occupancy);
    };
    Residue kept;
    std::map<std::string, std::size_t> index;
    for (const AtomSite& site : residue) {
        if (site.residue != name) {
            ++dropped;
            continue;
        }
        const auto [place, is_new] = index.try_emplace(site.name, kept.size());
        if (is_new) {
            kept.push_back(site);
            continue;
        }
        ++dropped;
        if (rank(site) > rank(kept[place->second])) kept[place->second] = site;
    }
    return kept;
}

/// Elements of two letters in ligands. Other names begin with an element of one letter.
constexpr std::array<std::string_view, 8> two_letters{"BR", "CL", "CU", "FE",
                                                      "MG", "MN", "NI", "ZN"};

// The first letter of the name after digits: "1HB" -> H, "CA" -> C. In proteins this is the
// element. An ion has the name of its residue.
std::string element_of(const AtomSite& site, bool amino_acid) {
    if (!site.element.empty()) return site.element;
    const auto letter = std::find_if(site.name.begin(), site.name.end(),
                                     [](unsigned char c) { return std::isalpha(c); });
    if (letter == site.name.end()) return "X";
    if (site.name == "SE" && amino_acid) return "SE";
    if (site.hetero && !amino_acid) {
        if (site.name == site.residue && site.name.size() <= 2) return site.name;
        const std::string two = site.name.substr(0, 2);
        if (std::ranges::count(two_letters, two) > 0) return two;
    }
    return *letter == 'D' || *letter == 'Q' ? "H" : std::string(1, *letter);
}

// Converts the carboxylate and side-chain names of other programs to the PDB's names.
std::string usual_name(const std::string& name, const std::string& parent,
                       const std::string& variant, bool has_backbone_oxygen) {
    if (parent == "ILE" && name == "CD") return "CD1";
    if ((parent == "MET" && name == "SE") || (variant == "SEC" && name == "SE"))
        return parent == "MET" ? "SD" : "SG";
    if (name == "OT1" || name == "OC1" || (name == "O1" && !has_backbone_oxygen)) return "O";
    if (name == "OT2" || name == "OC2" || name == "OT" || (name == "O2" && !has_backbone_oxygen))
        return "OXT";
    return name;
}

// "O5*" and "N A" of older files are "O5'" and "NA".
std::string component_name(std::string name) {
    std::ranges::replace(name, '*', '\'');
    std::erase(name, ' ');
    return name;
}

AtomRecord record_of(const AtomSite& site, const ResidueName& names, bool has_backbone_oxygen) {
    const bool amino_acid = names.kind == ResidueKind::amino_acid;
    AtomRecord atom;
    atom.name = amino_acid ? usual_name(site.name, names.parent, names.variant, has_backbone_oxygen)
                           : component_name(site.name);
    atom.nucleic = names.kind == ResidueKind::nucleic_acid;
    if (atom.nucleic) atom.name = nucleotide_atom_name(atom.name);
    atom.residue = names.parent;
    atom.variant = names.variant;
    atom.chain = site.chain;
    atom.residue_number = site.residue_number;
    atom.insertion_code = site.insertion_code;
    atom.segment = site.segment;
    atom.element = element_of(site, amino_acid);
    if (atom.element == "SE" && amino_acid && names.parent != names.variant) atom.element = "S";
    atom.b_factor = site.b_factor;
    atom.position = site.position;
    return atom;
}

bool is_hydrogen(const AtomSite& site, bool amino_acid) {
    const std::string element = element_of(site, amino_acid);
    return element == "H" || element == "D";
}

Residue without_hydrogens(const Residue& residue, bool amino_acid, int& dropped) {
    Residue kept;
    for (const AtomSite& site : residue)
        if (is_hydrogen(site, amino_acid))
            ++dropped;
        else
            kept.push_back(site);
    return kept;
}

}  // namespace

const std::string& chosen_name(const Residue& residue) {
    const AtomSite* const best = best_conformer(residue);
    return best ? best->residue : residue.front().residue;
}

int heavy_atoms(const Residue& residue) {
    return static_cast<int>(std::count_if(residue.begin(), residue.end(), [](const AtomSite& site) {
        return !is_hydrogen(site, false);
    }));
}

void append_residue(const Residue& residue, const ResidueName& names, Dropped& dropped,
                    std::vector<AtomRecord>& atoms) {
    const bool amino_acid = names.kind == ResidueKind::amino_acid;
    const Residue heavy = without_hydrogens(residue, amino_acid, dropped.hydrogens);
    if (heavy.empty()) return;
    const Residue one = without_alternates(heavy, dropped.alternate_locations);
    const int index = atoms.empty() ? 0 : atoms.back().residue_index + 1;
    const bool has_oxygen =
        std::ranges::any_of(one, [](const AtomSite& site) { return site.name == "O"; });
    for (const AtomSite& site : one) {
        atoms.push_back(record_of(site, names, has_oxygen));
        atoms.back().residue_index = index;
    }
}

}  // namespace tessera::io
