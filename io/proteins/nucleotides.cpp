#include "io/proteins/nucleotides.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <gemmi/resinfo.hpp>

#include "io/proteins/residue_atoms.hpp"

namespace tessera::io {
namespace {

constexpr double longest_link = 2.5;      // Angstrom, O3' to P
constexpr double longest_break = 4;       // Angstrom, at a nick
constexpr double missing_nucleotide = 5;  // Angstrom, along a strand
constexpr std::string_view bases = "ACGTUI";

constexpr std::array<std::pair<std::string_view, char>, 5> long_names{
    {{"ADE", 'A'}, {"CYT", 'C'}, {"GUA", 'G'}, {"THY", 'T'}, {"URA", 'U'}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> atom_names{{{"O1P", "OP1"},
                                                                                   {"O2P", "OP2"},
                                                                                   {"O3P", "OP3"},
                                                                                   {"C5M", "C7"},
                                                                                   {"O5T", "O5'"},
                                                                                   {"O3T", "O3'"},
                                                                                   {"O1'", "O4'"}}};

const AtomSite* find_site(const Residue& residue, std::string_view name) {
    const auto found = std::ranges::find_if(residue, [&](const AtomSite& site) {
        return site.name == name ||
               (site.name.size() == name.size() && name.back() == '\'' && site.name.back() == '*' &&
                std::string_view(site.name).substr(0, name.size() - 1) ==
                    name.substr(0, name.size() - 1));
    });
    return found == residue.end() ? nullptr : &*found;
}

bool has_link(const Residue& before, const Residue& after) {
    const AtomSite *const o = find_site(before, "O3'"), *const p = find_site(after, "P");
    return o && p && o->chain == p->chain && norm(o->position - p->position) < longest_link;
}

/// What a name says of a nucleotide.
struct Meaning {
    char base = ' ';   ///< ' ' if the name tells none
    char sugar = ' ';  ///< D or R, ' ' if the name leaves it open
    bool is_modified = false;
};

/// A, DA, RA, and the ends of strands in AMBER's names: A5, DA3, RAN.
Meaning meaning_of_plain(std::string_view name) {
    Meaning meaning;
    if (name.size() > 1 && (name[0] == 'D' || name[0] == 'R')) {
        meaning.sugar = name[0];
        name.remove_prefix(1);
    }
    if (name.size() == 2 && (name[1] == '3' || name[1] == '5' || name[1] == 'N'))
        name.remove_suffix(1);
    if (name.size() == 1 && bases.find(name[0]) != bases.npos) meaning.base = name[0];
    return meaning;
}

Meaning meaning_of(const std::string& name) {
    for (const auto& [known, base] : long_names)
        if (name == known) return {base, ' ', false};
    if (const Meaning plain = meaning_of_plain(name); plain.base != ' ') return plain;
    const gemmi::ResidueInfo info = gemmi::find_tabulated_residue(name);
    Meaning meaning{' ', ' ', true};
    if (!info.is_nucleic_acid()) return meaning;
    const auto letter =
        static_cast<char>(std::toupper(static_cast<unsigned char>(info.one_letter_code)));
    if (bases.find(letter) != bases.npos) meaning.base = letter;
    return meaning;
}

const AtomRecord* find_atom(const std::vector<AtomRecord>& atoms, std::size_t begin,
                            std::string_view name) {
    for (std::size_t i = begin; i < atoms.size(); ++i) {
        if (atoms[i].residue_index != atoms[begin].residue_index) break;
        if (atoms[i].name == name) return &atoms[i];
    }
    return nullptr;
}

/// Whether the residue that begins at `after` goes on the strand of the one at `before`.
bool goes_on(const std::vector<AtomRecord>& atoms, std::size_t before, std::size_t after) {
    const AtomRecord *const o = find_atom(atoms, before, "O3'"), *const p =
                                                                     find_atom(atoms, after, "P");
    if (!o || !p) return false;
    const int missing = std::max(p->residue_number - o->residue_number - 1, 0);
    return norm(o->position - p->position) < longest_break + missing_nucleotide * missing;
}

}  // namespace

bool is_nucleotide_link(const std::vector<Residue>& residues, std::size_t place) {
    return (place > 0 && has_link(residues[place - 1], residues[place])) ||
           (place + 1 < residues.size() && has_link(residues[place], residues[place + 1]));
}

ResidueName nucleotide_name(const Residue& residue) {
    const std::string& name = chosen_name(residue);
    const Meaning meaning = meaning_of(name);
    if (meaning.base == ' ') return {ResidueKind::nucleic_acid, name, name, false};
    const bool is_ribose =
        meaning.sugar == 'R' || (meaning.sugar == ' ' && (find_site(residue, "O2'") != nullptr ||
                                                          find_site(residue, "C2'") == nullptr));
    // Thymine on ribose is a methylated uracil.
    const char base = is_ribose && meaning.base == 'T' ? 'U' : meaning.base;
    const std::string parent = is_ribose ? std::string(1, base) : std::string{'D', base};
    return {ResidueKind::nucleic_acid, parent, meaning.is_modified ? name : parent, false};
}

std::string nucleotide_atom_name(const std::string& name) {
    const auto found = std::ranges::find(atom_names, std::string_view(name),
                                         &std::pair<std::string_view, std::string_view>::first);
    return found == atom_names.end() ? name : std::string(found->second);
}

bool is_trace(const AtomRecord& atom) {
    return !atom.hetero && atom.name == (atom.nucleic ? nucleotide_trace : "CA");
}

void separate_strands(std::vector<AtomRecord>& atoms) {
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < atoms.size(); ++i)
        if (i == 0 || atoms[i].residue_index != atoms[i - 1].residue_index) begins.push_back(i);
    begins.push_back(atoms.size());
    int added = 0;
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
        if (r > 0 && !goes_on(atoms, begins[r - 1], begins[r])) ++added;
        for (std::size_t i = begins[r]; i < begins[r + 1]; ++i) atoms[i].segment += added;
    }
}

void number_residues(std::vector<AtomRecord>& atoms) {
    int last = -1, count = -1;
    for (AtomRecord& atom : atoms) {
        if (count < 0 || atom.residue_index != last) ++count;
        last = atom.residue_index;
        atom.residue_index = count;
    }
}

void take_nucleic_acids(Structure& structure) {
    std::vector<AtomRecord>& atoms = structure.atoms;
    const int residues = atoms.empty() ? 0 : atoms.back().residue_index + 1;
    const int segments = atoms.empty() ? 0 : atoms.back().segment + 1;
    for (AtomRecord& atom : structure.nucleic) {
        atom.residue_index += residues;
        atom.segment += segments;
        atoms.push_back(std::move(atom));
    }
    structure.nucleic.clear();
    structure.nucleic_atoms_skipped = 0;
}

}  // namespace tessera::io
