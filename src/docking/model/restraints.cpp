#include "docking/model/restraints.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "core/error.hpp"
#include "docking/model/listed_residues.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_lines.hpp"

namespace tessera::docking {

namespace {

/// The size limit allows a line for every residue of the largest complexes.
constexpr io::InputKind residue_list{"list of residues",
                                     "write: receptor|ligand CHAIN NUMBER or NUMBER-NUMBER",
                                     std::size_t{1} << 20, "name ranges of residues"};

struct ResidueRange {
    std::string partner, chain;
    int first = 0, last = 0;
};

/// Reads "12", "-3", "12-20" or "-5--1". False for any other text.
bool parse_numbers(const std::string& text, ResidueRange& range) {
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, range.first);
    if (read.ec != std::errc{}) return false;
    range.last = range.first;
    if (read.ptr == end) return true;
    if (*read.ptr != '-') return false;
    read = std::from_chars(read.ptr + 1, end, range.last);
    return read.ec == std::errc{} && read.ptr == end && range.first <= range.last;
}

ResidueRange parse_line(const std::string& line, const std::string& where) {
    std::istringstream fields(line);
    ResidueRange range;
    std::string numbers, rest;
    fields >> range.partner >> range.chain >> numbers;
    if (!parse_numbers(numbers, range) || (fields >> rest) ||
        (range.partner != "receptor" && range.partner != "ligand"))
        throw Error(where + ": not a residue line", "'" + io::one_line(line) + "'",
                    residue_list.wanted);
    return range;
}

/// "_" stands for a blank chain name, as on the command line.
bool in_chain(const io::AtomRecord& atom, const std::string& name) {
    return atom.chain == name || (atom.chain.empty() && name == "_");
}

/// Returns the number of flagged atoms.
int flag_atoms(const ResidueRange& range, const FlaggedPartner& partner) {
    int flagged = 0;
    partner.flags.resize(partner.molecule.size(), false);
    for (std::size_t a = 0; a < partner.molecule.size(); ++a) {
        const io::AtomRecord& atom = partner.structure.atoms[partner.molecule.structure_index[a]];
        if (!in_chain(atom, range.chain) || atom.residue_number < range.first ||
            atom.residue_number > range.last)
            continue;
        partner.flags[a] = true;
        ++flagged;
    }
    return flagged;
}

}  // namespace

void parse_residue_list(const io::TextSource& source, const FlaggedPartner& receptor,
                        const FlaggedPartner& ligand) {
    int ranges = 0;
    io::TextLines lines(source.text);
    for (std::string line; lines.next(line);) {
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const std::string where = fmt::format("{}:{}", source.path, lines.number());
        const ResidueRange range = parse_line(line, where);
        const FlaggedPartner& partner = range.partner == "receptor" ? receptor : ligand;
        if (flag_atoms(range, partner) == 0)
            throw Error(where + ": no such residue", "'" + io::one_line(line) + "'",
                        fmt::format("use chain names and residue numbers of the {} file{}",
                                    range.partner, left_out_hint(partner.structure)));
        ++ranges;
    }
    if (ranges == 0)
        throw Error("'" + source.path + "' names no residues", "it has no line to read",
                    "write: receptor|ligand CHAIN NUMBER-NUMBER, or leave the option out");
}

std::string read_residue_list(const std::string& path, const FlaggedPartner& receptor,
                              const FlaggedPartner& ligand) {
    const io::TextSource source = io::read_text_file(path, residue_list);
    parse_residue_list(source, receptor, ligand);
    return source.sha256;
}

}  // namespace tessera::docking
