#include "docking/evaluation/ring_matches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "core/error.hpp"
#include "docking/evaluation/chain_copies.hpp"
#include "docking/evaluation/superposition.hpp"

namespace tessera::docking {
namespace {

/// The matched chains of the protein take the chains of another group of the reference.
PartnerMatch match_of(const PartnerMatch& first, const ChainGroup& group,
                      const std::vector<Chain>& protein, const std::vector<Chain>& reference) {
    PartnerMatch match{{}, first.allowed};
    for (std::size_t slot = 0; slot < group.size(); ++slot)
        match.chains.push_back(
            match_chains(protein, first.chains[slot].chain, reference, group[slot]));
    return match;
}

RigidMotion motion_between(const PartnerMatch& from, const PartnerMatch& to,
                           const std::vector<Chain>& protein, const std::vector<Chain>& reference) {
    PointPairs pairs;
    for (std::size_t slot = 0; slot < from.chains.size(); ++slot) {
        const ChainMatch &a = from.chains[slot], &b = to.chains[slot];
        std::vector<const Vec3*> places(protein[a.chain].residues.size());
        for (const auto& [own, other] : a.residues)
            places[own] = reference[a.reference_chain].residues[other].trace();
        for (const auto& [own, other] : b.residues) {
            const Vec3* place = reference[b.reference_chain].residues[other].trace();
            if (places[own] && place) pairs.add(*places[own], *place);
        }
    }
    return pairs.size() < 3 ? RigidMotion{} : superpose(pairs.model, pairs.reference);
}

Screw screw_of(const RigidMotion& motion) {
    const Matrix3& r = motion.rotation;
    const double trace = r[0][0] + r[1][1] + r[2][2];
    const double angle = std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0));
    // The sum of R, its transpose and (1 - trace) has the axis in each of its columns.
    Vec3 axis;
    for (int c = 0; c < 3; ++c) {
        Vec3 column{r[0][c] + r[c][0], r[1][c] + r[c][1], r[2][c] + r[c][2]};
        (c == 0 ? column.x : c == 1 ? column.y : column.z) += 1 - trace;
        if (norm(column) > norm(axis)) axis = column;
    }
    const double length = norm(axis);
    return {angle * 180 / std::numbers::pi,
            length > 0 ? std::abs(dot(motion.shift, axis)) / length : 0};
}

}  // namespace

std::string list_of_angles(const std::set<long>& angles) {
    std::string text;
    for (const long angle : angles) text += fmt::format("{}{}", text.empty() ? "" : ", ", angle);
    return text;
}

Screw relation(const PartnerMatch& from, const PartnerMatch& to, const std::vector<Chain>& protein,
               const std::vector<Chain>& reference) {
    return screw_of(motion_between(from, to, protein, reference));
}

bool share_a_chain(const PartnerMatch& a, const PartnerMatch& b) {
    return std::ranges::any_of(a.chains, [&](const ChainMatch& own) {
        return std::ranges::any_of(b.chains, [&](const ChainMatch& other) {
            return own.reference_chain == other.reference_chain;
        });
    });
}

std::vector<PartnerMatch> copies_in_reference(const std::vector<Chain>& protein,
                                              const std::vector<Chain>& reference,
                                              const std::vector<std::string>& names) {
    const PartnerMatch first = match_protein(protein, reference, names);
    ChainGroup group;
    for (const ChainMatch& m : first.chains) group.push_back(m.reference_chain);
    std::vector<PartnerMatch> places;
    const auto groups = copies_of(
        group, reference, [&](std::size_t, std::size_t chain) { return first.allowed[chain]; });
    places.reserve(groups.size());
    for (const ChainGroup& each : groups)
        places.push_back(match_of(first, each, protein, reference));
    return places;
}

std::vector<ComplexMatch> ring_matches(const std::vector<Chain>& protein,
                                       const std::vector<Chain>& reference, int copies,
                                       const std::vector<std::string>& names, std::size_t most) {
    const std::vector<PartnerMatch> places = copies_in_reference(protein, reference, names);
    std::vector<ComplexMatch> matches;
    std::set<long> angles;
    for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = 0; b < places.size(); ++b) {
            if (a == b || share_a_chain(places[a], places[b])) continue;
            const Screw screw = relation(places[a], places[b], protein, reference);
            angles.insert(std::lround(screw.angle));
            if (std::abs(screw.angle - 360.0 / copies) <= ring_angle_tolerance &&
                screw.shift <= ring_shift_tolerance && matches.size() < most)
                matches.push_back({places[a], places[b]});
        }
    if (matches.empty())
        throw Error(fmt::format("the reference has no two copies of a C{} ring", copies),
                    angles.empty()
                        ? std::string("the protein is in it only once")
                        : "its copies are turned by " + list_of_angles(angles) + " degrees",
                    "give a reference with two neighbouring copies, or another --symmetry");
    return matches;
}

}  // namespace tessera::docking
