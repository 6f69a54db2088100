#include "docking/restraints/atom_selection.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tessera::docking {

namespace {

using Kind = AtomSelection::Kind;

bool same_letter(char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
}

/// "*" stands for any characters, "%" for a single one. Capitals do not count.
bool fits(std::string_view pattern, std::string_view name) {
    std::size_t p = 0, n = 0, star = std::string_view::npos, after_star = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            after_star = n;
        } else if (p < pattern.size() && (pattern[p] == '%' || same_letter(pattern[p], name[n]))) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++after_star;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void add_alternatives(const AtomSelection& selection, std::vector<const AtomSelection*>& all) {
    if (selection.kind != Kind::any_of) return all.push_back(&selection);
    for (const AtomSelection& part : selection.parts) add_alternatives(part, all);
}

std::string joined(const std::vector<AtomSelection>& parts, const char* word) {
    std::string text = "(";
    for (const AtomSelection& part : parts) text += (text.size() > 1 ? word : "") + text_of(part);
    return text + ")";
}

}  // namespace

bool AtomSelection::matches(const io::AtomRecord& atom, Partner of) const {
    const auto match = [&](const AtomSelection& part) { return part.matches(atom, of); };
    switch (kind) {
        case Kind::any_of: return std::ranges::any_of(parts, match);
        case Kind::all_of: return std::ranges::all_of(parts, match);
        case Kind::none_of: return !match(parts.front());
        case Kind::residue:
            return atom.residue_number >= first && atom.residue_number <= last &&
                   (insertion == ' ' || atom.insertion_code == insertion);
        case Kind::residue_name: return fits(text, atom.residue) || fits(text, atom.variant);
        case Kind::name: return fits(text, atom.name);
        case Kind::chain: return atom.chain == text || (atom.chain.empty() && text == "_");
        case Kind::partner: return of == side;
        default: return true;
    }
}

std::vector<const AtomSelection*> alternatives(const AtomSelection& selection) {
    std::vector<const AtomSelection*> all;
    add_alternatives(selection, all);
    return all;
}

std::string text_of(const AtomSelection& selection) {
    switch (selection.kind) {
        case Kind::any_of: return joined(selection.parts, " or ");
        case Kind::all_of: return joined(selection.parts, " and ");
        case Kind::none_of: return "not " + text_of(selection.parts.front());
        case Kind::residue: {
            std::string text = "resid " + std::to_string(selection.first);
            if (selection.last != selection.first) text += ":" + std::to_string(selection.last);
            if (selection.insertion != ' ') text += selection.insertion;
            return text;
        }
        case Kind::residue_name: return "resn " + selection.text;
        case Kind::name: return "name " + selection.text;
        case Kind::chain: return "chain " + selection.text;
        case Kind::partner: return selection.side == Partner::receptor ? "segid A" : "segid B";
        default: return "all";
    }
}

AtomSelection without_names(const AtomSelection& selection) {
    AtomSelection wider = selection;
    if (wider.kind == Kind::name) wider.kind = Kind::all;
    for (AtomSelection& part : wider.parts) part = without_names(part);
    return wider;
}

}  // namespace tessera::docking
