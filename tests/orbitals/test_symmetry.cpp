// Orbitals by symmetry labels, as several programs write them.
#include "orbitals/selection/symmetry.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"
#include "orbitals/selection/selection.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;

using Labels = std::vector<std::string>;

/// Orbitals with ascending energies, or with those given.
io::Wavefunction labelled(const Labels& labels, std::vector<double> energies = {}) {
    io::Wavefunction w;
    w.path = "labels.molden";
    for (std::size_t i = 0; i < labels.size(); ++i) {
        io::MolecularOrbital& orbital = w.orbitals.emplace_back();
        orbital.symmetry = labels[i];
        orbital.energy = energies.empty() ? static_cast<double>(i) : energies[i];
    }
    return w;
}

/// The same labels for both spins.
io::Wavefunction both_spins(const Labels& labels) {
    io::Wavefunction w = labelled(labels);
    const auto alpha = w.orbitals;
    for (io::MolecularOrbital orbital : alpha) {
        orbital.spin = io::Spin::beta;
        w.orbitals.push_back(orbital);
    }
    return w;
}

int find(const io::Wavefunction& w, const std::string& text) {
    return find_by_symmetry(w, text, "--orbitals").orbital;
}

std::string label(const io::Wavefunction& w, const std::string& text) {
    return find_by_symmetry(w, text, "--orbitals").label;
}

