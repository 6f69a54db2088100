// The contact potential and its eigen-terms.
#include "docking/model/pair_potential.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "core/error.hpp"
#include "docking/ace_molecules.hpp"

namespace {

using tessera::Error;
using tessera::docking::PairPotential;

std::string shared_table(const std::string& name) {
    const char* folder = std::getenv("TESSERA_SHARED_DIR");
    return (folder ? std::string(folder) : std::string(TESSERA_SOURCE_DIR) + "/../shared") +
           "/data/docking-tables/" + name;
}

PairPotential read_text(const std::string& text, double scale = 1.0) {
    const std::string path =
        testing::TempDir() + "tessera_" + std::to_string(getpid()) + "_potential.csv";
    std::ofstream(path) << text;
    struct Remove {
        std::string path;
        ~Remove() { std::remove(path.c_str()); }
    } remove{path};
    return tessera::docking::read_pair_potential(path, scale);
}

std::string error_of(const std::string& text) {
    try {
        read_text(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

double rebuilt(const PairPotential& p, int i, int j) {
    double sum = 0;
    const int k = p.types();
    for (int e = 0; e < k; ++e)
        sum += p.eigenvalues[e] * p.eigenvectors[e * k + i] * p.eigenvectors[e * k + j];
    return sum;
}

void expect_valid_decomposition(const PairPotential& p, double tolerance) {
    const int k = p.types();
    for (int i = 0; i < k; ++i) {
        for (int j = 0; j < k; ++j) {
            EXPECT_NEAR(rebuilt(p, i, j), p.matrix[i * k + j], tolerance);
            double product = 0;
            for (int t = 0; t < k; ++t)
                product += p.eigenvectors[i * k + t] * p.eigenvectors[j * k + t];
            EXPECT_NEAR(product, i == j, 1e-13);
        }
        if (i > 0) {
            EXPECT_GE(std::abs(p.eigenvalues[i - 1]), std::abs(p.eigenvalues[i]));
        }
        double largest = 0;
        for (int t = 0; t < k; ++t)
            if (std::abs(p.eigenvectors[i * k + t]) > std::abs(largest))
                largest = p.eigenvectors[i * k + t];
        EXPECT_GT(largest, 0);
    }
}

TEST(PairPotential, TwoByTwoHasTheEigenpairsOfTheTextbook) {
    // [[2, 1], [1, 2]]: 3 with (1, 1) / sqrt 2, 1 with (1, -1) / sqrt 2.
    const PairPotential p = read_text("type,A,B\nA,2,1\nB,1,2\n");
    EXPECT_NEAR(p.eigenvalues[0], 3, 1e-15);
    EXPECT_NEAR(p.eigenvalues[1], 1, 1e-15);
    EXPECT_NEAR(p.eigenvectors[0], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(p.eigenvectors[1], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(p.eigenvectors[2] * p.eigenvectors[3], -0.5, 1e-15);
}

TEST(PairPotential, AtomicContactEnergiesArePublishedNumbers) {
    const PairPotential ace = tessera::docking::atomic_contact_energies(1.0);
    ASSERT_EQ(ace.types(), 18);
    EXPECT_EQ(ace.type_names, tessera::docking::ace_type_names);
    const auto energy = [&](int s, int t) { return ace.matrix[s * 18 + t]; };
    EXPECT_DOUBLE_EQ(energy(0, 0), -0.724);    // N-N
    EXPECT_DOUBLE_EQ(energy(17, 17), -3.742);  // CSG-CSG, the most favourable contact
    EXPECT_DOUBLE_EQ(energy(6, 8), 1.157);     // KNZ-DOD, the salt bridge
    EXPECT_DOUBLE_EQ(energy(8, 8), 1.978);     // DOD-DOD, with its sign put right
    EXPECT_DOUBLE_EQ(energy(3, 16), -0.650);
    const PairPotential half = tessera::docking::atomic_contact_energies(0.5);
    EXPECT_DOUBLE_EQ(half.matrix[0], -0.362);
    EXPECT_NEAR(half.eigenvalues[0], 0.5 * ace.eigenvalues[0], 1e-13);
}

TEST(PairPotential, BuiltInTablesAreFoundByNameAndHaveTheirScales) {
    using namespace tessera::docking;
    EXPECT_EQ(default_pair_scale("ace"), 0.6);
    EXPECT_EQ(default_pair_scale("tessera"), 1.0);
    EXPECT_EQ(default_pair_scale("my.csv"), 1.0);
    EXPECT_TRUE(is_built_in_potential(default_pair_potential));
    EXPECT_FALSE(is_built_in_potential("./ace"));
    EXPECT_EQ(load_pair_potential("ace", 0.6).matrix, atomic_contact_energies(0.6).matrix);
    EXPECT_THROW(load_pair_potential("Ace", 1.0), Error);

    const PairPotential own = load_pair_potential("tessera", 1.0);
    EXPECT_EQ(own.name, "tessera");
    EXPECT_EQ(own.type_names, ace_type_names);
    const PairPotential doubled = load_pair_potential("tessera", 2.0);
    for (std::size_t i = 0; i < own.matrix.size(); ++i)
        EXPECT_DOUBLE_EQ(doubled.matrix[i], 2 * own.matrix[i]);
}

TEST(PairPotential, TheOwnTableKnowsSaltBridgesAndHydrophobicContacts) {
    const PairPotential own = tessera::docking::load_pair_potential("tessera", 1.0);
    const auto energy = [&](int s, int t) { return own.matrix[s * 18 + t]; };
    const int lysine = 6, carboxylate = 8, guanidinium = 9, aromatic = 15, aliphatic = 16;
    EXPECT_LT(energy(lysine, carboxylate), energy(lysine, lysine));
    EXPECT_LT(energy(lysine, carboxylate), energy(carboxylate, carboxylate));
    EXPECT_LT(energy(guanidinium, carboxylate), energy(guanidinium, guanidinium));
    EXPECT_LT(energy(aliphatic, aliphatic), energy(aliphatic, lysine));
    EXPECT_LT(energy(aromatic, aliphatic), energy(aromatic, carboxylate));
}

TEST(PairPotential, EigenTermsRebuildTheTableToRounding) {
    expect_valid_decomposition(tessera::docking::atomic_contact_energies(1.0), 1e-12);
    expect_valid_decomposition(tessera::docking::load_pair_potential("tessera", 1.0), 1e-12);
}

TEST(PairPotential, RandomAndDegenerateTablesDecompose) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (const int k : {1, 2, 5, 30}) {
        PairPotential p;
        p.matrix.resize(k * k);
        for (int i = 0; i < k; ++i) {
            p.type_names.push_back("T" + std::to_string(i));
            for (int j = 0; j <= i; ++j) p.matrix[i * k + j] = p.matrix[j * k + i] = normal(random);
        }
        tessera::docking::decompose(p);
        expect_valid_decomposition(p, 1e-12);
    }
    expect_valid_decomposition(read_text("type,A,B,C\nA,1,0,0\nB,0,1,0\nC,0,0,1\n"), 1e-15);
    const PairPotential zero = read_text("type,A,B\nA,0,0\nB,0,0\n");
    EXPECT_EQ(zero.eigenvalues, (std::vector<double>{0, 0}));
}

TEST(PairPotential, ReadsCommentsBlanksAndWindowsLineEnds) {
    const PairPotential p =
        read_text("# a comment\r\n\r\ntype, A ,B\r\nA,1,+2.5e-1\r\nB,0.25,3\r\n", 2);
    EXPECT_EQ(p.type_names, (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(p.matrix, (std::vector<double>{2, 0.5, 0.5, 6}));
}

TEST(PairPotential, BadTablesAreRefusedWithTheLine) {
    const auto expect = [](const std::string& text, const std::string& part) {
        EXPECT_NE(error_of(text).find(part), std::string::npos)
            << error_of(text) << "\nlacks: " << part;
    };
    expect("", "is empty");
    expect("A,B\n1,2\n", "line 1: the header");
    expect("type,A,B\nA,1,2\n", "1 row for 2 types");
    expect("type,A,B\nA,1,2\nB,2\n", "line 3: 1 number for 2 types");
    expect("type,A,B\nA,1,2\nC,2,1\n", "line 3: row 'C' where 'B'");
    expect("type,A,B\nA,1,x\nB,2,1\n", "line 2, field 3: 'x' is not a finite number");
    expect("type,A,B\nA,1,nan\nB,2,1\n", "line 2, field 3");
    expect("type,A,B\nA,1,2\nB,2,1e308\n", "line 3: '1e308' is beyond 1e6 kcal/mol");
    expect("type,A,B\nA,1,2\nB,2.1,1\n", "line 3: not symmetric, B-A");
    expect("type,A,A\nA,1,2\nA,2,1\n", "twice");
    EXPECT_THROW(tessera::docking::read_pair_potential(testing::TempDir()), Error);
    EXPECT_THROW(tessera::docking::read_pair_potential("no such file"), Error);
}

TEST(PairPotential, AgreesWithTheIndependentTables) {
    if (!std::filesystem::exists(shared_table("ace_matrix.csv")))
        GTEST_SKIP() << "no " << shared_table("ace_matrix.csv");
    const PairPotential ace = tessera::docking::atomic_contact_energies(1.0);
    const PairPotential other =
        tessera::docking::read_pair_potential(shared_table("ace_matrix.csv"));
    EXPECT_EQ(ace.type_names, other.type_names);
    EXPECT_EQ(ace.matrix, other.matrix);
    std::ifstream file(shared_table("ace_eigen.csv"));
    std::string line, field;
    std::getline(file, line);
    for (int p = 0; p < 18; ++p) {
        ASSERT_TRUE(std::getline(file, line));
        std::istringstream fields(line);
        std::vector<double> values;
        while (std::getline(fields, field, ',')) values.push_back(std::stod(field));
        ASSERT_EQ(values.size(), 20u);
        EXPECT_NEAR(ace.eigenvalues[p], values[1], 1e-7);
        double product = 0;  // the sign of a vector is a matter of taste
        for (int t = 0; t < 18; ++t) product += ace.eigenvectors[p * 18 + t] * values[t + 2];
        EXPECT_NEAR(std::abs(product), 1, 1e-6);
    }
}

}  // namespace
