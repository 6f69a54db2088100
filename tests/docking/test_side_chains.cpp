// The geometry of side chains, against atoms that are placed from internal coordinates, and the
// table of rotamers.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "docking/repacking/rotamer_library.hpp"
#include "docking/repacking/side_chain_geometry.hpp"
#include "side_chain_walls.hpp"

namespace tessera::docking {
namespace {

using testing::built_residue;
using testing::position_in;

SideChainAtoms atoms_of(const SideChainKind& kind, const std::vector<io::AtomRecord>& residue) {
    SideChainAtoms atoms;
    for (const std::string& name : kind.chain) atoms.chain.push_back(position_in(residue, name));
    for (const auto& [name, chis] : kind.moving) atoms.moving.push_back(position_in(residue, name));
    return atoms;
}

TEST(SideChains, DihedralAnglesAreClockwiseAlongTheAxis) {
    const Vec3 a{1, 0, 0}, b{0, 0, 0}, c{0, 0, 1};
    EXPECT_NEAR(dihedral_angle(a, b, c, {1, 0, 1}), 0, 1e-12);
    EXPECT_NEAR(dihedral_angle(a, b, c, {0, 1, 1}), 90, 1e-12);
    EXPECT_NEAR(dihedral_angle(a, b, c, {0, -1, 1}), -90, 1e-12);
    EXPECT_NEAR(std::abs(dihedral_angle(a, b, c, {-1, 0, 1})), 180, 1e-12);
}

TEST(SideChains, NewAnglesPutTheAtomsWhereTheyWouldBeBuilt) {
    const std::vector<double> former{-65, 172, 80, -100}, wanted{178, 61, -140, 25};
    for (const std::string name : {"LYS", "LEU", "ASP", "SER"}) {
        const SideChainKind& kind = *side_chain_kind(name);
        const auto before = built_residue(name, {3, -2, 5}, 1, former);
        const auto after = built_residue(name, {3, -2, 5}, 1, wanted);
        const SideChainAtoms atoms = atoms_of(kind, before);
        const std::vector<double> chis = chi_angles(kind, atoms);
        ASSERT_EQ(chis.size(), static_cast<std::size_t>(kind.chis()));
        for (int k = 0; k < kind.chis(); ++k) EXPECT_NEAR(chis[k], former[k], 1e-9) << name;
        const auto moved = with_chi_angles(kind, atoms, wanted);
        for (std::size_t i = 0; i < moved.size(); ++i)
            EXPECT_LT(norm(moved[i] - position_in(after, kind.moving[i].first)), 1e-9)
                << name << ' ' << kind.moving[i].first;
    }
}

TEST(SideChains, SmallResiduesAndStrangersHaveNone) {
    for (const char* name : {"GLY", "ALA", "PRO", "ATP", ""})
        EXPECT_EQ(side_chain_kind(name), nullptr) << name;
}

TEST(RotamerLibrary, TheShippedTableCoversAllSideChains) {
    const RotamerLibrary& library = rotamer_library();
    EXPECT_EQ(library.size(), 17U);
    for (const auto& [residue, rotamers] : library) {
        double sum = 0;
        for (const Rotamer& rotamer : rotamers) {
            EXPECT_LE(rotamer.share, rotamers.front().share) << residue;
            sum += rotamer.share;
        }
        EXPECT_GT(sum, 0.97) << residue;
        EXPECT_LT(sum, 1.001) << residue;
    }
    // The preferences of valine and serine at chi 1 (Dunbrack & Karplus 1994, Nat. Struct. Biol. 1,
    // 334): trans for one, gauche+ for the other.
    EXPECT_NEAR(library.at("VAL").front().chis[0], 175, 8);
    EXPECT_NEAR(library.at("SER").front().chis[0], 65, 8);
}

TEST(RotamerLibrary, RefusesMalformedTables) {
    const std::string head =
        "residue,share,chi1,deviation1,chi2,deviation2,chi3,deviation3,chi4,deviation4\n";
    const auto refused = [&](const std::string& text, const std::string& why) {
        try {
            parse_rotamer_library({"table.csv", text, "table", "hash"});
            ADD_FAILURE() << "accepted: " << why;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        }
    };
    refused("residue,share\n", "the header");
    refused(head + "SER,0.5,60,10\n", "line 2: it does not have ten fields");
    refused(head + "GLY,0.5,60,10,,,,,,\n", "'GLY' is no amino acid with chi angles");
    refused(head + "SER,1.5,60,10,,,,,,\n", "the share");
    refused(head + "SER,0.5,60,0,,,,,,\n", "a deviation is not positive");
    refused(head + "SER,0.5,60,10,70,10,,,,\n", "SER has fewer chi angles");
    refused(head + "LEU,0.5,60,10,,,,,,\n", "line 2");
    const auto library = parse_rotamer_library(
        {"table.csv", head + "SER,0.2,60,9,,,,,,\nSER,0.7,180,8,,,,,,\n", "table", "hash"});
    ASSERT_EQ(library.at("SER").size(), 2U);
    EXPECT_EQ(library.at("SER").front().chis, (std::vector<double>{180}));
}

}  // namespace
}  // namespace tessera::docking
