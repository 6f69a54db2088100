#include "docking/model/low_confidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.hpp"
#include "docking/model/listed_residues.hpp"
#include "docking/model/residue_ranges.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

namespace {

using Kind = PlddtRule::Kind;

/// Places [begin, end) of equal flags, which are residues of one chain.
struct Piece {
    std::size_t begin, end;
    bool at_chain_begin, at_chain_end;

    bool is_short() const { return end - begin < static_cast<std::size_t>(shortest_piece); }
};

/// Gives the short pieces with the flag `from` the other flag, if `chosen` says so.
template <class Chosen>
void turn_short_pieces(std::vector<bool>& low, const std::vector<std::size_t>& chain_begins,
                       bool from, const Chosen& chosen) {
    for (std::size_t c = 0; c + 1 < chain_begins.size(); ++c) {
        const std::size_t first = chain_begins[c], last = chain_begins[c + 1];
        for (std::size_t begin = first; begin < last;) {
            std::size_t end = begin + 1;
            while (end < last && low[end] == low[begin]) ++end;
            const Piece piece{begin, end, begin == first, end == last};
            if (low[begin] == from && piece.is_short() && chosen(piece))
                std::fill(low.begin() + static_cast<std::ptrdiff_t>(begin),
                          low.begin() + static_cast<std::ptrdiff_t>(end), !from);
            begin = end;
        }
    }
}

/// The first residue of each chain, and the number of residues.
std::vector<std::size_t> begins_of_chains(const io::Structure& structure) {
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < structure.atoms.size(); ++i) {
        const io::AtomRecord& atom = structure.atoms[i];
        if (atom.hetero || atom.nucleic) break;
        if (i == 0 || atom.chain != structure.atoms[i - 1].chain ||
            atom.segment != structure.atoms[i - 1].segment)
            begins.push_back(static_cast<std::size_t>(atom.residue_index));
    }
    begins.push_back(static_cast<std::size_t>(protein_residues(structure)));
    return begins;
}

/// The pLDDT that the rule takes.
io::Plddt plddt_for(const PlddtRule& rule, const io::Structure& structure) {
    const bool unknown = structure.plddt.values.empty();
    return rule.kind == Kind::forced && unknown ? io::plddt_of_b_column(structure.atoms)
                                                : structure.plddt;
}

LowConfidence low_confidence_in(const io::Structure& structure, const io::Plddt& plddt,
                                double threshold) {
    LowConfidence low;
    low.threshold = threshold;
    low.source = plddt.source;
    low.residues = protein_residues(structure);
    low.left_out = low_residues(structure, plddt.values, threshold);
    low.named = listed(structure, ResidueSet(low.left_out.begin(), low.left_out.end()));
    return low;
}

/// A remark for a user whose model does not say what it is.
std::string remark_on_likely_model(const std::string& partner, const io::Structure& structure,
                                   double threshold) {
    const io::Plddt plddt = io::plddt_of_b_column(structure.atoms);
    const std::size_t low = low_residues(structure, plddt.values, threshold).size();
    if (low == 0) return {};
    return fmt::format(
        "{}: the B column may hold pLDDT, but {}: --plddt {}={:g} leaves out {} of {}", partner,
        structure.plddt.problem, partner, threshold, low,
        io::counted(protein_residues(structure), "residue"));
}

void cut(CutPartner& partner, io::Structure& structure) {
    if (partner.low.left_out.empty()) return;
    io::Structure rest = without_residues(structure, partner.low.left_out);
    partner.whole = std::exchange(structure, std::move(rest));
}

}  // namespace

std::vector<int> low_residues(const io::Structure& structure, const std::vector<double>& plddt,
                              double threshold) {
    std::vector<bool> low;
    low.reserve(plddt.size());
    for (const double value : plddt) low.push_back(value < threshold);
    const auto chains = begins_of_chains(structure);
    turn_short_pieces(low, chains, true, [](const Piece& piece) {
        return !piece.at_chain_begin && !piece.at_chain_end;
    });
    turn_short_pieces(low, chains, false, [](const Piece& piece) {
        return !piece.at_chain_begin || !piece.at_chain_end;
    });
    std::vector<int> residues;
    for (std::size_t i = 0; i < low.size(); ++i)
        if (low[i]) residues.push_back(static_cast<int>(i));
    return residues;
}

