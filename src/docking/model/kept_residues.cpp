#include "docking/model/kept_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "docking/model/component_table.hpp"
#include "docking/model/residue_ranges.hpp"
#include "io/proteins/nucleotides.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

using Atoms = std::vector<io::AtomRecord>;

constexpr double longest_bond = 1.9;  // Angstrom, of C, N, O and S

enum class Fate { undecided, kept, left_out };

/// A molecule beside the protein, and what is decided of it.
struct SmallMolecule {
    ResidueRange range;
    std::string name;
    bool known = false;
    ComponentKind kind = ComponentKind::additive;
    Fate fate = Fate::undecided;
    std::string reason{};

    void leave_out(std::string why) {
        fate = Fate::left_out;
        reason = std::move(why);
    }
};

bool binds_ions(const io::AtomRecord& atom) {
    return atom.element == "N" || atom.element == "O" || atom.element == "S" ||
           atom.element == "SE";
}

/// Decides of all molecules of a structure.
class Choice {
  public:
    Choice(const KeepRule& rule, const io::Structure& structure)
        : rule_(rule), protein_(structure.atoms), hetero_(structure.hetero) {
        for (const ResidueRange& range : residues_of(hetero_)) molecules_.push_back(named(range));
    }

    const std::vector<SmallMolecule>& decide() {
        for (SmallMolecule& molecule : molecules_) decide_by_name(molecule);
        keep_bonded_sugars();
        keep_bound_ions();
        return molecules_;
    }

  private:
    SmallMolecule named(const ResidueRange& range) const {
        const io::AtomRecord& first = hetero_[range.begin];
        SmallMolecule molecule{range, first.residue};
        const auto found = built_in_components().find(first.residue);
        molecule.known = found != built_in_components().end();
        if (molecule.known) {
            molecule.kind = found->second.kind;
        } else if (range.end - range.begin == 1 && is_metal(first.element)) {
            molecule.known = true;
            molecule.kind = ComponentKind::ion;
        }
        return molecule;
    }

    void decide_by_name(SmallMolecule& molecule) const {
        const bool is_water = molecule.known && molecule.kind == ComponentKind::water;
        const bool is_asked_for = rule_.names.contains(molecule.name) || (rule_.all && !is_water);
        const bool is_cofactor = molecule.known && molecule.kind == ComponentKind::cofactor;
        if (rule_.drop.contains(molecule.name))
            molecule.leave_out("--drop");
        else if (is_asked_for || (rule_.automatic && is_cofactor))
            molecule.fate = Fate::kept;
        else if (!rule_.automatic)
            molecule.leave_out("not in --keep");
        else if (!molecule.known)
            molecule.leave_out("unknown, --keep auto," + molecule.name + " keeps it");
        else if (molecule.kind != ComponentKind::ion && molecule.kind != ComponentKind::sugar)
            molecule.leave_out(name_of(molecule.kind));
    }

    /// Sugars are kept from the protein outwards.
    void keep_bonded_sugars() {
        Atoms joined = protein_;
        for (bool found = true; found;) {
            found = false;
            for (SmallMolecule& sugar : molecules_) {
                if (sugar.fate != Fate::undecided || sugar.kind != ComponentKind::sugar) continue;
                if (!is_near(sugar, joined, longest_bond)) continue;
                sugar.fate = Fate::kept;
                joined.insert(joined.end(), begin_of(sugar), end_of(sugar));
                found = true;
            }
        }
        for (SmallMolecule& sugar : molecules_)
            if (sugar.fate == Fate::undecided && sugar.kind == ComponentKind::sugar)
                sugar.leave_out("sugar that is not bonded to the protein");
    }

    void keep_bound_ions() {
        Atoms around = protein_;
        for (const SmallMolecule& molecule : molecules_)
            if (molecule.fate == Fate::kept && molecule.kind != ComponentKind::ion)
                around.insert(around.end(), begin_of(molecule), end_of(molecule));
        std::erase_if(around, [](const io::AtomRecord& atom) { return !binds_ions(atom); });
        for (SmallMolecule& ion : molecules_) {
            if (ion.fate != Fate::undecided) continue;
            const Vec3 at = begin_of(ion)->position;
            const auto near = std::ranges::count_if(around, [&](const io::AtomRecord& atom) {
                return distance_squared(atom.position, at) < binding_distance * binding_distance;
            });
            if (near >= binding_atoms)
                ion.fate = Fate::kept;
            else
                ion.leave_out("ion that is not bound");
        }
    }

