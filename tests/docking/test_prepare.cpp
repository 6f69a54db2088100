// What a preparation takes over from another one, it takes over to the last bit.
#include "docking/setup/choose_rotations.hpp"
#include "docking/setup/prepare.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "io/temporary_folder.hpp"
#include "support/counted_opens.hpp"

namespace tessera::docking {
namespace {

/// Residues of LEU and, now and then, one nobody knows, at random in a ball.
void write_protein(const std::string& path, int residues, double radius, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-radius, radius);
    std::ofstream file(path);
    int serial = 0;
    for (int r = 1; r <= residues; ++r) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        for (const char* atom : {"N", "CA", "C", "O", "CB", "CX"}) {
            if (std::string(atom) == "CX" && r % 7 != 0) continue;
            ++serial;
            char line[96];
            std::snprintf(line, sizeof(line),
                          "ATOM  %5d  %-3s LEU A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n",
                          serial, atom, r, x + 0.7 * (serial % 3), y + 0.6 * (serial % 4),
                          z - 0.5 * (serial % 5), atom[0]);
            file << line;
        }
    }
    file << "END\n";
}

class Prepare : public ::testing::Test {
  protected:
    Prepare() {
        write_protein(folder_ / "r.pdb", 60, 12, 1);
        write_protein(folder_ / "other.pdb", 60, 12, 2);
        write_protein(folder_ / "small.pdb", 20, 6, 3);
        write_protein(folder_ / "alike.pdb", 24, 6, 4);
        write_protein(folder_ / "large.pdb", 60, 20, 5);
    }

    DockInput input(const std::string& receptor, const std::string& ligand) const {
        DockInput input;
        input.receptor_path = folder_ / receptor;
        input.ligand_path = folder_ / ligand;
        input.pair_scale = 0.6;
        input.rotations = 3600;
        return input;
    }

    PreparedDocking made(const DockInput& input, const PreparedDocking* former = nullptr) const {
        return prepare(input, choose_rotations(input), former);
    }

    /// Made after `former`, it is as if made alone.
    void expect_same(const DockInput& wanted, const PreparedDocking& former, bool shares) const {
        const PreparedDocking alone = made(wanted), after = made(wanted, &former);
        EXPECT_EQ(same_receptor_grids(former, after), shares);
        EXPECT_EQ(alone.messages, after.messages);
        EXPECT_EQ(alone.warnings, after.warnings);
        EXPECT_EQ(alone.input_sha256, after.input_sha256);
        EXPECT_EQ(alone.receptor_sha256, after.receptor_sha256);
        EXPECT_EQ(alone.receptor_structure.atoms.size(), after.receptor_structure.atoms.size());
        ASSERT_EQ(alone.problem.channels.size(), after.problem.channels.size());
        for (std::size_t c = 0; c < alone.problem.channels.size(); ++c) {
            EXPECT_EQ(alone.problem.channels[c].receptor, after.problem.channels[c].receptor);
            EXPECT_EQ(alone.problem.channels[c].ligand, after.problem.channels[c].ligand);
            EXPECT_EQ(alone.problem.channels[c].term, after.problem.channels[c].term);
        }
    }

    test::TemporaryFolder folder_;
};

TEST_F(Prepare, TheSameReceptorIsTakenOver) {
    const PreparedDocking former = made(input("r.pdb", "small.pdb"));
    EXPECT_FALSE(former.receptor_warnings.empty());
    expect_same(input("r.pdb", "alike.pdb"), former, true);
}

TEST_F(Prepare, WhatBothPartnersLackIsSaidAndKept) {
    const PreparedDocking p = made(input("r.pdb", "small.pdb"));
    for (const char* file : {"r.pdb", "small.pdb"}) {
        const auto count = [&](const std::vector<std::string>& lines, const std::string& mark) {
            return std::ranges::count_if(lines, [&](const std::string& line) {
                return line.starts_with(mark + "'" + (folder_ / file)) &&
                       line.find("lacks the side chain") != std::string::npos;
            });
        };
        EXPECT_EQ(count(p.messages, "warning: "), 1) << file;
        EXPECT_EQ(count(p.warnings, ""), 1) << file;
    }
}

TEST_F(Prepare, GridsOfAnotherSizeAreMadeAnew) {
    expect_same(input("r.pdb", "large.pdb"), made(input("r.pdb", "small.pdb")), false);
}

TEST_F(Prepare, AnotherReceptorIsRead) {
    expect_same(input("other.pdb", "small.pdb"), made(input("r.pdb", "small.pdb")), false);
}

TEST_F(Prepare, AReceptorThatHasChangedIsReadAgain) {
    const PreparedDocking former = made(input("r.pdb", "small.pdb"));
    write_protein(folder_ / "r.pdb", 60, 12, 9);
    expect_same(input("r.pdb", "small.pdb"), former, false);
}

TEST_F(Prepare, RestraintsKeepGridsApart) {
    DockInput blocked = input("r.pdb", "small.pdb");
    blocked.block_path = folder_ / "block";
    std::ofstream(blocked.block_path) << "receptor A 3-5\nligand A 2\n";
    expect_same(blocked, made(blocked), false);
}

TEST_F(Prepare, ResiduesThatAreBlockedAndAttractedAreNamed) {
    DockInput both = input("r.pdb", "small.pdb");
    both.block_path = folder_ / "block";
    both.attract_path = folder_ / "attract";
    std::ofstream(both.block_path) << "receptor A 3-5\nligand A 2\n";
    std::ofstream(both.attract_path) << "receptor A 5-9\nligand A 1\n";
    const std::string warning =
        "--block and --attract both name A 5 of the receptor: they are blocked, and attract "
        "nothing";
    const auto before = made(input("r.pdb", "small.pdb")).warnings;  // of atoms
    auto with_it = before;
    with_it.push_back(warning);
    EXPECT_EQ(made(both).warnings, with_it);
    std::ofstream(both.attract_path) << "receptor A 6\n";
    EXPECT_EQ(made(both).warnings, before);
}

// What is hashed a moment later may be another file.
TEST_F(Prepare, EveryFileIsReadOnceAndHashedAsItWasRead) {
    std::ofstream(folder_ / "own.rot") << "1 0 0 0\n0 1 0 0\n";
    std::ofstream(folder_ / "list") << "receptor A 1-3\n";
    std::ofstream(folder_ / "types") << "residue,atom,type\n*,*,A\n";
    std::ofstream(folder_ / "table") << "type,A\nA,1\n";
    DockInput asked = input("r.pdb", "small.pdb");
    asked.rotation_file = folder_ / "own.rot";
    asked.block_path = folder_ / "list";
    asked.atom_types = folder_ / "types";
    asked.pair_potential = folder_ / "table";
    asked.consensus.refine = 0;
    asked.energy.eigen_terms = 1;
    std::string hash;
    const auto opens =
        test::counted_opens(folder_.path(), [&] { hash = made(asked).input_sha256; });
    EXPECT_EQ(opens, (std::map<std::string, int>{{"list", 1},
                                                 {"own.rot", 1},
                                                 {"r.pdb", 1},
                                                 {"small.pdb", 1},
                                                 {"table", 1},
                                                 {"types", 1}}));
    EXPECT_EQ(hash, input_hash(asked));
}

}  // namespace
}  // namespace tessera::docking
