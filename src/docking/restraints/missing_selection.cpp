#include "docking/restraints/missing_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "docking/model/listed_residues.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

/// "chain A has residues 1 to 99, chain B 4 to 120"
std::string chains_of(const io::Structure& structure) {
    struct Range {
        std::string chain;
        int first, last;
    };
    std::vector<Range> ranges;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (atom.hetero) continue;
        const auto same = std::ranges::find(ranges, atom.chain, &Range::chain);
        if (same == ranges.end()) {
            ranges.push_back({atom.chain, atom.residue_number, atom.residue_number});
        } else {
            same->first = std::min(same->first, atom.residue_number);
            same->last = std::max(same->last, atom.residue_number);
        }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(ranges.size(), 8); ++i)
        text += fmt::format("{}chain {}{} {} to {}", i == 0 ? "" : ", ",
                            ranges[i].chain.empty() ? "_" : io::one_line(ranges[i].chain),
                            i == 0 ? " has residues" : "", ranges[i].first, ranges[i].last);
    return text + (ranges.size() > 8 ? ", ..." : "");
}

/// The names of the atoms that match, at most 12, each once.
std::string names_of(const AtomSelection& selection, const io::Structure& structure,
                     Partner partner) {
    std::set<std::string> names;
    std::string text;
    for (const io::AtomRecord& atom : structure.atoms)
        if (selection.matches(atom, partner) && names.insert(atom.name).second && names.size() < 13)
            text += (text.empty() ? "" : ", ") + io::one_line(atom.name);
    return text;
}

/// The partner that the selection names by segid, if it names one.
std::optional<Partner> named_side(const AtomSelection& selection) {
    if (selection.kind == AtomSelection::Kind::partner) return selection.side;
    for (const AtomSelection& part : selection.parts)
        if (const auto side = named_side(part)) return side;
    return std::nullopt;
}

/// The selection with the other partner.
AtomSelection on_the_other_side(AtomSelection selection) {
    selection.side = selection.side == Partner::receptor ? Partner::ligand : Partner::receptor;
    for (AtomSelection& part : selection.parts) part = on_the_other_side(part);
    return selection;
}

}  // namespace

std::string suggestion_for(const AtomSelection& selection, const io::Structure& receptor,
                           const io::Structure& ligand, const Partner* only) {
    const auto side = only ? std::optional(*only) : named_side(selection);
    const AtomSelection wider = without_names(selection);
    const auto structure = [&](Partner of) -> const io::Structure& {
        return of == Partner::receptor ? receptor : ligand;
    };
    for (const Partner of : {Partner::receptor, Partner::ligand}) {
        if (side && *side != of) continue;
        if (const std::string names = names_of(wider, structure(of), of); !names.empty())
            return fmt::format("hydrogens are not docked; the atoms there are {}", names);
    }
    if (!side)
        return fmt::format("in the receptor {}; in the ligand {}{}", chains_of(receptor),
                           chains_of(ligand),
                           left_out_hint(receptor.residues_left_out > 0 ? receptor : ligand));
    const Partner other = *side == Partner::receptor ? Partner::ligand : Partner::receptor;
    const AtomSelection there = only ? selection : on_the_other_side(selection);
    std::string text = fmt::format("in the {} {}{}", name_of(*side), chains_of(structure(*side)),
                                   left_out_hint(structure(*side)));
    if (!names_of(there, structure(other), other).empty())
        text += fmt::format("; the {} has such atoms", name_of(other));
    return text;
}

}  // namespace tessera::docking