    bool is_near(const SmallMolecule& molecule, const Atoms& others, double distance) const {
        return std::any_of(begin_of(molecule), end_of(molecule), [&](const io::AtomRecord& atom) {
            return std::ranges::any_of(others, [&](const io::AtomRecord& other) {
                return distance_squared(atom.position, other.position) < distance * distance;
            });
        });
    }

    Atoms::const_iterator begin_of(const SmallMolecule& molecule) const {
        return hetero_.begin() + static_cast<std::ptrdiff_t>(molecule.range.begin);
    }
    Atoms::const_iterator end_of(const SmallMolecule& molecule) const {
        return hetero_.begin() + static_cast<std::ptrdiff_t>(molecule.range.end);
    }

    const KeepRule& rule_;
    const Atoms& protein_;
    const Atoms& hetero_;
    std::vector<SmallMolecule> molecules_;
};

void append(const SmallMolecule& molecule, io::Structure& structure) {
    const io::AtomRecord& last = structure.atoms.back();
    const int residue = last.residue_index + 1, segment = last.segment + 1;
    for (std::size_t i = molecule.range.begin; i < molecule.range.end; ++i) {
        io::AtomRecord atom = structure.hetero[i];
        atom.residue_index = residue;
        atom.segment = segment;
        atom.hetero = true;
        structure.atoms.push_back(std::move(atom));
    }
}

using ResidueCounts = std::map<std::pair<std::string, std::string>, int>;  // by name and reason

std::vector<ResidueCount> counts_listed(const ResidueCounts& counts) {
    std::vector<ResidueCount> list;
    for (const auto& [key, count] : counts) list.push_back({key.first, count, key.second});
    return list;
}

std::string counts_in_words(const char* what, const std::vector<ResidueCount>& counts) {
    std::string text;
    for (const ResidueCount& one : counts) {
        text += fmt::format("{}{} {}", text.empty() ? what : ", ", one.count,
                            io::one_line(one.name, 20));
        if (!one.reason.empty()) text += " (" + io::one_line(one.reason, 80) + ")";
    }
    return text;
}

}  // namespace

Chemistry keep_residues(const KeepRule& rule, io::Structure& structure) {
    if (rule.nucleic) io::take_nucleic_acids(structure);
    if (structure.nucleic_atoms_skipped > 0)
        structure.warnings.push_back(fmt::format(
            "{} nucleic-acid atoms of '{}' are left out (--keep {},nucleic docks them with their "
            "protein)",
            structure.nucleic_atoms_skipped, structure.path, rule.automatic ? "auto" : "..."));
    ResidueCounts kept, left_out;
    Choice choice(rule, structure);
    int atoms_left_out = 0;
    for (const SmallMolecule& molecule : choice.decide()) {
        const bool is_water = molecule.known && molecule.kind == ComponentKind::water;
        if (molecule.fate == Fate::kept) {
            append(molecule, structure);
            ++kept[{molecule.name, ""}];
            if (is_water) --structure.waters_skipped;
        } else if (!is_water) {
            ++left_out[{molecule.name, molecule.reason}];
            atoms_left_out += static_cast<int>(molecule.range.end - molecule.range.begin);
        }
    }
    if (!kept.empty()) structure.hetero_atoms_skipped = atoms_left_out;
    structure.hetero.clear();
    structure.nucleic.clear();
    return {counts_listed(kept), counts_listed(left_out)};
}

void require_known_names(const KeepRules& rules, const Chemistry& receptor,
                         const Chemistry& ligand) {
    std::set<std::string> present;
    for (const Chemistry* chemistry : {&receptor, &ligand})
        for (const auto* list : {&chemistry->kept, &chemistry->left_out})
            for (const ResidueCount& one : *list) present.insert(one.name);
    const auto require = [&](const char* option, const std::set<std::string>& names) {
        for (const std::string& name : names) {
            if (present.contains(name) || built_in_components().contains(name)) continue;
            std::vector<std::string_view> known(present.begin(), present.end());
            throw Error(fmt::format("{} names {}", option, name),
                        "neither partner has such a residue beside its protein",
                        known.empty()
                            ? std::string("leave the option out")
                            : fmt::format("did you mean {}?", io::nearest_word(name, known)));
        }
    };
    for (const KeepRule* rule : {&rules.receptor, &rules.ligand}) {
        require("--keep", rule->names);
        require("--drop", rule->drop);
    }
}

std::string describe(const Chemistry& chemistry) {
    const std::string kept = counts_in_words("kept ", chemistry.kept);
    const std::string left_out = counts_in_words("left out ", chemistry.left_out);
    return kept + (kept.empty() || left_out.empty() ? "" : "; ") + left_out;
}

}  // namespace tessera::docking
