// The choice of rotamers: its energy against a sum over all pairs of atoms, and its minimum against
// all combinations.
#include "kokkos_kernels/docking/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "backends.hpp"
#include "support/plain_pack_energy.hpp"

namespace tessera::kernels {
namespace {

using tessera::testing::plain_pack_energy;

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double operator()(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    Vec3 in_box(Vec3 low, Vec3 high) {
        return {(*this)(low.x, high.x), (*this)(low.y, high.y), (*this)(low.z, high.z)};
    }

  private:
    std::mt19937 engine_;
};

/// A slab of atoms that stay, with side chains of two or three atoms above (up = 1) or below it.
PackPartner random_partner(Random& random, double up, int side_chains) {
    PackPartner partner;
    const auto add_atom = [&](Vec3 position) {
        partner.atoms.push_back({position, random(1.6, 2.2), random(-0.6, 0.6), 0, true});
        partner.side_chain.push_back(-1);
    };
    for (int i = 0; i < 25; ++i) add_atom(random.in_box({-6, -6, -1}, {6, 6, 1}));
    for (int i = 0; i < side_chains; ++i) {
        PackSideChain side;
        side.center = {4.0 * (i % 2) - 2, 3.0 * (i / 2) - 2, up};
        const int atoms = 2 + i % 2, rotamers = 3 + i % 3;
        side.rotamers = rotamers;
        for (int a = 0; a < atoms; ++a) {
            side.atoms.push_back(static_cast<int>(partner.atoms.size()));
            add_atom({});
            partner.side_chain.back() = i;
        }
        for (int r = 0; r < rotamers; ++r) {
            for (int a = 0; a < atoms; ++a) {
                const Vec3 at =
                    side.center + random.in_box({-2, -2, -1}, {2, 2, 3}) + Vec3{0, 0, up};
                if (r == 0) partner.atoms[side.atoms[a]].position = at;
                side.reach = std::max(side.reach, norm(at - side.center));
                for (const double x : {at.x, at.y, at.z})
                    side.positions.push_back(static_cast<float>(x));
            }
            side.own_energies.push_back(static_cast<float>(random(0, 2)));
        }
        partner.side_chains.push_back(side);
    }
    for (int i = 0; i < side_chains; ++i)
        for (int j = i + 1; j < side_chains; ++j) partner.pairs.push_back({i, j, {}});
    return partner;
}

struct Case {
    PackPartner partners[2];
    PackParameters parameters;
    std::vector<PackPose> poses;

    Case(unsigned seed, int side_chains, int poses_wanted) {
        Random random(seed);
        partners[0] = random_partner(random, 1, side_chains);
        partners[1] = random_partner(random, -1, side_chains);
        for (PackPartner& partner : partners)
            add_own_energies(partner, parameters, std::vector<std::vector<int>>(side_chains));
        for (int i = 0; i < poses_wanted; ++i) {
            const double angle = 0.2 * random(-1, 1);
            poses.push_back(whole_pose(
                {{std::cos(angle), std::sin(angle), 0, 0}, random.in_box({-2, -2, 6}, {2, 2, 8})}));
        }
    }

