#include "orbitals/selection/selection.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/message_of.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;
using tessera::test::message_of;

/// Occupied 1 2 3, empty 4 5, energies out of order: 3 lies below 2.
io::Wavefunction restricted() {
    io::Wavefunction w;
    w.path = "r.molden";
    const double energies[] = {-20, -0.4, -0.7, 0.1, 0.3};
    for (int i = 0; i < 5; ++i) w.orbitals.push_back({"A", energies[i], i < 3 ? 2.0 : 0.0, {}, {}});
    return w;
}

/// Alpha 1 2 occupied, 3 empty; beta 4 occupied, 5 6 empty.
io::Wavefunction unrestricted() {
    io::Wavefunction w;
    w.path = "u.molden";
    const double energies[] = {-1, -0.5, 0.2, -0.3, 0.1, 0.4};
    const double occupations[] = {1, 1, 0, 1, 0, 0};
    for (int i = 0; i < 6; ++i)
        w.orbitals.push_back(
            {"A", energies[i], occupations[i], i < 3 ? io::Spin::alpha : io::Spin::beta, {}});
    return w;
}

std::vector<int> indices(const io::Wavefunction& w, const std::string& list) {
    std::vector<int> found;
    for (const auto& item : select_orbitals(w, parse_orbital_list(list), std::nullopt))
        found.push_back(item.orbital);
    return found;
}

std::vector<std::string> labels(const io::Wavefunction& w, const std::string& list) {
    std::vector<std::string> found;
    for (const auto& item : select_orbitals(w, parse_orbital_list(list), std::nullopt))
        found.push_back(item.label);
    return found;
}

using List = std::vector<int>;
using Names = std::vector<std::string>;

TEST(Selection, FrontierOrbitalsAreFoundByEnergyNotByPlace) {
    EXPECT_EQ(indices(restricted(), "HOMO"), (List{1}));
    EXPECT_EQ(indices(restricted(), "HOMO-1,HOMO-2"), (List{2, 0}));
    EXPECT_EQ(indices(restricted(), "lumo,Lumo+1"), (List{3, 4}));
    EXPECT_EQ(labels(restricted(), "homo-1,LUMO"), (Names{"HOMO-1", "LUMO"}));
}

TEST(Selection, OrderAndRepeatsAreKept) {
    EXPECT_EQ(indices(restricted(), "5, 2:3,1,5"), (List{4, 1, 2, 0, 4}));
    EXPECT_EQ(labels(restricted(), "5,2:3,1,5"), (Names{"5", "2", "3", "1", "5"}));
}

TEST(Selection, AllAndOccupied) {
    EXPECT_EQ(indices(restricted(), "all"), (List{0, 1, 2, 3, 4}));
    EXPECT_EQ(indices(restricted(), "occupied"), (List{0, 1, 2}));
    EXPECT_EQ(indices(unrestricted(), "occupied"), (List{0, 1, 3}));
    EXPECT_EQ(indices(unrestricted(), "occupieda,allb"), (List{0, 1, 3, 4, 5}));
}

TEST(Selection, SpinSuffixesCountWithinTheirSpin) {
    EXPECT_EQ(indices(unrestricted(), "1b,2B,3a,2:3b"), (List{3, 4, 2, 4, 5}));
    EXPECT_EQ(labels(unrestricted(), "1b,HOMOa"), (Names{"1b", "HOMOa"}));
    EXPECT_EQ(indices(unrestricted(), "HOMOa,HOMOb,LUMOa,LUMO+1b,4"), (List{1, 3, 2, 5, 3}));
}

TEST(Selection, WithoutASuffixHomoIsTheHigherAndLumoTheLowerOne) {
    EXPECT_EQ(indices(unrestricted(), "HOMO,LUMO"), (List{3, 4}));
    io::Wavefunction w = unrestricted();
    w.orbitals[3].energy = -0.6;
    w.orbitals[4].energy = 0.25;
    EXPECT_EQ(indices(w, "HOMO,LUMO"), (List{1, 2}));
}

TEST(Selection, EnergyWindowComesAfterTheList) {
    const auto window = parse_energy_window("-0.7:0.1");
    const auto found = select_orbitals(restricted(), parse_orbital_list("5"), window);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].orbital, 4);
    EXPECT_EQ(found[1].orbital, 1);
    EXPECT_EQ(found[2].orbital, 2);
    EXPECT_EQ(found[3].orbital, 3);
    EXPECT_NEAR(parse_energy_window("-27.211386245988:+2.7211386245988eV").low, -1, 1e-12);
    EXPECT_NEAR(parse_energy_window("-27.211386245988:+2.7211386245988eV").high, 0.1, 1e-12);
}

TEST(Selection, OtherFramesLookFrontierOrbitalsUpAnew) {
    const auto selected = select_orbitals(restricted(), parse_orbital_list("HOMO,5"), std::nullopt);
    io::Wavefunction other = restricted();
    other.orbitals[2].energy = -0.1;
    EXPECT_EQ(select_in_frame(other, selected), (List{2, 4}));
    other.orbitals.resize(4);
    EXPECT_NE(message_of([&] { select_in_frame(other, selected); }).find("no orbital 5"),
              std::string::npos);
}

TEST(Selection, WhatIsNoOrbitalIsNamed) {
    for (const auto& [list, words] :
         std::vector<std::pair<std::string, std::string>>{{"HOMO+1", "counts down"},
                                                          {"LUMO-1", "counts up"},
                                                          {"HOMO-", "counts down"},
                                                          {"0", "begin at 1"},
                                                          {"-3", "not a name"},
                                                          {"3:2", "backwards"},
                                                          {"1,,2", "empty"},
                                                          {"", "empty"},
                                                          {"pi", "not a name"},
                                                          {"1..5", "not a name"},
                                                          {"99999999999", "up to 2147483647"},
                                                          {"1:", "not a name"},
                                                          {"a", "not a name"},
                                                          {"HOMO-99999999999", "so many orbitals"}})
        EXPECT_NE(message_of([&] { parse_orbital_list(list); }).find(words), std::string::npos)
            << list;
    for (const auto& [list, words] :
         std::vector<std::pair<std::string, std::string>>{{"6", "no orbital 6"},
                                                          {"1.5", "it has the irreps a"},
                                                          {"HOMO-3", "no HOMO-3"},
                                                          {"LUMO+2", "no LUMO+2"},
                                                          {"1b", "beta"},
                                                          {"HOMOb", "no HOMOb"},
                                                          {"allb", "allb"}})
        EXPECT_NE(message_of([&, &text = list] { indices(restricted(), text); }).find(words),
                  std::string::npos)
            << list;
    for (const char* window : {"", "1", "a:b", "2:1", "nan:1", "0:inf"})
        EXPECT_NE(message_of([&] { parse_energy_window(window); }).find("--energy-window"),
                  std::string::npos);
    EXPECT_NE(message_of([] {
                  select_orbitals(restricted(), {}, EnergyWindow{5, 6});
              }).find("widen"),
              std::string::npos);
}

TEST(Selection, NumbersOfFrames) {
    EXPECT_EQ(parse_numbers("--frames", "3,1:2", 3), (List{3, 1, 2}));
    EXPECT_NE(message_of([] {
                  parse_numbers("--frames", "1:100000000000", 3);
              }).find("there is no 1:100000000000 (the files hold 3)"),
              std::string::npos);
    for (const char* text : {"0", "4", "2:1", "x", "", "1:", "-1"})
        EXPECT_NE(message_of([&] { parse_numbers("--frames", text, 3); }).find("--frames"),
                  std::string::npos)
            << text;
}

}  // namespace
