// Which molecules beside a protein are docked with it, and in which words that is asked for.
#include "docking/model/kept_residues.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "docking/component_structures.hpp"
#include "docking/evaluation/chains.hpp"
#include "docking/model/low_confidence.hpp"
#include "docking/model/residue_ranges.hpp"

namespace tessera::docking {
namespace {

using namespace testing;

/// A cysteine whose SG is at the origin, and around it: a zinc at SG and at a water-like oxygen of
/// ATP, a lone magnesium, two linked sugars at CB, a free sugar, glycerol, sodium, an unknown
/// ligand and a water.
io::Structure crowded() {
    io::Structure s;
    add_cysteine(s.atoms, {0, 0, 0});
    auto& h = s.hetero;
    add_residue(h, "ZN", {{"ZN", "ZN", {0, 2.3, 0}}});
    add_residue(h, "NAG", {{"C4", "C", {19, 6, 0}}, {"O4", "O", {19, 4.6, 0}}});
    add_residue(h, "NAG", {{"C4", "C", {19, 3.2, 0}}, {"C1", "C", {19, 1.5, 0}}});
    add_residue(h, "NAG", {{"C1", "C", {60, 0, 0}}});
    add_residue(h, "ATP", {{"O1G", "O", {0, 4.4, 0}}, {"PG", "P", {0, 5.9, 0}}});
    add_residue(h, "MG", {{"MG", "MG", {0, 40, 0}}});
    add_residue(h, "GOL", {{"C1", "C", {0, 50, 0}}});
    add_residue(h, "NA", {{"NA", "NA", {0, 55, 0}}});
    add_residue(h, "L1G", {{"C1", "C", {0, 60, 0}}});
    add_residue(h, "HOH", {{"O", "O", {0, 70, 0}}});
    s.hetero_atoms_skipped = 12;
    s.waters_skipped = 1;
    return s;
}

std::string kept(const std::string& keep, const std::string& drop = "") {
    io::Structure structure = crowded();
    return describe(keep_residues(parse_keep(keep, drop).receptor, structure));
}

TEST(KeptResidues, TheDefaultKeepsWhatIsBound) {
    EXPECT_EQ(kept("auto"),
              "kept 1 ATP, 2 NAG, 1 ZN; left out 1 GOL (additive), 1 L1G (unknown, --keep auto,L1G "
              "keeps it), 1 MG (ion that is not bound), 1 NA (salt), 1 NAG (sugar that is not "
              "bonded to the protein)");
    EXPECT_EQ(kept(""), kept("auto"));
}

TEST(KeptResidues, WordsOverrideTheDefault) {
    EXPECT_EQ(kept("all"), "kept 1 ATP, 1 GOL, 1 L1G, 1 MG, 1 NA, 3 NAG, 1 ZN");
    EXPECT_EQ(kept("all,HOH").find("kept 1 ATP, 1 GOL, 1 HOH"), 0u);
    EXPECT_EQ(kept("none").find("left out 1 ATP (not in --keep), 1 GOL"), 0u);
    EXPECT_EQ(kept("mg;gol").find("kept 1 GOL, 1 MG; left out"), 0u);
    EXPECT_EQ(kept("auto,L1G").find("kept 1 ATP, 1 L1G, 2 NAG, 1 ZN; left out"), 0u);
    EXPECT_NE(kept("auto", "NAG").find("3 NAG (--drop)"), std::string::npos);
    EXPECT_EQ(kept("ligand=all"), kept("auto"));
}

TEST(KeptResidues, AnIonNeedsTwoAtomsThatStay) {
    // Without ATP only the sulfur is left at the zinc.
    EXPECT_NE(kept("auto", "ATP").find("1 ZN (ion that is not bound)"), std::string::npos);
}

TEST(KeptResidues, TheyFollowTheProteinAndAreNoResiduesOfIt) {
    io::Structure s = crowded();
    keep_residues({}, s);
    ASSERT_EQ(s.atoms.size(), 6u + 1 + 2 + 2 + 2);
    EXPECT_TRUE(s.hetero.empty());
    EXPECT_EQ(protein_residues(s), 1);
    EXPECT_EQ(s.hetero_atoms_skipped, 5);
    EXPECT_EQ(s.waters_skipped, 1);
    for (std::size_t i = 0; i < s.atoms.size(); ++i) EXPECT_EQ(s.atoms[i].hetero, i >= 6) << i;
    EXPECT_EQ(s.atoms[6].residue, "ZN");
    EXPECT_EQ(s.atoms[6].residue_index, 1);
    EXPECT_EQ(s.atoms.back().residue_index, 4);
    EXPECT_EQ(s.atoms.back().segment, 4);
    const auto chains = chains_of(s);
    ASSERT_EQ(chains.size(), 1u);
    EXPECT_EQ(chains[0].residues.size(), 1u);
    // A cut of the protein's residues leaves them alone.
    const io::Structure cut = without_residues(s, {0});
    EXPECT_EQ(cut.atoms.size(), s.atoms.size() - 6);
    EXPECT_EQ(cut.atoms.front().residue_index, 0);
}

TEST(KeptResidues, NothingToKeepChangesNothing) {
    io::Structure s = crowded();
    const std::size_t atoms = s.atoms.size();
    s.hetero.clear();
    EXPECT_TRUE(keep_residues({}, s).empty());
    EXPECT_EQ(s.atoms.size(), atoms);
    EXPECT_EQ(s.hetero_atoms_skipped, 12);
}

TEST(KeepRule, PartnersHaveTheirOwnWords) {
    const KeepRules rules = parse_keep("receptor=HEM, ligand=none", "ligand=ca,ZN");
    EXPECT_EQ(rules.receptor.names, std::set<std::string>{"HEM"});
    EXPECT_FALSE(rules.receptor.automatic);
    EXPECT_EQ(rules.receptor.drop, std::set<std::string>{"ZN"});
    EXPECT_TRUE(rules.ligand.names.empty());
    EXPECT_FALSE(rules.ligand.automatic);
    EXPECT_EQ(rules.ligand.drop, (std::set<std::string>{"CA", "ZN"}));
    EXPECT_TRUE(parse_keep("receptor=none", "").ligand.automatic);
}

TEST(KeepRule, OtherTextsAreRefused) {
    for (const char* bad : {"none,HEM", "HEM*", "TOOLONG", "receptor=", "antigen=HEM", "a.pdb"})
        EXPECT_THROW(parse_keep(bad, ""), Error) << bad;
    EXPECT_THROW(parse_keep("auto", "receptor=*"), Error);
}

TEST(KeepRule, NamesThatNobodyHasAreSuggested) {
    io::Structure s = crowded();
    const Chemistry chemistry = keep_residues({}, s);
    const auto message = [&](const std::string& keep, const std::string& drop) -> std::string {
        try {
            require_known_names(parse_keep(keep, drop), chemistry, {});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(message("L1H", "").find("did you mean L1G?"), std::string::npos);
    EXPECT_NE(message("auto", "NAQ").find("--drop names NAQ"), std::string::npos);
    EXPECT_EQ(message("HEM,L1G", "SO4"), "");  // HEM and SO4 are in the table
}

}  // namespace
}  // namespace tessera::docking
