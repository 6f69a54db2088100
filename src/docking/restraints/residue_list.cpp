#include "docking/restraints/residue_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "docking/model/listed_residues.hpp"
#include "docking/restraints/missing_selection.hpp"
#include "docking/restraints/selection_parser.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_lines.hpp"

namespace tessera::docking {

namespace {

/// The size limit allows a line for every residue of the largest complexes.
constexpr io::InputKind residue_list{"list of residues",
                                     "write: receptor|ligand CHAIN NUMBER or NUMBER-NUMBER, or "
                                     "a selection such as receptor chain A and resid 27:39",
                                     std::size_t{1} << 20, "name ranges of residues"};

constexpr std::array<std::string_view, 8> first_words{"resid", "resn",    "name", "segid",
                                                      "chain", "resname", "not",  "all"};

struct Line {
    Partner partner;
    AtomSelection selection;
};

/// Reads "12", "-3", "12-20" or "-5--1". Nothing for any other text.
std::optional<AtomSelection> parse_numbers(const std::string& text) {
    AtomSelection residues;
    residues.kind = AtomSelection::Kind::residue;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, residues.first);
    if (read.ec != std::errc{}) return std::nullopt;
    residues.last = residues.first;
    if (read.ptr == end) return residues;
    if (*read.ptr != '-') return std::nullopt;
    read = std::from_chars(read.ptr + 1, end, residues.last);
    if (read.ec != std::errc{} || read.ptr != end || residues.first > residues.last)
        return std::nullopt;
    return residues;
}

/// Reads "CHAIN NUMBER" or "CHAIN NUMBER-NUMBER". Nothing for any other text.
std::optional<AtomSelection> parse_chain_and_numbers(const std::string& text) {
    std::istringstream fields(text);
    std::string chain, numbers, rest;
    fields >> chain >> numbers;
    const auto residues = parse_numbers(numbers);
    if (!residues || (fields >> rest)) return std::nullopt;
    AtomSelection of_chain, both;
    of_chain.kind = AtomSelection::Kind::chain;
    of_chain.text = chain;
    both.kind = AtomSelection::Kind::all_of;
    both.parts = {of_chain, *residues};
    return both;
}

bool begins_selection(const std::string& text) {
    std::istringstream fields(text);
    std::string word;
    fields >> word;
    if (word.starts_with('(')) return true;
    for (const std::string_view keyword : first_words)
        if (is_keyword(word, keyword)) return true;
    return false;
}

AtomSelection parse_whole_selection(const std::string& text, const std::string& path, int line) {
    SelectionWords words(text, path, line);
    AtomSelection selection = parse_selection(words, SegidMeaning::chain);
    if (!words.at_end())
        words.fail("'" + io::one_line(std::string(words.peek())) + "' follows the selection",
                   "combine conditions with and or or");
    return selection;
}

Line parse_line(const std::string& line, const std::string& path, int number) {
    std::istringstream fields(line);
    std::string partner, rest;
    fields >> partner;
    std::getline(fields, rest);
    const bool is_partner = partner == "receptor" || partner == "ligand";
    const Partner side = partner == "ligand" ? Partner::ligand : Partner::receptor;
    if (is_partner && begins_selection(rest))
        return {side, parse_whole_selection(rest, path, number)};
    if (const auto selection = parse_chain_and_numbers(rest); is_partner && selection)
        return {side, *selection};
    throw Error(fmt::format("{}:{}: not a residue line", path, number),
                "'" + io::one_line(line) + "'", residue_list.wanted);
}

/// Returns the number of flagged atoms.
int flag_atoms(const Line& line, const FlaggedPartner& partner) {
    int flagged = 0;
    partner.flags.resize(partner.molecule.size(), false);
    for (std::size_t a = 0; a < partner.molecule.size(); ++a) {
        const io::AtomRecord& atom = partner.structure.atoms[partner.molecule.structure_index[a]];
        if (!line.selection.matches(atom, line.partner)) continue;
        partner.flags[a] = true;
        ++flagged;
    }
    return flagged;
}

}  // namespace

void parse_residue_list(const io::TextSource& source, const FlaggedPartner& receptor,
                        const FlaggedPartner& ligand) {
    bool is_empty = true;
    io::TextLines lines(source.text);
    for (std::string text; lines.next(text);) {
        text = text.substr(0, text.find('#'));
        if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
        is_empty = false;
        const Line line = parse_line(text, source.path, static_cast<int>(lines.number()));
        if (flag_atoms(line, line.partner == Partner::receptor ? receptor : ligand) == 0)
            throw Error(fmt::format("{}:{}: no such residue", source.path, lines.number()),
                        "'" + io::one_line(text) + "'",
                        suggestion_for(line.selection, receptor.structure, ligand.structure,
                                       &line.partner));
    }
    if (is_empty)
        throw Error("'" + source.path + "' names no residues", "it has no line to read",
                    "write: receptor|ligand CHAIN NUMBER-NUMBER, or leave the option out");
}

std::string read_residue_list(const std::string& path, const FlaggedPartner& receptor,
                              const FlaggedPartner& ligand) {
    const io::TextSource source = io::read_text_file(path, residue_list);
    parse_residue_list(source, receptor, ligand);
    return source.sha256;
}

std::string residues_in_both(const io::Structure& structure, const Molecule& molecule,
                             const std::vector<bool>& one, const std::vector<bool>& other) {
    ResidueSet both;
    for (std::size_t a = 0; a < std::min(one.size(), other.size()); ++a)
        if (one[a] && other[a])
            both.insert(structure.atoms[molecule.structure_index[a]].residue_index);
    return listed(structure, both);
}

}  // namespace tessera::docking
