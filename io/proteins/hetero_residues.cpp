#include "io/proteins/hetero_residues.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace tessera::io {
namespace {

constexpr double longest_peptide_bond = 1.8;  // Angstrom

const AtomSite* find_site(const Residue& residue, std::string_view name) {
    const auto found = std::ranges::find(residue, name, &AtomSite::name);
    return found == residue.end() ? nullptr : &*found;
}

bool has_peptide_bond(const Residue& before, const Residue& after) {
    const AtomSite* const c = find_site(before, "C");
    const AtomSite* const n = find_site(after, "N");
    return c && n && c->chain == n->chain && norm(c->position - n->position) < longest_peptide_bond;
}

}  // namespace

bool is_chain_link(const std::vector<Residue>& residues, std::size_t place) {
    const Residue& residue = residues[place];
    if (!find_site(residue, "N") || !find_site(residue, "CA") || !find_site(residue, "C"))
        return false;
    return (place > 0 && has_peptide_bond(residues[place - 1], residue)) ||
           (place + 1 < residues.size() && has_peptide_bond(residue, residues[place + 1]));
}

void NearestChain::add(const Residue& residue) {
    for (const AtomSite& site : residue) atoms_.emplace_back(site.position, site.chain);
}

std::string NearestChain::of(const Residue& residue) const {
    double nearest = std::numeric_limits<double>::max();
    std::string chain;
    for (const auto& [position, name] : atoms_) {
        const double distance = distance_squared(position, residue.front().position);
        if (distance >= nearest) continue;
        nearest = distance;
        chain = name;
    }
    return chain;
}

}  // namespace tessera::io