std::string refusal(const io::Wavefunction& w, const std::string& text) {
    try {
        find_by_symmetry(w, text, "--orbitals");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Symmetry, LabelsAreSplitIntoNumberAndIrrep) {
    const auto split = [](const char* text) {
        const SymmetryLabel found = symmetry_label(text);
        return std::pair(found.number.value_or(-1), found.irrep);
    };
    using Split = std::pair<int, std::string>;
    EXPECT_EQ(split("2b1u"), Split(2, "b1u"));
    EXPECT_EQ(split(" 2 B1u"), Split(2, "b1u"));
    EXPECT_EQ(split("12.b1u"), Split(12, "b1u"));
    EXPECT_EQ(split("1.3"), Split(1, "3"));
    EXPECT_EQ(split("B1u"), Split(-1, "b1u"));
    EXPECT_EQ(split("3A'"), Split(3, "a'"));
    EXPECT_EQ(split("7"), Split(7, ""));
    EXPECT_EQ(split(""), Split(-1, ""));
    EXPECT_EQ(split("99999999999a1"), Split(-1, "99999999999a1"));
}

TEST(Symmetry, PlainLabelsCountInOrderOfEnergy) {
    const auto w = labelled({"A1", "B2", "A1", "B2", "A1"}, {-20, -0.7, -1.3, 0.2, -2});
    EXPECT_EQ(find(w, "1a1"), 0);
    EXPECT_EQ(find(w, "2a1"), 4);
    EXPECT_EQ(find(w, "3 A1"), 2);
    EXPECT_EQ(find(w, "2B2"), 3);
    EXPECT_EQ(label(w, "2 B2"), "2b2");
}

TEST(Symmetry, NumbersOfTheFileAreItsNames) {
    // A file that begins with the second orbital of an irrep.
    const auto w = labelled({"2b1u", "1ag", "3B1u", "2ag"});
    EXPECT_EQ(find(w, "2b1u"), 0);
    EXPECT_EQ(find(w, "3 b1u"), 2);
    EXPECT_NE(refusal(w, "1b1u").find("of this irrep it has 2b1u, 3b1u"), std::string::npos)
        << refusal(w, "1b1u");
}

TEST(Symmetry, MolproNumbersIrreps) {
    const auto w = labelled({"1.1", "2.1", "1.3", "3.1"});
    EXPECT_EQ(find(w, "3.1"), 3);
    EXPECT_EQ(find(w, "1.3"), 2);
    EXPECT_EQ(label(w, "1.3"), "1.3");
}

TEST(Symmetry, IrrepsAAndBAreKeptApartFromSpins) {
    const auto w = labelled({"A", "B", "A"});
    EXPECT_EQ(find(w, "2 a"), 2);
    EXPECT_EQ(find(w, "1.b"), 1);
    EXPECT_EQ(label(w, "1 B"), "1.b");
    EXPECT_EQ(symmetry_names(w), (Labels{"1.a", "1.b", "2.a"}));
    // "2a" is the second alpha orbital, as ever.
    EXPECT_EQ(select_orbitals(w, parse_orbital_list("2a"), {})[0].orbital, 1);
    EXPECT_EQ(select_orbitals(w, parse_orbital_list("2 a"), {})[0].orbital, 2);
}

TEST(Symmetry, PrimesAreLetters) {
    const auto w = labelled({"A'", "A\"", "A'"});
    EXPECT_EQ(find(w, "2a'"), 2);
    EXPECT_EQ(find(w, "1A\""), 1);
}

TEST(Symmetry, ASuffixChoosesTheSpin) {
    const auto w = both_spins({"Ag", "B1u", "Ag"});
    EXPECT_EQ(find(w, "2aga"), 2);
    EXPECT_EQ(find(w, "2agb"), 5);
    EXPECT_EQ(label(w, "2 AgB"), "2agb");
    const std::string both = refusal(w, "1b1u");
    EXPECT_NE(both.find("names several orbitals"), std::string::npos) << both;
    EXPECT_NE(both.find("choose 1b1ua or 1b1ub"), std::string::npos) << both;
    EXPECT_EQ(symmetry_names(w), (Labels{"1aga", "1b1ua", "2aga", "1agb", "1b1ub", "2agb"}));
}

TEST(Symmetry, ALetterThatBelongsToAnIrrepIsNoSpin) {
    const auto w = labelled({"T1", "T1a", "T1"});
    EXPECT_EQ(find(w, "1t1a"), 1);
    EXPECT_EQ(find(w, "2t1a"), 2);  // there is no second t1a, so this is alpha
}

TEST(Symmetry, PartnersWithOneLabelAreToldByTheirNumbers) {
    const auto w = labelled({"1a1g", "1e1u", "1e1u"});
    const std::string found = refusal(w, "1e1u");
    EXPECT_NE(found.find("2 have this label"), std::string::npos) << found;
    EXPECT_NE(found.find("choose 2 or 3"), std::string::npos) << found;
    EXPECT_EQ(symmetry_names(w), (Labels{"1a1g", "", ""}));
}

TEST(Symmetry, WhatIsNotThereIsToldFromWhatIs) {
    const auto w = labelled({"A1", "B2", "A1"});
    EXPECT_NE(refusal(w, "1b1").find("it has the irreps a1, b2"), std::string::npos);
    EXPECT_NE(refusal(w, "3a1").find("of this irrep it has 1a1, 2a1"), std::string::npos);
    EXPECT_NE(refusal(labelled({"", ""}), "1a1").find("no symmetry labels"), std::string::npos);
}

TEST(Symmetry, FilesWithOneIrrepHaveNoNames) {
    EXPECT_EQ(symmetry_names(labelled({"A", "A"})), (Labels{"", ""}));
    EXPECT_EQ(symmetry_names(labelled({"1a", "2a"})), (Labels{"", ""}));
    EXPECT_EQ(symmetry_names(labelled({"", ""})), (Labels{"", ""}));
    EXPECT_FALSE(has_symmetry(labelled({"A", "A"})));
    EXPECT_TRUE(has_symmetry(labelled({"A", "B"})));
}

TEST(Symmetry, LabelsBecomeNamesOfFiles) {
    EXPECT_EQ(label(labelled({"E1/2", "A"}), "1e1/2"), "1e1_2");
    EXPECT_EQ(label(labelled({"\xcf\x83", "A"}), "1\xcf\x83"), "1__");
}

TEST(Symmetry, EveryFrameIsSearched) {
    const auto first = labelled({"A1", "B1", "B2"}), second = labelled({"B1", "A1", "B2"});
    const auto selected = select_orbitals(first, parse_orbital_list("1b1,1B2"), {});
    EXPECT_EQ(selected[0].label, "1b1");
    EXPECT_EQ(select_in_frame(second, selected), (std::vector<int>{0, 2}));
}

TEST(Symmetry, OtherItemsOfAListAreWhatTheyWere) {
    for (const char* bad : {"0b1u", "5-7", "b1u", "1:x", "1 2"})
        EXPECT_THROW(parse_orbital_list(bad), Error) << bad;
    EXPECT_EQ(parse_orbital_list("3b")[0].kind, OrbitalRequest::Kind::numbers);
    EXPECT_EQ(parse_orbital_list("12:18b")[0].kind, OrbitalRequest::Kind::numbers);
}

}  // namespace
