#include "io/proteins/residue_grouping.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::io {
namespace {

/// Alternate positions of a backbone atom are closer to each other than this; the atoms of two
/// residues are not.
constexpr double nearest_residue = 2;  // Angstrom

// Whether a residue already has this backbone atom at another position, and not as an alternate.
// Then the site belongs to the next residue, to which the file gives the same number.
bool repeats_backbone(const Residue& residue, const AtomSite& site) {
    constexpr std::size_t most_looked_at =
        1000;  // no residue is larger, but a malicious file may claim so
    if (site.name != "N" && site.name != "CA" && site.name != "C") return false;
    const auto end =
        residue.begin() + static_cast<std::ptrdiff_t>(std::min(residue.size(), most_looked_at));
    return std::any_of(residue.begin(), end, [&](const AtomSite& other) {
        const bool alternates =
            site.alternate != other.alternate && site.alternate != ' ' && other.alternate != ' ';
        return other.name == site.name && !alternates &&
               norm(other.position - site.position) > nearest_residue;
    });
}

}  // namespace

std::vector<Residue> group_residues(std::vector<AtomSite> sites) {
    using Key = std::tuple<int, std::string, int, char>;
    std::vector<Residue> residues;
    std::map<Key, std::size_t> with_alternates;  // conformers may be separated in the file
    Key last;
    std::size_t target = 0;
    for (AtomSite& site : sites) {
        const Key key{site.segment, site.chain, site.residue_number, site.insertion_code};
        const bool lettered = site.alternate != ' ';
        const bool same = !residues.empty() && key == last &&
                          (lettered || site.residue == residues[target].front().residue);
        if (!same) {
            const auto known = with_alternates.find(key);
            target = lettered && known != with_alternates.end() ? known->second : residues.size();
        }
        if (target < residues.size() && repeats_backbone(residues[target], site))
            target = residues.size();
        if (target == residues.size()) residues.emplace_back();
        if (lettered) with_alternates[key] = target;
        last = key;
        residues[target].push_back(std::move(site));
    }
    return residues;
}

}  // namespace tessera::io
