#include "docking/repacking/pack_partner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "docking/refinement/near_atoms.hpp"
#include "docking/repacking/side_chain_geometry.hpp"

namespace tessera::docking {

namespace {

using kernels::PackPartner;
using kernels::PackSideChain;
using kernels::RefineAtom;

constexpr double rare_share = 0.001;  // of a conformation that is no rotamer of the library
constexpr double farthest_chi = 3;    // standard deviations of a rotamer's chi angle
constexpr const char* backbone[] = {"N", "CA", "C", "O", "OXT", "CB"};

/// A side chain of the structure whose atoms are all there.
struct Found {
    const SideChainKind* kind;
    SideChainAtoms positions;
    std::vector<int> moving;  ///< atoms of the structure
};

/// The atoms begin to end of a structure, which are one residue.
std::optional<Found> side_chain_of(const io::Structure& structure,
                                   const std::vector<RefineAtom>& atoms, int begin, int end) {
    const io::AtomRecord& first = structure.atoms[begin];
    const SideChainKind* kind =
        first.hetero || first.nucleic ? nullptr : side_chain_kind(first.residue);
    if (!kind) return std::nullopt;
    const auto find = [&](const std::string& name) {
        int i = begin;
        while (i < end && structure.atoms[i].name != name) ++i;
        return i;
    };
    Found found{kind, {}, {}};
    for (const std::string& name : kind->chain) {
        const int i = find(name);
        if (i == end) return std::nullopt;
        found.positions.chain.push_back(atoms[i].position);
    }
    for (const auto& [name, chis] : kind->moving) {
        const int i = find(name);
        if (i == end) return std::nullopt;
        found.positions.moving.push_back(atoms[i].position);
        found.moving.push_back(i);
    }
    const auto known = [&](const io::AtomRecord& atom) {
        return std::ranges::find(backbone, atom.name) != std::end(backbone) ||
               std::ranges::find(kind->moving, atom.name, &std::pair<std::string, int>::first) !=
                   kind->moving.end();
    };
    const auto residue = std::span(structure.atoms).subspan(begin, end - begin);
    if (!std::ranges::all_of(residue, known)) return std::nullopt;
    return found;
}

/// The difference of two angles in units of the deviation.
double angle_distance(double a, double b, double deviation, double period) {
    return std::abs(std::remainder(a - b, period)) / deviation;
}

/// The share of the rotamer that these angles belong to.
double share_of(const SideChainKind& kind, const std::vector<double>& chis,
                const std::vector<Rotamer>& rotamers) {
    double nearest = std::numeric_limits<double>::max(), share = rare_share;
    for (const Rotamer& rotamer : rotamers) {
        double sum = 0, largest = 0;
        for (int k = 0; k < kind.chis(); ++k) {
            const double period = kind.symmetric && k == kind.chis() - 1 ? 180 : 360;
            const double d =
                angle_distance(chis[k], rotamer.chis[k], rotamer.deviations[k], period);
            sum += d * d;
            largest = std::max(largest, d);
        }
        if (largest <= farthest_chi && sum < nearest) nearest = sum, share = rotamer.share;
    }
    return share;
}

void append(const std::vector<Vec3>& points, std::vector<float>& positions) {
    for (const Vec3& p : points)
        for (const double x : {p.x, p.y, p.z}) positions.push_back(static_cast<float>(x));
}

PackSideChain rotamers_of(const Found& found, const std::vector<Rotamer>& rotamers,
                          const kernels::PackParameters& parameters) {
    PackSideChain side;
    side.atoms = found.moving;
    side.center = found.positions.chain[2];
    const auto add = [&](const std::vector<Vec3>& points, double energy) {
        for (const Vec3& p : points) side.reach = std::max(side.reach, norm(p - side.center));
        append(points, side.positions);
        side.own_energies.push_back(static_cast<float>(energy));
        ++side.rotamers;
    };
    const double largest = rotamers.front().share;
    const auto energy = [&](double share) {
        return -parameters.library_scale * std::log(share / largest);
    };
    const double own = share_of(*found.kind, chi_angles(*found.kind, found.positions), rotamers);
    add(found.positions.moving, energy(own) - parameters.input_bonus);
    for (const Rotamer& rotamer : rotamers)
        if (side.rotamers < kernels::most_rotamers)
            add(with_chi_angles(*found.kind, found.positions, rotamer.chis), energy(rotamer.share));
    return side;
}

/// Whether a moving atom is bound to an atom of another residue.
bool is_bound(const io::Structure& structure, const std::vector<RefineAtom>& atoms,
              const NearAtoms& near, const std::vector<int>& moving) {
    bool bound = false;
    for (const int own : moving)
        near.for_each(atoms[own].position, [&](int other, double square) {
            bound = bound ||
                    (structure.atoms[other].residue_index != structure.atoms[own].residue_index &&
                     square < bonded_distance * bonded_distance);
        });
    return bound;
}

/// For each side chain the atoms that never move, of other residues, within its reach.
std::vector<std::vector<int>> atoms_near(const io::Structure& structure,
                                         const RepackedPartner& partner, double cutoff) {
    const PackPartner& packed = partner.packed;
    std::vector<std::vector<int>> near(packed.side_chains.size());
    const auto count = static_cast<std::ptrdiff_t>(near.size());
#pragma omp parallel for schedule(dynamic, 8)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const PackSideChain& side = packed.side_chains[i];
        const double reach = side.reach + cutoff;
        for (std::size_t a = 0; a < packed.atoms.size(); ++a)
            if (packed.side_chain[a] < 0 &&
                structure.atoms[a].residue_index != partner.residues[i] &&
                distance_squared(packed.atoms[a].position, side.center) < reach * reach)
                near[i].push_back(static_cast<int>(a));
    }
    return near;
}

void add_pairs(PackPartner& partner, double cutoff) {
    const int count = static_cast<int>(partner.side_chains.size());
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            const PackSideChain &a = partner.side_chains[i], &b = partner.side_chains[j];
            const double reach = a.reach + b.reach + cutoff;
            if (distance_squared(a.center, b.center) < reach * reach)
                partner.pairs.push_back({i, j, {}});
        }
}

}  // namespace

RepackedPartner make_repacked_partner(const io::Structure& structure,
                                      const std::vector<RefineAtom>& atoms,
                                      const RotamerLibrary& library,
                                      const kernels::PackParameters& parameters) {
    RepackedPartner partner;
    partner.packed.atoms = atoms;
    partner.packed.side_chain.assign(atoms.size(), -1);
    const NearAtoms near(positions_of(atoms), bonded_distance);
    const int count = static_cast<int>(atoms.size());
    for (int begin = 0, end = 0; begin < count; begin = end) {
        while (end < count &&
               structure.atoms[end].residue_index == structure.atoms[begin].residue_index)
            ++end;
        const auto found = side_chain_of(structure, atoms, begin, end);
        if (!found || !library.contains(found->kind->residue)) continue;
        const auto on_surface = [&](int i) { return atoms[i].on_surface; };
        if (!std::ranges::any_of(found->moving, on_surface) ||
            is_bound(structure, atoms, near, found->moving))
            continue;
        for (const int i : found->moving)
            partner.packed.side_chain[i] = static_cast<int>(partner.residues.size());
        partner.residues.push_back(structure.atoms[begin].residue_index);
        partner.packed.side_chains.push_back(
            rotamers_of(*found, library.at(found->kind->residue), parameters));
    }
    add_pairs(partner.packed, parameters.cutoff);
    kernels::add_own_energies(partner.packed, parameters,
                              atoms_near(structure, partner, parameters.cutoff));
    return partner;
}

}  // namespace tessera::docking
