// The statistical potential: its table, and its sums against all pairs.
#include "docking/refinement/statistical_potential.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "docking/model/atom_table.hpp"

namespace tessera::docking {
namespace {

const std::string small_table =
    "atoms,ends,3,6,8\natoms,ALA CA,ALA CA,100,-50,10\natoms,ALA CA,ALA CB,1,2,3\n"
    "atoms,ALA CB,ALA CB,-4,5,6\nresidues,ends,5,7,9\nresidues,ALA,ALA,10,-20,30\n"
    "residues,ALA,GLY,7,8,9\nresidues,GLY,GLY,0,0,1\n";

StatisticalPotential parsed(const std::string& text) {
    return parse_statistical_potential({"table.csv", text, "table", "hash"});
}

io::AtomRecord atom(const char* residue, const char* name, Vec3 position) {
    io::AtomRecord record;
    record.residue = residue;
    record.name = name;
    record.position = position;
    return record;
}

TEST(StatisticalPotential, ReadsEnergiesOfBothOrders) {
    const StatisticalPotential potential = parsed(small_table);
    const DistanceTable& atoms = potential.atoms;
    EXPECT_EQ(atoms.ends, (std::vector<double>{3, 6, 8}));
    ASSERT_EQ(atoms.kinds.size(), 2U);
    const int ca = atoms.kinds.at("ALA CA"), cb = atoms.kinds.at("ALA CB");
    for (const auto& [a, b] : {std::pair(ca, cb), std::pair(cb, ca)})
        EXPECT_FLOAT_EQ(atoms.energies[(a * 2 + b) * 3 + 2], 0.03F);
    EXPECT_FLOAT_EQ(atoms.energies[(ca * 2 + ca) * 3 + 1], -0.5F);
    EXPECT_EQ(potential.residues.kinds.size(), 2U);
}

TEST(StatisticalPotential, RefusesMalformedTables) {
    const auto refused = [](const std::string& text, const std::string& why) {
        try {
            parsed(text);
            ADD_FAILURE() << "accepted: " << why;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        }
    };
    const std::string residues = "residues,ends,5\nresidues,ALA,ALA,1\n";
    refused("atoms,ALA CA,ALA CA,1\n" + residues, "line 1: the first row of 'atoms'");
    refused("atoms,ends,3,2\n" + residues, "line 1: the ends of the bins do not ascend");
    refused("atoms,ends,3,4\natoms,ALA CA,ALA CA,1\n" + residues,
            "line 2: it does not have a number");
    refused("atoms,ends,3\natoms,ALA CA,ALA CA,much\n" + residues, "much");
    refused("atoms,ends,3\n", "the first row of 'residues'");
}

TEST(StatisticalPotential, TheShippedTableHasAllAtomsOfAllAminoAcids) {
    const StatisticalPotential& potential = statistical_potential();
    EXPECT_EQ(potential.residues.kinds.size(), 20U);
    EXPECT_EQ(potential.atoms.kinds.size(), 167U);
    std::set<std::string> missing;
    for (const auto& [key, parameters] : built_in_atom_table().rows())
        if (potential.residues.kinds.count(key.first) && key.second != "OXT" &&
            !potential.atoms.kinds.count(key.first + " " + key.second))
            missing.insert(key.first + " " + key.second);
    EXPECT_TRUE(missing.empty()) << *missing.begin();
    // Opposite charges are drawn to each other more than like charges are.
    const DistanceTable& atoms = potential.atoms;
    const auto energy = [&](const char* a, const char* b, double distance) {
        const std::size_t kinds = atoms.kinds.size(), bins = atoms.ends.size();
        const auto bin = std::ranges::upper_bound(atoms.ends, distance) - atoms.ends.begin();
        return atoms.energies[(atoms.kinds.at(a) * kinds + atoms.kinds.at(b)) * bins + bin];
    };
    EXPECT_LT(energy("LYS NZ", "ASP OD1", 2.8), -1);
    EXPECT_GT(energy("LYS NZ", "LYS NZ", 2.8), 0);
}

TEST(StatisticalPotential, TermsAreThoseOfAllPairs) {
    io::Structure receptor, ligand;
    const Vec3 center{1, -2, 3};
    for (int i = 0; i < 60; ++i) {
        const Vec3 at{std::sin(2.0 * i) * 12, std::cos(3.0 * i) * 12, std::sin(5.0 * i) * 4};
        const char* residue = i % 3 == 0 ? "GLY" : "ALA";
        receptor.atoms.push_back(atom(residue, i % 2 == 0 ? "CA" : "CB", at));
        ligand.atoms.push_back(atom(i % 7 == 0 ? "UNK" : residue, i % 2 == 0 ? "CA" : "CB", at));
    }
    const StatisticalPotential potential = parsed(small_table);
    const StatisticalEnergy energy(receptor, ligand, center, potential);
    const double half = std::sqrt(0.5);
    const kernels::RigidPose pose{{half, half, 0, 0}, {2, 3, 7}};
    StatisticalTerms expected{};
    const auto add = [&](const DistanceTable& table, const std::string& a, const std::string& b,
                         double r, double near_end, int term) {
        const auto first = table.kinds.find(a), second = table.kinds.find(b);
        if (first == table.kinds.end() || second == table.kinds.end() || r >= table.ends.back())
            return;
        std::size_t bin = 0;
        while (r >= table.ends[bin]) ++bin;
        expected[term + (r < near_end ? 0 : 1)] +=
            table.energies[(first->second * table.kinds.size() + second->second) *
                               table.ends.size() +
                           bin];
    };
    const auto site = [](const io::AtomRecord& a) {
        return a.name == (a.residue == "GLY" ? "CA" : "CB") ? a.residue : "none";
    };
    for (const io::AtomRecord& b : ligand.atoms)
        for (const io::AtomRecord& a : receptor.atoms) {
            const Vec3 p = pose.rotation.matrix() * (b.position - center) + pose.translation;
            const double r = norm(a.position - p);
            add(potential.atoms, a.residue + " " + a.name, b.residue + " " + b.name, r, 6, 0);
            add(potential.residues, site(a), site(b), r, 7, 2);
        }
    const StatisticalTerms terms = energy.terms(pose);
    for (int k = 0; k < statistical_term_count; ++k) {
        EXPECT_NE(expected[k], 0) << k;
        EXPECT_NEAR(terms[k], expected[k], 1e-12) << k;
    }
    EXPECT_EQ(energy.terms({{1, 0, 0, 0}, {500, 0, 0}}), StatisticalTerms{}) << "far apart";
}

}  // namespace
}  // namespace tessera::docking
