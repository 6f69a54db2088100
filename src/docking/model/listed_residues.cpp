#include "docking/model/listed_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

std::string listed(const io::Structure& structure, const ResidueSet& residues) {
    struct Range {
        std::string chain;
        int first, last, index;
    };
    std::vector<Range> ranges;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (!residues.contains(atom.residue_index)) continue;
        if (!ranges.empty() && ranges.back().chain == atom.chain &&
            atom.residue_index - ranges.back().index <= 1) {
            ranges.back().last = atom.residue_number;
            ranges.back().index = atom.residue_index;
        } else {
            ranges.push_back(
                {atom.chain, atom.residue_number, atom.residue_number, atom.residue_index});
        }
    }
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, ranges.size()); ++i) {
        const Range& range = ranges[i];
        text += fmt::format("{}{} {}", i > 0 ? ", " : "",
                            range.chain.empty() ? "_" : io::one_line(range.chain, 8), range.first);
        if (range.last != range.first) text += fmt::format("-{}", range.last);
    }
    return ranges.size() > most ? text + fmt::format(" and {} more", ranges.size() - most) : text;
}

std::string left_out_hint(const io::Structure& structure) {
    if (structure.residues_left_out == 0) return {};
    return fmt::format("; {} of low pLDDT {} left out, which --plddt off keeps",
                       io::counted(structure.residues_left_out, "residue"),
                       structure.residues_left_out == 1 ? "is" : "are");
}

}  // namespace tessera::docking