    /// All side chains are nodes, but for the last one of the ligand.
    PackPose whole_pose(const RigidPose& at) const {
        PackPose pose{at, {}, {}};
        for (int partner : {0, 1}) {
            const int count = static_cast<int>(partners[partner].side_chains.size()) - partner;
            const int first = static_cast<int>(pose.nodes.size());
            for (int i = 0; i < count; ++i) pose.nodes.push_back({partner, i, {}, {}});
            const PackPartner& own = partners[partner];
            for (std::size_t p = 0; p < own.pairs.size(); ++p) {
                const auto& [a, b, energies] = own.pairs[p];
                if (b < count)
                    pose.edges.push_back({first + a, first + b, static_cast<int>(p)});
                else
                    pose.nodes[first + a].resting.push_back(static_cast<int>(p));
            }
        }
        const int all = static_cast<int>(pose.nodes.size());
        for (PackNode& node : pose.nodes) {
            const PackPartner& other = partners[1 - node.partner];
            const int resting = static_cast<int>(other.side_chains.size()) - (1 - node.partner);
            for (std::size_t a = 0; a < other.atoms.size(); ++a)
                if (other.side_chain[a] < 0 || other.side_chain[a] >= resting)
                    node.near.push_back(static_cast<int>(a));
        }
        for (int a = 0; a < all; ++a)
            for (int b = a + 1; b < all; ++b)
                if (pose.nodes[a].partner != pose.nodes[b].partner)
                    pose.edges.push_back({a, b, -1});
        return pose;
    }
};

/// An atom in the frame of the receptor, with its owner: 2 i + partner of a node's side chain.
struct PlacedAtom {
    RefineAtom atom;
    int partner, side_chain;
};

/// Energy of the nodes by all pairs of atoms, in double.
double plain_energy(const Case& one, const PackPose& pose, const std::vector<int>& rotamers) {
    std::vector<PlacedAtom> placed;
    double energy = 0;
    const Matrix3 turn = pose.pose.rotation.matrix();
    std::vector<std::vector<bool>> moves;
    for (const PackPartner& partner : one.partners)
        moves.emplace_back(partner.side_chains.size(), false);
    for (int partner : {0, 1}) {
        std::vector<RefineAtom> atoms = one.partners[partner].atoms;
        for (std::size_t n = 0; n < pose.nodes.size(); ++n) {
            if (pose.nodes[n].partner != partner) continue;
            const PackSideChain& side = one.partners[partner].side_chains[pose.nodes[n].side_chain];
            moves[partner][pose.nodes[n].side_chain] = true;
            energy += static_cast<double>(side.own_energies[rotamers[n]]);
            for (std::size_t a = 0; a < side.atoms.size(); ++a) {
                const float* at = &side.positions[3 * (rotamers[n] * side.atoms.size() + a)];
                atoms[side.atoms[a]].position = {at[0], at[1], at[2]};
            }
        }
        for (std::size_t a = 0; a < atoms.size(); ++a) {
            if (partner == 1) atoms[a].position = turn * atoms[a].position + pose.pose.translation;
            placed.push_back({atoms[a], partner, one.partners[partner].side_chain[a]});
        }
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (std::size_t j = i + 1; j < placed.size(); ++j) {
            const PlacedAtom &a = placed[i], &b = placed[j];
            const auto moving = [&](const PlacedAtom& x) {
                return x.side_chain >= 0 && moves[x.partner][x.side_chain];
            };
            if (!moving(a) && !moving(b)) continue;
            // own_energies stand for the atoms of the own partner that never move.
            if (a.partner == b.partner &&
                (a.side_chain < 0 || b.side_chain < 0 || a.side_chain == b.side_chain))
                continue;
            energy += plain_pack_energy(one.parameters, a.atom, b.atom,
                                        norm(a.atom.position - b.atom.position));
        }
    return energy;
}

/// Calls f for every combination of rotamers.
template <class Function>
void for_each_combination(const Case& one, const PackPose& pose, Function f) {
    std::vector<int> rotamers(pose.nodes.size(), 0);
    for (;;) {
        f(rotamers);
        std::size_t n = 0;
        for (; n < rotamers.size(); ++n) {
            const PackNode& node = pose.nodes[n];
            if (++rotamers[n] < one.partners[node.partner].side_chains[node.side_chain].rotamers)
                break;
            rotamers[n] = 0;
        }
        if (n == rotamers.size()) return;
    }
}

class Pack : public ::testing::TestWithParam<Backend> {};

INSTANTIATE_TEST_SUITE_P(, Pack, ::testing::ValuesIn(testing::backends), testing::backend_name);

TEST_P(Pack, EnergiesAreThoseOfAllPairsOfAtoms) {
    const Case one(3, 5, 6);
    const auto packed =
        make_side_chain_packing(GetParam(), one.partners[0], one.partners[1], one.parameters)
            ->pack(one.poses);
    ASSERT_EQ(packed.size(), one.poses.size());
    int moved = 0;
    for (std::size_t i = 0; i < packed.size(); ++i) {
        const std::vector<int> input(one.poses[i].nodes.size(), 0);
        EXPECT_NEAR(packed[i].input_energy, plain_energy(one, one.poses[i], input), 2e-3) << i;
        EXPECT_NEAR(packed[i].energy, plain_energy(one, one.poses[i], packed[i].rotamers), 2e-3);
        EXPECT_LE(packed[i].energy, packed[i].input_energy);
        PackPose apart = one.poses[i];
        apart.pose.translation = {0, 0, 1000};
        EXPECT_NEAR(packed[i].apart, plain_energy(one, apart, input), 2e-3);
        moved += packed[i].rotamers != input;
    }
    EXPECT_EQ(moved, 6);
}

TEST_P(Pack, FindsTheBestOfAllCombinations) {
    int found = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const Case one(seed, 3, 1);
        const auto packed =
            make_side_chain_packing(GetParam(), one.partners[0], one.partners[1], one.parameters)
                ->pack(one.poses)
                .front();
        double best = packed.input_energy;
        for_each_combination(one, one.poses.front(), [&](const std::vector<int>& rotamers) {
            best = std::min(best, plain_energy(one, one.poses.front(), rotamers));
        });
        EXPECT_GT(packed.energy, best - 2e-3) << seed;
        found += packed.energy < best + 2e-3;
    }
    EXPECT_GE(found, 7);
}

TEST_P(Pack, TwoSideChainsAreAlwaysAtTheirBest) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Case one(seed, 2, 1);
        PackPose& pose = one.poses.front();
        pose.nodes.erase(pose.nodes.begin());  // one of each partner is left
        pose.nodes.front().resting = {0};
        for (int a : one.partners[0].side_chains[0].atoms) pose.nodes.back().near.push_back(a);
        pose.edges = {{0, 1, -1}};
        const auto packed =
            make_side_chain_packing(GetParam(), one.partners[0], one.partners[1], one.parameters)
                ->pack(one.poses)
                .front();
        double best = packed.input_energy;
        for_each_combination(one, pose, [&](const std::vector<int>& rotamers) {
            best = std::min(best, plain_energy(one, pose, rotamers));
        });
        EXPECT_NEAR(packed.energy, best, 2e-3) << seed;
    }
}

TEST_P(Pack, APoseDoesNotDependOnTheOthers) {
    const Case one(7, 4, 300);  // more than one batch
    const auto packing =
        make_side_chain_packing(GetParam(), one.partners[0], one.partners[1], one.parameters);
    const auto together = packing->pack(one.poses);
    for (std::size_t i : {0, 1, 255, 256, 299}) {
        const auto alone = packing->pack(std::span(one.poses).subspan(i, 1)).front();
        EXPECT_EQ(alone.rotamers, together[i].rotamers) << i;
        EXPECT_EQ(alone.energy, together[i].energy) << i;
        EXPECT_EQ(alone.input_energy, together[i].input_energy) << i;
    }
}

TEST_P(Pack, NoPosesAndNoSideChains) {
    const Case one(1, 2, 1);
    const auto packing =
        make_side_chain_packing(GetParam(), one.partners[0], one.partners[1], one.parameters);
    EXPECT_TRUE(packing->pack({}).empty());
    const std::vector<PackPose> bare{{one.poses.front().pose, {}, {}}};
    EXPECT_EQ(packing->pack(bare).front().energy, 0);
}

}  // namespace
}  // namespace tessera::kernels
