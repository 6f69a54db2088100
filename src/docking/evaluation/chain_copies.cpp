#include "docking/evaluation/chain_copies.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "docking/evaluation/residue_matching.hpp"
#include "docking/evaluation/superposition.hpp"

namespace tessera::docking {
namespace {

/// The most identical residues that any alignment can pair.
std::size_t common_composition(const Chain& a, const Chain& b) {
    std::map<std::string, std::size_t> left;
    for (const Residue& residue : a.residues) ++left[residue.name];
    std::size_t common = 0;
    for (const Residue& residue : b.residues) {
        std::size_t& count = left[residue.name];
        if (count == 0) continue;
        --count;
        ++common;
    }
    return common;
}

/// The C-alphas that a chain has in common with a copy of it: `model` in the chain, `reference` in
/// the copy. Nothing if the other chain is no copy.
std::optional<PointPairs> common_ca(const std::vector<Chain>& chains, std::size_t chain,
                                    std::size_t other) {
    const std::vector<Residue>&a = chains[chain].residues, &b = chains[other].residues;
    const auto [shorter, longer] = std::minmax({a.size(), b.size()});
    const double needed = copy_identity * static_cast<double>(shorter);
    if (longer > 2 * shorter ||
        static_cast<double>(common_composition(chains[chain], chains[other])) < needed)
        return {};
    const ChainMatch match = match_chains(chains, chain, chains, other);
    if (match.identity * static_cast<double>(match.residues.size()) < needed) return {};
    PointPairs pairs;
    for (const auto& [i, j] : match.residues) {
        const Vec3 *from = a[i].trace(), *to = b[j].trace();
        if (from && to) pairs.add(*from, *to);
    }
    return pairs;
}

/// For each slot of a group and each chain that may replace the slot's chain, the common C-alphas.
using CopyTable = std::vector<std::map<std::size_t, PointPairs>>;

CopyTable copy_table(const ChainGroup& group, const std::vector<Chain>& chains,
                     const MayReplace& may_replace) {
    CopyTable table(group.size());
    for (std::size_t slot = 0; slot < group.size(); ++slot)
        for (std::size_t chain = 0; chain < chains.size(); ++chain) {
            if (!may_replace(slot, chain)) continue;
            if (auto pairs = common_ca(chains, group[slot], chain); pairs && pairs->size() >= 3)
                table[slot].emplace(chain, std::move(*pairs));
        }
    return table;
}

double mean_square(const RigidMotion& motion, const PointPairs& pairs) {
    double sum = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        sum += distance_squared(motion(pairs.model[i]), pairs.reference[i]);
    return sum / static_cast<double>(pairs.size());
}

constexpr auto none = static_cast<std::size_t>(-1);

/// The free chain of a row of the table that lies nearest to the moved slot, or `none`.
std::size_t nearest_free(const std::map<std::size_t, PointPairs>& row, const ChainGroup& used,
                         const RigidMotion& motion) {
    std::size_t nearest = none;
    double least = 0;
    for (const auto& [chain, pairs] : row) {
        if (std::ranges::count(used, chain) > 0) continue;
        const double distance = mean_square(motion, pairs);
        if (nearest != none && distance >= least) continue;
        nearest = chain;
        least = distance;
    }
    return nearest;
}

/// The group that comes nearest when the chain of slot `anchor` is superposed on `chain`. Nothing
/// if a slot finds no free chain or the whole group does not fit.
std::optional<ChainGroup> placed(const CopyTable& table, std::size_t anchor, std::size_t chain) {
    const PointPairs& anchors = table[anchor].at(chain);
    const RigidMotion motion = superpose(anchors.model, anchors.reference);
    ChainGroup group, used{chain};
    PointPairs all;
    for (std::size_t slot = 0; slot < table.size(); ++slot) {
        const std::size_t taken = slot == anchor ? chain : nearest_free(table[slot], used, motion);
        if (taken == none) return {};
        group.push_back(taken);
        used.push_back(taken);
        const PointPairs& pairs = table[slot].at(taken);
        for (std::size_t i = 0; i < pairs.size(); ++i) all.add(pairs.model[i], pairs.reference[i]);
    }
    if (superposed_rmsd(all.model, all.reference) > copy_rmsd) return {};
    return group;
}

}  // namespace

std::vector<ChainGroup> copies_of(const ChainGroup& group, const std::vector<Chain>& chains,
                                  const MayReplace& may_replace) {
    const CopyTable table = copy_table(group, chains, may_replace);
    std::vector<ChainGroup> copies;
    const auto stays = [&](std::size_t slot) { return may_replace(slot, group[slot]); };
    bool all_stay = true;
    for (std::size_t slot = 0; slot < group.size(); ++slot) all_stay = all_stay && stays(slot);
    if (all_stay) copies.push_back(group);
    // The rarest chain has the fewest places to try.
    const auto rarest =
        std::ranges::min_element(table, {}, [](const auto& row) { return row.size(); });
    const auto anchor = static_cast<std::size_t>(rarest - table.begin());
    for (const auto& [chain, pairs] : *rarest) {
        auto copy = placed(table, anchor, chain);
        if (copy && std::ranges::count(copies, *copy) == 0) copies.push_back(std::move(*copy));
    }
    return copies;
}

}  // namespace tessera::docking
