#include "docking/evaluation/residue_matching.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {
namespace {

constexpr double same_number_identity = 0.8;
constexpr double same_number_coverage = 0.5;
constexpr double sequence_identity = 0.3;

std::vector<std::string> names_of(const Chain& chain) {
    std::vector<std::string> names;
    for (const Residue& residue : chain.residues) names.push_back(residue.name);
    return names;
}

std::string list_chains(const std::vector<Chain>& chains) {
    std::string text;
    for (const Chain& chain : chains)
        text += (text.empty() ? "" : ", ") + chain.name + " (" +
                io::counted(chain.residues.size(), "residue") + ")";
    return text;
}

std::size_t identical_residues(const Chain& a, const Chain& b, const IndexPairs& pairs) {
    std::size_t count = 0;
    for (const auto& [i, j] : pairs)
        if (a.residues[i].name == b.residues[j].name) ++count;
    return count;
}

ChainMatch make_match(const std::vector<Chain>& partner, std::size_t c,
                      const std::vector<Chain>& reference, std::size_t r, IndexPairs pairs,
                      bool by_number) {
    const std::size_t identical = identical_residues(partner[c], reference[r], pairs);
    const double identity =
        pairs.empty() ? 0 : static_cast<double>(identical) / static_cast<double>(pairs.size());
    return {c, r, std::move(pairs), identity, by_number};
}

IndexPairs same_numbers(const Chain& a, const Chain& b) {
    std::map<std::pair<int, char>, std::size_t> place;
    for (std::size_t j = 0; j < b.residues.size(); ++j)
        place.emplace(std::pair(b.residues[j].number, b.residues[j].insertion_code), j);
    IndexPairs pairs;
    for (std::size_t i = 0; i < a.residues.size(); ++i) {
        const auto found = place.find({a.residues[i].number, a.residues[i].insertion_code});
        if (found == place.end()) continue;
        pairs.emplace_back(i, found->second);
        place.erase(found);
    }
    return pairs;
}

/// The state of the matching for one partner.
struct Candidate {
    const std::vector<Chain>& partner;
    PartnerMatch match;
    std::vector<bool> done;  ///< chains of the partner that are matched
};

std::size_t shorter(const Chain& a, const Chain& b) {
    return std::min(a.residues.size(), b.residues.size());
}

void take(Candidate& candidate, ChainMatch match, std::vector<bool>& used) {
    used[match.reference_chain] = true;
    candidate.done[match.chain] = true;
    candidate.match.chains.push_back(std::move(match));
}

void match_by_number(Candidate& candidate, const std::vector<Chain>& reference,
                     std::vector<bool>& used) {
    for (std::size_t c = 0; c < candidate.partner.size(); ++c)
        for (std::size_t r = 0; r < reference.size(); ++r) {
            const Chain &chain = candidate.partner[c], &other = reference[r];
            if (candidate.done[c] || used[r] || !candidate.match.allowed[r] ||
                chain.name != other.name)
                continue;
            const ChainMatch match =
                make_match(candidate.partner, c, reference, r, same_numbers(chain, other), true);
            const double needed = same_number_coverage * static_cast<double>(shorter(chain, other));
            if (match.identity >= same_number_identity &&
                static_cast<double>(match.residues.size()) >= needed)
                take(candidate, match_chains(candidate.partner, c, reference, r), used);
        }
}

/// The pair of free chains with the most identical residues, if any pair is similar enough.
std::optional<ChainMatch> best_by_sequence(const Candidate& candidate,
                                           const std::vector<Chain>& reference,
                                           const std::vector<bool>& used) {
    std::optional<ChainMatch> best;
    double best_identical = 0;
    for (std::size_t c = 0; c < candidate.partner.size(); ++c)
        for (std::size_t r = 0; r < reference.size(); ++r) {
            if (candidate.done[c] || used[r] || !candidate.match.allowed[r]) continue;
            const Chain &chain = candidate.partner[c], &other = reference[r];
            ChainMatch match = match_chains(candidate.partner, c, reference, r);
            const double identical = match.identity * static_cast<double>(match.residues.size());
            const double needed = sequence_identity * static_cast<double>(shorter(chain, other));
            if (identical < needed || identical < best_identical + 0.5) continue;
            best_identical = identical;
            best = std::move(match);
        }
    return best;
}

void match_by_sequence(Candidate& candidate, const std::vector<Chain>& reference,
                       std::vector<bool>& used) {
    while (auto match = best_by_sequence(candidate, reference, used))
        take(candidate, std::move(*match), used);
    std::sort(candidate.match.chains.begin(), candidate.match.chains.end(),
              [](const ChainMatch& a, const ChainMatch& b) { return a.chain < b.chain; });
}

std::vector<bool> allowed_chains(const std::vector<Chain>& reference,
                                 const std::vector<std::string>& wanted,
                                 const std::vector<std::string>& of_the_other) {
    std::vector<bool> allowed(reference.size(), wanted.empty());
    // Both strands of a duplex may have the same name.
    const auto indices_of = [&](const std::string& name) {
        std::vector<std::size_t> found;
        for (std::size_t r = 0; r < reference.size(); ++r)
            if (reference[r].name == name) found.push_back(r);
        if (found.empty())
            throw Error("reference chain " + name + " not found",
                        "the reference has " + list_chains(reference),
                        "name chains that the reference has");
        return found;
    };
    for (const std::string& name : wanted)
        for (const std::size_t r : indices_of(name)) allowed[r] = true;
    for (const std::string& name : of_the_other)
        for (const std::size_t r : indices_of(name)) {
            if (!wanted.empty() && allowed[r])
                throw Error("reference chain " + name + " named twice",
                            "for the receptor and for the ligand", "give it to one of them");
            allowed[r] = false;
        }
    return allowed;
}

void require_match(const Candidate& candidate, const std::string& name,
                   const std::vector<Chain>& reference) {
    if (candidate.match.residues() > 0) return;
    throw Error("the " + name + " is not found in the reference",
                "no chain of " + list_chains(candidate.partner) + " resembles a free chain of " +
                    list_chains(reference),
                "check the files or name the chains with --reference-" + name + "-chains");
}

}  // namespace

