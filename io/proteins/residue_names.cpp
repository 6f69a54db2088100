#include "io/proteins/residue_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <gemmi/resinfo.hpp>

namespace tessera::io {
namespace {

constexpr std::array<std::string_view, 20> standard_names{
    "ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE",
    "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"};

bool is_standard(std::string_view name) {
    return std::find(standard_names.begin(), standard_names.end(), name) != standard_names.end();
}

struct Form {
    const char* parent;
    const char* variant;
};

// Names that simulation programs use, and modified residues that gemmi does not list.
const std::map<std::string, Form, std::less<>> forms{
    {"HID", {"HIS", "HIS"}},  {"HSD", {"HIS", "HIS"}},  {"HISD", {"HIS", "HIS"}},
    {"HISA", {"HIS", "HIS"}}, {"HIE", {"HIS", "HIE"}},  {"HSE", {"HIS", "HIE"}},
    {"HISE", {"HIS", "HIE"}}, {"HISB", {"HIS", "HIE"}}, {"HIP", {"HIS", "HIP"}},
    {"HSP", {"HIS", "HIP"}},  {"HSC", {"HIS", "HIP"}},  {"HISP", {"HIS", "HIP"}},
    {"HISH", {"HIS", "HIP"}}, {"CYX", {"CYS", "CYX"}},  {"CYM", {"CYS", "CYM"}},
    {"CYS2", {"CYS", "CYX"}}, {"CYSH", {"CYS", "CYS"}}, {"CYS1", {"CYS", "CYX"}},
    {"ASH", {"ASP", "ASH"}},  {"ASPH", {"ASP", "ASH"}}, {"GLH", {"GLU", "GLH"}},
    {"GLUH", {"GLU", "GLH"}}, {"LYN", {"LYS", "LYN"}},  {"LYSH", {"LYS", "LYS"}},
    {"LYP", {"LYS", "LYS"}},  {"ARGN", {"ARG", "ARG"}}, {"TRY", {"TRP", "TRP"}},
    {"SEC", {"CYS", "SEC"}},  {"PYL", {"LYS", "PYL"}},  {"ASX", {"ASN", "ASX"}},
    {"GLX", {"GLN", "GLX"}},  {"PCA", {"GLN", "PCA"}},  {"HYP", {"PRO", "HYP"}},
    {"MSE", {"MET", "MSE"}},  {"S1P", {"SER", "SEP"}},  {"T1P", {"THR", "TPO"}},
    {"Y1P", {"TYR", "PTR"}},  {"ACE", {"ACE", "ACE"}},  {"NME", {"NME", "NME"}},
    {"NMA", {"NME", "NME"}},  {"NH2", {"NH2", "NH2"}},  {"UNK", {"UNK", "UNK"}}};

constexpr std::array<std::string_view, 14> water_names{"HOH",  "WAT",  "H2O", "DOD", "TIP",
                                                       "TIP3", "TIP4", "TP3", "TP4", "TP5",
                                                       "SOL",  "SPC",  "OH2", "T3P"};

constexpr std::array<std::string_view, 21> nucleotide_names{
    "ADE", "GUA", "CYT", "THY", "URA", "DA3", "DA5", "DC3", "DC5", "DG3", "DG5",
    "DT3", "DT5", "RA",  "RC",  "RG",  "RU",  "A3",  "A5",  "G3",  "C5"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// AMBER marks the ends of a chain in the name: NALA, CGLY.
std::string without_terminus_letter(const std::string& name) {
    if (name.size() == 4 && (name[0] == 'N' || name[0] == 'C')) {
        const std::string rest = name.substr(1);
        if (is_standard(rest) || forms.contains(rest)) return rest;
    }
    return name;
}

}  // namespace

ResidueName classify_residue(const std::string& file_name) {
    const std::string name = without_terminus_letter(file_name);
    if (is_standard(name)) return {ResidueKind::amino_acid, name, name, true};
    if (const auto form = forms.find(name); form != forms.end())
        return {ResidueKind::amino_acid, form->second.parent, form->second.variant, false};
    const gemmi::ResidueInfo info = gemmi::find_tabulated_residue(name);
    if (info.is_water() || is_one_of(water_names, name))
        return {ResidueKind::water, name, name, false};
    if (info.is_nucleic_acid() || is_one_of(nucleotide_names, name))
        return {ResidueKind::nucleic_acid, name, name, false};
    if (info.is_amino_acid()) {
        const char* parent = gemmi::expand_protein_one_letter(info.one_letter_code);
        return {ResidueKind::amino_acid, parent && is_standard(parent) ? parent : name, name,
                false};
    }
    return {ResidueKind::other, name, name, false};
}

}  // namespace tessera::io
