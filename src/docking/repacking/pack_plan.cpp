#include "docking/repacking/pack_plan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace tessera::docking {

namespace {

using kernels::PackNode;
using kernels::PackPartner;
using kernels::PackPose;
using kernels::PackSideChain;

std::vector<std::vector<int>> pairs_of(const PackPartner& partner) {
    std::vector<std::vector<int>> pairs(partner.side_chains.size());
    for (std::size_t p = 0; p < partner.pairs.size(); ++p) {
        pairs[partner.pairs[p].first].push_back(static_cast<int>(p));
        pairs[partner.pairs[p].second].push_back(static_cast<int>(p));
    }
    return pairs;
}

/// The node of each side chain of a partner; -1: it rests.
std::vector<int> nodes_of(const PackPose& plan, int partner, std::size_t side_chains) {
    std::vector<int> nodes(side_chains, -1);
    for (std::size_t n = 0; n < plan.nodes.size(); ++n)
        if (plan.nodes[n].partner == partner) nodes[plan.nodes[n].side_chain] = static_cast<int>(n);
    return nodes;
}

}  // namespace

Vec3 in_other_frame(const kernels::RigidPose& pose, int partner, Vec3 point) {
    if (partner == 1) return pose.rotation.matrix() * point + pose.translation;
    return pose.rotation.conjugate().matrix() * (point - pose.translation);
}

PackPlan::PackPlan(const PackPartner& receptor, const PackPartner& ligand, double cutoff)
    : partners_{&receptor, &ligand},
      near_{NearAtoms(positions_of(receptor.atoms), interface_distance),
            NearAtoms(positions_of(ligand.atoms), interface_distance)},
      pairs_{pairs_of(receptor), pairs_of(ligand)},
      cutoff_(cutoff) {}

PackPose PackPlan::operator()(const kernels::RigidPose& pose) const {
    PackPose plan{pose, {}, {}};
    add_nodes(plan);
    add_near_atoms(plan);
    add_edges(plan);
    return plan;
}

void PackPlan::add_nodes(PackPose& plan) const {
    std::vector<std::tuple<double, int, int>> found;  // squared distance, partner, side chain
    for (const int partner : {0, 1})
        for (std::size_t i = 0; i < partners_[partner]->side_chains.size(); ++i) {
            const PackSideChain& side = partners_[partner]->side_chains[i];
            double nearest = std::numeric_limits<double>::max();
            near_[1 - partner].for_each(in_other_frame(plan.pose, partner, side.center),
                                        [&](int, double r2) { nearest = std::min(nearest, r2); });
            const double reach = std::min(interface_distance, side.reach + interface_gap);
            if (nearest < reach * reach) found.emplace_back(nearest, partner, static_cast<int>(i));
        }
    std::ranges::sort(found);
    found.resize(std::min(found.size(), repacked_side_chains));
    std::ranges::sort(
        found, {}, [](const auto& one) { return std::pair(std::get<1>(one), std::get<2>(one)); });
    for (const auto& [distance, partner, side_chain] : found)
        plan.nodes.push_back({partner, side_chain, {}, {}});
}

void PackPlan::add_near_atoms(PackPose& plan) const {
    const std::vector<int> moves[2] = {nodes_of(plan, 0, partners_[0]->side_chains.size()),
                                       nodes_of(plan, 1, partners_[1]->side_chains.size())};
    for (PackNode& node : plan.nodes) {
        const PackSideChain& side = partners_[node.partner]->side_chains[node.side_chain];
        const PackPartner& other = *partners_[1 - node.partner];
        const std::vector<int>& moving = moves[1 - node.partner];
        const Vec3 center = in_other_frame(plan.pose, node.partner, side.center);
        const double reach = side.reach + cutoff_;
        for (std::size_t a = 0; a < other.atoms.size(); ++a) {
            const int owner = other.side_chain[a];
            if ((owner < 0 || moving[owner] < 0) &&
                distance_squared(other.atoms[a].position, center) < reach * reach)
                node.near.push_back(static_cast<int>(a));
        }
    }
}

void PackPlan::add_edges(PackPose& plan) const {
    for (const int partner : {0, 1}) {
        const PackPartner& own = *partners_[partner];
        const std::vector<int> nodes = nodes_of(plan, partner, own.side_chains.size());
        for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
            if (plan.nodes[n].partner != partner) continue;
            const int side_chain = plan.nodes[n].side_chain;
            for (const int p : pairs_[partner][side_chain]) {
                const auto& [first, second, energies] = own.pairs[p];
                if (nodes[first == side_chain ? second : first] < 0)
                    plan.nodes[n].resting.push_back(p);
                else if (first == side_chain)
                    plan.edges.push_back({nodes[first], nodes[second], p});
            }
        }
    }
    const auto& nodes = plan.nodes;
    for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t b = a + 1; b < nodes.size(); ++b) {
            if (nodes[a].partner == nodes[b].partner) continue;
            const PackSideChain& own = partners_[0]->side_chains[nodes[a].side_chain];
            const PackSideChain& other = partners_[1]->side_chains[nodes[b].side_chain];
            const double reach = own.reach + other.reach + cutoff_;
            if (distance_squared(own.center, in_other_frame(plan.pose, 1, other.center)) <
                reach * reach)
                plan.edges.push_back({static_cast<int>(a), static_cast<int>(b), -1});
        }
}

}  // namespace tessera::docking