io::Structure without_residues(const io::Structure& whole, const std::vector<int>& left_out) {
    io::Structure rest = whole;
    rest.atoms.clear();
    rest.plddt = {};
    rest.residues_left_out = static_cast<int>(left_out.size());
    int residue = -1, segment = -1;
    const io::AtomRecord* before = nullptr;  // the last atom that is kept
    for (const io::AtomRecord& atom : whole.atoms) {
        if (std::ranges::binary_search(left_out, atom.residue_index)) continue;
        residue += !before || atom.residue_index != before->residue_index;
        segment += !before || atom.segment != before->segment;
        io::AtomRecord& kept = rest.atoms.emplace_back(atom);
        kept.residue_index = residue;
        kept.segment = segment;
        before = &atom;
    }
    return rest;
}

CutPartner cut_low_confidence(const std::string& partner, const PlddtRule& rule,
                              io::Structure& structure) {
    CutPartner result;
    if (rule.kind == Kind::off) return result;
    const io::Plddt plddt = plddt_for(rule, structure);
    if (plddt.values.empty()) {
        result.no_plddt = (plddt.source.empty() ? "" : plddt.source + ", but ") + plddt.problem;
        if (rule.kind == Kind::forced)
            throw Error(fmt::format("--plddt {}={:g} finds no pLDDT in '{}'", partner,
                                    rule.threshold, structure.path),
                        result.no_plddt, "give the file as the predicting program wrote it");
        if (plddt.may_be)
            result.message = remark_on_likely_model(partner, structure, rule.threshold);
        else if (!plddt.source.empty() || rule.kind == Kind::given)
            result.message = partner + ": no pLDDT is used (" + result.no_plddt + ")";
        return result;
    }
    result.low = low_confidence_in(structure, plddt, rule.threshold);
    if (std::ssize(result.low.left_out) == result.low.residues)
        throw Error(fmt::format("no residue of the {} is left", partner),
                    fmt::format("all {} residues of '{}' have a pLDDT below {:g}",
                                result.low.residues, structure.path, rule.threshold),
                    "lower the threshold with --plddt, or keep them with --plddt off");
    cut(result, structure);
    result.message = partner + ": " + describe(result.low) + "; pLDDT from " + result.low.source;
    return result;
}

CutPartner cut_again(const std::string& partner, const LowConfidence& former,
                     io::Structure& structure) {
    CutPartner result;
    result.low = former;
    if (!former.is_used()) return result;
    if (protein_residues(structure) != former.residues)
        throw Error("cannot place the " + partner,
                    "'" + structure.path + "' is not the file that was docked",
                    "give the docked file with --" + partner + ", or dock again");
    cut(result, structure);
    return result;
}

void require_plddt(const PlddtRules& rules, const CutPartner& receptor, const CutPartner& ligand) {
    if (rules.receptor.kind != Kind::given || receptor.low.is_used() || ligand.low.is_used())
        return;
    throw Error(fmt::format("--plddt {:g} finds no pLDDT", rules.receptor.threshold),
                "receptor: " + receptor.no_plddt + "; ligand: " + ligand.no_plddt,
                fmt::format("write --plddt receptor={:g} or ligand={:g} if the B column of that "
                            "file holds pLDDT, otherwise leave the option out",
                            rules.receptor.threshold, rules.receptor.threshold));
}

std::string describe(const LowConfidence& low) {
    if (low.left_out.empty()) return fmt::format("no residue is below pLDDT {:g}", low.threshold);
    return fmt::format("{} of {} below pLDDT {:g} {} left out ({})", low.left_out.size(),
                       io::counted(low.residues, "residue"), low.threshold,
                       io::agreeing(low.left_out.size(), "is", "are"), low.named);
}

}  // namespace tessera::docking
