// A tail that enlarges the grid is named, with both sizes of the grid; a globule or a rod has none.
#include "docking/setup/outlying_residues.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace tessera::docking {
namespace {

/// A protein of C-alphas, and its atoms in the energy.
struct Protein {
    io::Structure structure;
    Molecule molecule;

    void add(const char* chain, int number, Vec3 place) {
        io::AtomRecord atom;
        atom.name = "CA";
        atom.chain = chain;
        atom.residue_number = number;
        atom.residue_index = static_cast<int>(structure.atoms.size());
        atom.position = place;
        molecule.positions.push_back(place);
        structure.atoms.push_back(atom);
    }
};

/// Residues spread evenly over a ball, or over a rod along x with half the length `rod`.
Protein body(int residues, double radius, unsigned seed, double rod = 0) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Protein protein;
    while (std::ssize(protein.structure.atoms) < residues) {
        const Vec3 p{uniform(random), uniform(random), uniform(random)};
        if (rod == 0 && p.x * p.x + p.y * p.y + p.z * p.z > 1) continue;
        protein.add("A", 1 + static_cast<int>(protein.structure.atoms.size()),
                    {(rod == 0 ? radius : rod) * p.x, radius * p.y, radius * p.z});
    }
    return protein;
}

/// A straight chain away from the body, 3.4 A for each residue.
void add_tail(Protein& protein, double from, int residues, const char* chain, int number) {
    for (int i = 0; i < residues; ++i) protein.add(chain, number + i, {from + 3.4 * (i + 1), 0, 0});
}

std::string warning_for(const Protein& receptor, const Protein& ligand, double spacing = 1) {
    return outlying_residues_warning(outline_of(receptor.structure), outline_of(ligand.structure),
                                     make_frame(receptor.molecule, ligand.molecule, spacing, 0));
}

TEST(OutlyingResidues, AGlobuleAndARodHaveNone) {
    EXPECT_EQ(warning_for(body(300, 20, 1), body(150, 15, 2)), "");
    EXPECT_EQ(warning_for(body(300, 20, 1), body(300, 6, 3, 80)), "");
}

TEST(OutlyingResidues, ATailIsNamedWithBothGrids) {
    const Protein receptor = body(300, 20, 1);
    Protein ligand = body(280, 20, 2);
    add_tail(ligand, 20, 40, "B", 501);
    const std::string warning = warning_for(receptor, ligand);
    const int with = make_frame(receptor.molecule, ligand.molecule, 1, 0).n;
    EXPECT_NE(warning.find("of 320 residues of the ligand (B 5"), std::string::npos) << warning;
    EXPECT_NE(warning.find("-540) stick out"), std::string::npos) << warning;
    EXPECT_NE(warning.find("to " + std::to_string(with) + "^3 points"), std::string::npos)
        << warning;
    EXPECT_EQ(warning.find("receptor"), std::string::npos) << warning;
    // Without the residues that it names, the grid is the one that it names.
    const int first = std::stoi(warning.substr(warning.find("(B ") + 3));
    EXPECT_GT(first, 501);
    EXPECT_LT(first, 515);
    Molecule rest;
    for (std::size_t i = 0; i < ligand.structure.atoms.size(); ++i)
        if (ligand.structure.atoms[i].residue_number < first)
            rest.positions.push_back(ligand.molecule.positions[i]);
    const int less = make_frame(receptor.molecule, rest, 1, 0).n;
    EXPECT_NE(warning.find("from " + std::to_string(less) + "^3"), std::string::npos) << warning;
    EXPECT_GT(std::pow(with, 3), 2 * std::pow(less, 3));
    EXPECT_EQ(warning, warning_for(receptor, ligand));
}

TEST(OutlyingResidues, TailsOfBothPartnersAreNamed) {
    Protein receptor = body(300, 20, 1), ligand = body(280, 20, 2);
    add_tail(receptor, 20, 30, "", 1);
    add_tail(ligand, 20, 30, "B", 1);
    const std::string warning = warning_for(receptor, ligand);
    EXPECT_NE(warning.find("of the receptor (_ "), std::string::npos) << warning;
    EXPECT_NE(warning.find("of the ligand (B "), std::string::npos) << warning;
}

TEST(OutlyingResidues, HalfAProteinIsNoTail) {
    Protein ligand = body(60, 12, 2);
    add_tail(ligand, 12, 60, "A", 61);
    EXPECT_EQ(warning_for(body(300, 20, 1), ligand), "");
    Protein with_short_tail = body(280, 20, 2);
    add_tail(with_short_tail, 20, 4, "A", 281);
    EXPECT_EQ(warning_for(body(300, 20, 1), with_short_tail), "");
}

}  // namespace
}  // namespace tessera::docking
