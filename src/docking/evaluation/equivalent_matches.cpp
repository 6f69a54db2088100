#include "docking/evaluation/equivalent_matches.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "docking/evaluation/chain_copies.hpp"

namespace tessera::docking {
namespace {

ChainGroup partner_chains(const PartnerMatch& match) {
    ChainGroup group;
    for (const ChainMatch& m : match.chains) group.push_back(m.chain);
    return group;
}

ChainGroup reference_chains(const PartnerMatch& match) {
    ChainGroup group;
    for (const ChainMatch& m : match.chains) group.push_back(m.reference_chain);
    return group;
}

ChainGroup joined(ChainGroup a, const ChainGroup& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// The groups of reference chains that receptor and ligand may take, receptor first.
std::vector<ChainGroup> reference_groups(const ComplexMatch& match,
                                         const std::vector<Chain>& reference) {
    const ChainGroup of_receptor = reference_chains(match.receptor),
                     of_ligand = reference_chains(match.ligand);
    const auto may_take = [&](std::size_t slot, std::size_t chain) {
        return (slot < of_receptor.size() ? match.receptor : match.ligand).allowed[chain];
    };
    auto groups = copies_of(joined(of_receptor, of_ligand), reference, may_take);
    // The same protein twice: its two chains need not superpose as a pair.
    const auto among = [&](const ChainGroup& others, const PartnerMatch& partner) {
        return [&](std::size_t, std::size_t chain) {
            return partner.allowed[chain] && std::ranges::count(others, chain) > 0;
        };
    };
    const auto receptor = copies_of(of_receptor, reference, among(of_ligand, match.receptor)),
               ligand = copies_of(of_ligand, reference, among(of_receptor, match.ligand));
    if (receptor.empty() || ligand.empty()) return groups;
    ChainGroup exchanged = joined(receptor.front(), ligand.front());
    if (std::ranges::count(groups, exchanged) == 0) groups.push_back(std::move(exchanged));
    return groups;
}

/// Makes the matches of one partner, and pairs the residues of two chains once only.
class PartnerMatches {
  public:
    PartnerMatches(const PartnerMatch& match, const std::vector<Chain>& partner,
                   const std::vector<Chain>& reference)
        : allowed_(match.allowed), partner_(partner), reference_(reference) {
        for (const ChainMatch& m : match.chains) known_.emplace(key(m.chain, m.reference_chain), m);
    }

    /// `of_reference` holds the reference chain of each chain of `chains`, from index `first` on.
    PartnerMatch operator()(const ChainGroup& chains, const ChainGroup& of_reference,
                            std::size_t first) {
        PartnerMatch match{{}, allowed_};
        for (std::size_t slot = 0; slot < chains.size(); ++slot) {
            const std::size_t c = chains[slot], r = of_reference[first + slot];
            auto found = known_.find(key(c, r));
            if (found == known_.end())
                found = known_.emplace(key(c, r), match_chains(partner_, c, reference_, r)).first;
            match.chains.push_back(found->second);
        }
        std::ranges::sort(match.chains, {}, &ChainMatch::chain);
        return match;
    }

  private:
    using Key = std::pair<std::size_t, std::size_t>;
    static Key key(std::size_t chain, std::size_t reference_chain) {
        return {chain, reference_chain};
    }

    std::vector<bool> allowed_;
    const std::vector<Chain>&partner_, &reference_;
    std::map<Key, ChainMatch> known_;
};

}  // namespace

std::vector<ComplexMatch> equivalent_matches(const ComplexMatch& match,
                                             const std::vector<Chain>& receptor,
                                             const std::vector<Chain>& ligand,
                                             const std::vector<Chain>& reference,
                                             std::size_t most) {
    const auto any = [](std::size_t, std::size_t) { return true; };
    const auto receptor_groups = copies_of(partner_chains(match.receptor), receptor, any),
               ligand_groups = copies_of(partner_chains(match.ligand), ligand, any);
    PartnerMatches of_receptor(match.receptor, receptor, reference),
        of_ligand(match.ligand, ligand, reference);
    std::vector<ComplexMatch> matches;
    for (const ChainGroup& places : reference_groups(match, reference))
        for (const ChainGroup& l : ligand_groups)
            for (const ChainGroup& r : receptor_groups) {
                if (matches.size() == most) return matches;
                matches.push_back({of_receptor(r, places, 0),
                                   of_ligand(l, places, match.receptor.chains.size())});
            }
    return matches;
}

}  // namespace tessera::docking
