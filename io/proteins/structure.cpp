#include "io/proteins/structure.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include <gemmi/elem.hpp>

#include "core/error.hpp"
#include "io/proteins/residue_grouping.hpp"
#include "io/proteins/residue_names.hpp"
#include "io/proteins/structure_text.hpp"

namespace tessera::io {
namespace {

std::string problem(const std::string& path) { return "cannot use structure '" + path + "'"; }

// The site whose alternate location (with its residue name) has the highest occupancy; the first
// one wins ties.
const AtomSite* best_conformer(const Residue& residue) {
    const AtomSite* best = nullptr;
    for (const AtomSite& site : residue)
        if (site.alternate != ' ' && (!best || site.occupancy > best->occupancy)) best = &site;
    return best;
}

const std::string& chosen_name(const Residue& residue) {
    const AtomSite* const best = best_conformer(residue);
    return best ? best->residue : residue.front().residue;
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

// The first letter of the name after digits: "1HB" -> H, "CA" -> C. In proteins this is the
// element.
std::string element_of(const AtomSite& site, bool amino_acid) {
    if (!site.element.empty()) return site.element;
    const auto letter = std::find_if(site.name.begin(), site.name.end(),
                                     [](unsigned char c) { return std::isalpha(c); });
    if (letter == site.name.end()) return "X";
    if (site.name == "SE" && amino_acid) return "SE";
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

void append_residue(const Residue& residue, const ResidueName& names, Structure& structure) {
    const int index = structure.atoms.empty() ? 0 : structure.atoms.back().residue_index + 1;
    const bool amino_acid = names.kind == ResidueKind::amino_acid;
    const bool has_oxygen = std::any_of(residue.begin(), residue.end(),
                                        [](const AtomSite& site) { return site.name == "O"; });
    structure.plddt.values.push_back(residue.front().plddt);
    for (const AtomSite& site : residue) {
        std::string element = element_of(site, amino_acid);
        if (element == "SE" && amino_acid && names.parent != names.variant) element = "S";
        AtomRecord atom;
        atom.name =
            amino_acid ? usual_name(site.name, names.parent, names.variant, has_oxygen) : site.name;
        atom.residue = names.parent;
        atom.variant = names.variant;
        atom.chain = site.chain;
        atom.residue_number = site.residue_number;
        atom.insertion_code = site.insertion_code;
        atom.segment = site.segment;
        atom.residue_index = index;
        atom.element = std::move(element);
        atom.b_factor = site.b_factor;
        atom.position = site.position;
        structure.atoms.push_back(std::move(atom));
    }
}

bool is_hydrogen(const AtomSite& site, bool amino_acid) {
    const std::string element = element_of(site, amino_acid);
    return element == "H" || element == "D";
}

int heavy_atoms(const Residue& residue) {
    return static_cast<int>(std::count_if(residue.begin(), residue.end(), [](const AtomSite& site) {
        return !is_hydrogen(site, false);
    }));
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

// HETATM records count as protein only if they name a modified residue (MSE). A standard amino acid
// in HETATM records is a free ligand, and programs use UNK for a ligand without a name.
bool belongs_to_protein(const Residue& residue, const ResidueName& names) {
    if (names.kind == ResidueKind::other) return !residue.front().hetero;
    const bool modified = !names.standard && names.parent != "UNK";
    return names.kind == ResidueKind::amino_acid && (modified || !residue.front().hetero);
}

void add_residue(const Residue& residue, Structure& structure) {
    const ResidueName names = classify_residue(chosen_name(residue));
    if (belongs_to_protein(residue, names)) {
        const Residue heavy = without_hydrogens(residue, names.kind == ResidueKind::amino_acid,
                                                structure.hydrogens_dropped);
        if (!heavy.empty())
            append_residue(without_alternates(heavy, structure.alternate_locations_dropped), names,
                           structure);
    } else if (names.kind == ResidueKind::water)
        ++structure.waters_skipped;
    else if (names.kind == ResidueKind::nucleic_acid)
        structure.nucleic_atoms_skipped += heavy_atoms(residue);
    else
        structure.hetero_atoms_skipped += heavy_atoms(residue);
}

// Numbers the segments of the remaining atoms from 0.
void number_segments(std::vector<AtomRecord>& atoms) {
    int last = 0;
    int count = -1;
    std::string chain;
    for (AtomRecord& atom : atoms) {
        if (count < 0 || atom.segment != last || atom.chain != chain) ++count;
        last = atom.segment;
        chain = atom.chain;
        atom.segment = count;
    }
}

// The chains with amino acids, in file order, and the names of all chains.
struct ChainNames {
    std::vector<std::string> protein;
    std::set<std::string> all;
};

ChainNames chain_names(const std::vector<Residue>& residues) {
    ChainNames names;
    for (const Residue& residue : residues) {
        const std::string& chain = residue.front().chain;
        names.all.insert(chain);
        const ResidueName name = classify_residue(chosen_name(residue));
        if (name.kind == ResidueKind::amino_acid && belongs_to_protein(residue, name) &&
            std::find(names.protein.begin(), names.protein.end(), chain) == names.protein.end())
            names.protein.push_back(chain);
    }
    return names;
}

std::string listed(const std::vector<std::string>& chains) {
    std::string text;
    for (const std::string& chain : chains)
        text += (text.empty() ? "" : ", ") + (chain.empty() ? "_ (blank)" : chain);
    return text;
}

// A blank name may be given as "_" if no chain has that name.
std::set<std::string> wanted_chains(const std::vector<std::string>& asked,
                                    const ChainNames& present, const std::string& path) {
    std::set<std::string> wanted;
    for (std::string chain : asked) {
        if ((chain == "_" || chain == " ") && !present.all.contains(chain)) chain.clear();
        if (std::find(present.protein.begin(), present.protein.end(), chain) ==
            present.protein.end())
            throw Error(problem(path),
                        (present.all.contains(chain) ? "no protein atoms in chain '"
                                                     : "there is no chain '") +
                            chain + "'",
                        "choose among the protein chains " + listed(present.protein));
        wanted.insert(chain);
    }
    return wanted;
}

std::string contents(const Structure& structure) {
    std::string text;
    const auto add = [&](int count, const char* what) {
        if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
    };
    add(structure.nucleic_atoms_skipped, " nucleic-acid atoms");
    add(structure.hetero_atoms_skipped, " HETATM atoms");
    add(structure.waters_skipped, " waters");
    add(static_cast<int>(structure.atoms.size()), " ATOM records of unknown residues");
    return text;
}

// The number of atoms that lie exactly on others, because the file has two copies of a protein or
// coordinates that were never filled in.
std::size_t atoms_on_others(const Structure& structure) {
    std::set<std::tuple<double, double, double>> places;
    for (const AtomRecord& atom : structure.atoms)
        places.emplace(atom.position.x, atom.position.y, atom.position.z);
    return structure.atoms.size() - places.size();
}

// The number of residues that have the same number as the residue before them in their chain.
int residues_without_own_number(const std::vector<AtomRecord>& atoms) {
    int count = 0;
    for (std::size_t i = 1; i < atoms.size(); ++i) {
        const AtomRecord &before = atoms[i - 1], &here = atoms[i];
        count += here.residue_index != before.residue_index && here.segment == before.segment &&
                 here.chain == before.chain && here.residue_number == before.residue_number &&
                 here.insertion_code == before.insertion_code;
    }
    return count;
}

void warn_of_oddities(Structure& structure, bool more_models) {
    if (const int count = residues_without_own_number(structure.atoms); count > 0)
        structure.warnings.push_back(
            std::to_string(count) + " of " +
            std::to_string(structure.atoms.back().residue_index + 1) + " residues of '" +
            structure.path +
            "' have the number of the residue before them and are distinguished by their names and "
            "backbone atoms (renumber them to name them in lists of residues)");
    if (const std::size_t doubled = atoms_on_others(structure); doubled > 0)
        structure.warnings.push_back(
            std::to_string(doubled) + " of " + std::to_string(structure.atoms.size()) +
            " atoms of '" + structure.path +
            "' lie exactly on others (two copies, or missing coordinates?)");
    if (more_models)
        structure.warnings.push_back("only the first model of '" + structure.path + "' is used");
    if (structure.nucleic_atoms_skipped > 0)
        structure.warnings.push_back(std::to_string(structure.nucleic_atoms_skipped) +
                                     " nucleic-acid atoms of '" + structure.path +
                                     "' are left out (the energy knows proteins only)");
}

}  // namespace

Structure read_structure(const std::string& path, const std::vector<std::string>& chains) {
    return parse_structure(read_structure_text(path), chains);
}

Structure parse_structure(const TextSource& source, const std::vector<std::string>& chains) {
    const std::string& path = source.path;
    AtomSites file = read_atom_sites(source.text, path);
    const std::vector<Residue> residues = group_residues(std::move(file.sites));
    const ChainNames present = chain_names(residues);
    Structure structure;
    structure.path = path;
    structure.sha256 = source.sha256;
    const std::set<std::string> wanted =
        present.protein.empty() ? std::set<std::string>{} : wanted_chains(chains, present, path);
    for (const Residue& residue : residues)
        if (wanted.empty() || wanted.contains(residue.front().chain))
            add_residue(residue, structure);
    if (present.protein.empty() || structure.atoms.empty()) {
        const std::string found = contents(structure);
        throw Error(problem(path),
                    "it has no protein atoms" + (found.empty() ? "" : ", but " + found),
                    "give a file with amino acids as ATOM records");
    }
    structure.plddt = recognised_plddt(structure.atoms, file.origin, structure.plddt.values, path);
    number_segments(structure.atoms);
    warn_of_oddities(structure, file.more_models);
    return structure;
}

}  // namespace tessera::io
