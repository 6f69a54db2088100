#include "docking/restraints.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace tessera::docking {

namespace {

struct ResidueRange {
    std::string partner, chain;
    int first = 0, last = 0;
};

ResidueRange parse_line(const std::string& line, const std::string& where) {
    std::istringstream fields(line);
    ResidueRange range;
    std::string numbers, rest;
    fields >> range.partner >> range.chain >> numbers;
    char end = 0;
    const int read = std::sscanf(numbers.c_str(), "%d-%d%c", &range.first, &range.last, &end);
    if (read == 1) range.last = range.first;
    const bool whole = read == 2 || numbers == std::to_string(range.first);
    if (!whole || (fields >> rest) || (range.partner != "receptor" && range.partner != "ligand") ||
        range.last < range.first)
        throw Error(where + ": not a residue line", line,
                    "write: receptor|ligand CHAIN NUMBER or NUMBER-NUMBER");
    return range;
}

int flag_atoms(const ResidueRange& range, const io::Structure& structure, const Molecule& molecule,
               std::vector<bool>& flags) {
    int flagged = 0;
    flags.resize(molecule.size(), false);
    for (std::size_t a = 0; a < molecule.size(); ++a) {
        const io::AtomRecord& atom = structure.atoms[molecule.structure_index[a]];
        if (atom.chain != range.chain || atom.residue_number < range.first ||
            atom.residue_number > range.last)
            continue;
        flags[a] = true;
        ++flagged;
    }
    return flagged;
}

}  // namespace

void read_residue_list(const std::string& path, const io::Structure& receptor_structure,
                       const Molecule& receptor, const io::Structure& ligand_structure,
                       const Molecule& ligand, std::vector<bool>& receptor_flags,
                       std::vector<bool>& ligand_flags) {
    std::ifstream in(path);
    if (!in) throw Error("cannot read " + path, "no such file", "check the path");
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const std::string where = fmt::format("{}:{}", path, number);
        const ResidueRange range = parse_line(line, where);
        const int flagged =
            range.partner == "receptor"
                ? flag_atoms(range, receptor_structure, receptor, receptor_flags)
                : flag_atoms(range, ligand_structure, ligand, ligand_flags);
        if (flagged == 0)
            throw Error(where + ": no such residue", line,
                        fmt::format("use chain names and residue numbers of the {} file",
                                    range.partner));
    }
}

}  // namespace tessera::docking