std::size_t PartnerMatch::residues() const {
    std::size_t count = 0;
    for (const ChainMatch& chain : chains) count += chain.residues.size();
    return count;
}

// An alignment cannot know which of two equal neighbours the reference lacks; the numbers can.
ChainMatch match_chains(const std::vector<Chain>& partner, std::size_t c,
                        const std::vector<Chain>& reference, std::size_t r) {
    const Chain &chain = partner[c], &other = reference[r];
    IndexPairs numbered = same_numbers(chain, other);
    const std::size_t identical = identical_residues(chain, other, numbered);
    if (identical == shorter(chain, other))  // no alignment pairs more
        return make_match(partner, c, reference, r, std::move(numbered), true);
    IndexPairs aligned = align_sequences(names_of(chain), names_of(other));
    const bool by_number = identical >= identical_residues(chain, other, aligned);
    return make_match(partner, c, reference, r, std::move(by_number ? numbered : aligned),
                      by_number);
}

ComplexMatch match_complex(const std::vector<Chain>& receptor, const std::vector<Chain>& ligand,
                           const std::vector<Chain>& reference,
                           const std::vector<std::string>& reference_receptor_chains,
                           const std::vector<std::string>& reference_ligand_chains) {
    const auto candidate = [&](const std::vector<Chain>& partner, const auto& own,
                               const auto& others) {
        return Candidate{partner,
                         {{}, allowed_chains(reference, own, others)},
                         std::vector<bool>(partner.size(), false)};
    };
    Candidate r = candidate(receptor, reference_receptor_chains, reference_ligand_chains);
    Candidate l = candidate(ligand, reference_ligand_chains, reference_receptor_chains);
    std::vector<bool> used(reference.size(), false);
    match_by_number(r, reference, used);
    match_by_number(l, reference, used);
    match_by_sequence(r, reference, used);
    match_by_sequence(l, reference, used);
    require_match(r, "receptor", reference);
    require_match(l, "ligand", reference);
    return {std::move(r.match), std::move(l.match)};
}

PartnerMatch match_protein(const std::vector<Chain>& protein, const std::vector<Chain>& reference,
                           const std::vector<std::string>& names) {
    Candidate candidate{protein,
                        {{}, allowed_chains(reference, names, {})},
                        std::vector<bool>(protein.size(), false)};
    std::vector<bool> used(reference.size(), false);
    match_by_number(candidate, reference, used);
    match_by_sequence(candidate, reference, used);
    require_match(candidate, "receptor", reference);
    return std::move(candidate.match);
}

std::string describe(const PartnerMatch& match, const std::string& partner_name,
                     const std::vector<Chain>& partner, const std::vector<Chain>& reference) {
    std::string text = partner_name;
    std::vector<bool> found(partner.size(), false);
    for (const ChainMatch& m : match.chains) {
        found[m.chain] = true;
        text += (&m == &match.chains.front() ? " " : ", ") + partner[m.chain].name + " -> " +
                reference[m.reference_chain].name + " " +
                io::counted(m.residues.size(), "residue") + " (" +
                std::to_string(std::lround(100 * m.identity)) + " % identical, by " +
                (m.by_number ? "number" : "sequence") + ")";
    }
    for (std::size_t c = 0; c < partner.size(); ++c)
        if (!found[c]) text += ", " + partner[c].name + " not in the reference";
    return text;
}

}  // namespace tessera::docking
