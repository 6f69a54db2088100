// Types and charges of molecules beside proteins: tables, and rules by element and bonding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "docking/ace_molecules.hpp"
#include "docking/component_structures.hpp"
#include "docking/model/component_table.hpp"

namespace tessera::docking {
namespace {

using namespace testing;

double sum(const std::vector<double>& charges, std::size_t from) {
    return std::accumulate(charges.begin() + static_cast<std::ptrdiff_t>(from), charges.end(), 0.0);
}

/// What the rules make of a molecule that no table has.
struct Typed {
    std::vector<std::string> warnings, types;
    double charge = 0;
};

Typed typed(const std::vector<Site>& sites, const std::string& name = "QQQ") {
    const io::Structure structure = kept_alone(name, sites);
    Typed found;
    const Molecule molecule = make_ace_molecule(structure, found.warnings);
    found.charge = sum(molecule.charges, 4);  // after the glycine
    for (std::size_t i = 4; i < molecule.size(); ++i)
        found.types.push_back(ace_type_names[static_cast<std::size_t>(molecule.types[i])]);
    return found;
}

using Types = std::vector<std::string>;

TEST(ComponentTable, AtomsAddUpToTheChargeOfTheMolecule) {
    std::map<std::string, double> sums;
    for (const auto& [key, row] : built_in_component_atoms().rows()) sums[key.first] += row.charge;
    // As in solution at pH 7.
    for (const auto& [name, charge] : std::map<std::string, int>{
             {"ATP", -4}, {"ADP", -3}, {"AMP", -2}, {"GTP", -4}, {"GDP", -3}, {"NAD", -1},
             {"NAI", -2}, {"NAP", -3}, {"NDP", -4}, {"FAD", -2}, {"FMN", -2}, {"HEM", -2},
             {"HEC", -2}, {"ZN", 2},   {"MG", 2},   {"CA", 2},   {"FE", 3},   {"FE2", 2},
             {"NA", 1},   {"K", 1},    {"CL", -1},  {"CYM", -1}}) {
        ASSERT_TRUE(sums.contains(name)) << name;
        EXPECT_NEAR(sums[name], charge, 1e-6) << name;
    }
    for (const auto& [name, component] : built_in_components()) {
        if (!component.charge || !sums.contains(name)) continue;
        EXPECT_NEAR(sums[name], *component.charge, 1e-5) << name;
    }
}

TEST(ComponentTable, MoleculesHaveTheAtomsOfTheDictionary) {
    std::map<std::string, int> atoms;
    for (const auto& [key, row] : built_in_component_atoms().rows()) {
        ++atoms[key.first];
        EXPECT_NE(std::ranges::find(ace_type_names, row.type), ace_type_names.end()) << row.type;
        EXPECT_GT(row.radius, 0.5) << key.first << " " << key.second;
        EXPECT_LT(row.radius, 2.6) << key.first << " " << key.second;
    }
    // Heavy atoms in the chemical component dictionary.
    for (const auto& [name, count] : std::map<std::string, int>{{"ATP", 31},
                                                                {"ADP", 27},
                                                                {"GTP", 32},
                                                                {"GDP", 28},
                                                                {"GNP", 32},
                                                                {"NAD", 44},
                                                                {"NAP", 48},
                                                                {"FAD", 53},
                                                                {"FMN", 31},
                                                                {"HEM", 43},
                                                                {"SF4", 8}})
        EXPECT_EQ(atoms[name], count) << name;
}

TEST(ComponentTable, MalformedTablesAreRefused) {
    const auto parse = [](const std::string& text) {
        return parse_components({"c.csv", text, "table", ""});
    };
    EXPECT_EQ(parse("residue,kind,charge,source\nABC,ion,2,x\n").at("ABC").charge, 2);
    EXPECT_FALSE(parse("kind,residue,charge\nsugar,ABC,\n").at("ABC").charge.has_value());
    for (const char* bad :
         {"residue,kind\nABC,ion\n", "residue,kind,charge\nABC,metal,2\n",
          "residue,kind,charge\nABC,ion\n", "residue,kind,charge\nABC,ion,1.5\n",
          "residue,kind,charge\nABC,ion,2\nABC,ion,2\n", "residue,kind,charge\nABC,ion,99\n"})
        EXPECT_THROW(parse(bad), Error) << bad;
}

TEST(BondedAtoms, AcidsHaveTheirWholeCharges) {
    const Vec3 o{};
    const Typed acetate = typed({{"CH3", "C", {-1.5, 0, 0}},
                                 {"C", "C", o},
                                 {"O", "O", around(o, 1.25, 60)},
                                 {"OXT", "O", around(o, 1.25, -60)}});
    EXPECT_NEAR(acetate.charge, -1, 1e-9);
    EXPECT_EQ(acetate.types, (Types{"LCD", "DOD", "DOD", "DOD"}));
    ASSERT_EQ(acetate.warnings.size(), 1u);
    EXPECT_NE(acetate.warnings[0].find("QQQ (4 atoms)"), std::string::npos) << acetate.warnings[0];

    const std::vector<Site> sulfate{{"S", "S", o},
                                    {"O1", "O", {0.85, 0.85, 0.85}},
                                    {"O2", "O", {-0.85, -0.85, 0.85}},
                                    {"O3", "O", {0.85, -0.85, -0.85}},
                                    {"O4", "O", {-0.85, 0.85, -0.85}}};
    EXPECT_NEAR(typed(sulfate).charge, -2, 1e-9);
    std::vector<Site> phosphate = sulfate;
    phosphate[0] = {"P", "P", o};
    EXPECT_NEAR(typed(phosphate).charge, -2, 1e-9);
    phosphate.push_back({"C", "C", {-1.9, 1.5, -1.4}});  // bonded to O4: a phosphate ester
    const Typed ester = typed(phosphate);
    EXPECT_NEAR(ester.charge, -2, 1e-9);
    EXPECT_EQ(ester.types[5], "SOG");
}

TEST(BondedAtoms, BasesHaveTheirWholeCharges) {
    const Vec3 o{};
    EXPECT_NEAR(typed({{"C", "C", {1.49, 0, 0}}, {"N", "N", o}}).charge, 1, 1e-9);
    const Typed trimethylammonium = typed({{"N", "N", o},
                                           {"C1", "C", around(o, 1.49, 0)},
                                           {"C2", "C", around(o, 1.49, 120)},
                                           {"C3", "C", around(o, 1.49, 240)}});
    EXPECT_NEAR(trimethylammonium.charge, 1, 1e-9);
    EXPECT_EQ(trimethylammonium.types.front(), "KNZ");
    const Typed guanidinium = typed({{"C", "C", o},
                                     {"N1", "N", around(o, 1.33, 0)},
                                     {"N2", "N", around(o, 1.33, 120)},
                                     {"N3", "N", around(o, 1.33, 240)},
                                     {"C1", "C", around(o, 2.5, 250)}});
    EXPECT_NEAR(guanidinium.charge, 1, 1e-9);
    EXPECT_EQ(guanidinium.types.front(), "RNH");
}

TEST(BondedAtoms, NeutralGroupsStayNeutral) {
    const Vec3 o{};
    std::vector<Site> pyridine;
    for (int k = 0; k < 6; ++k)
        pyridine.push_back({k == 0 ? "N1" : "C" + std::to_string(k), k == 0 ? "N" : "C",
                            around(o, 1.38, 60.0 * k)});
    const Typed ring = typed(pyridine);
    EXPECT_NEAR(ring.charge, 0, 1e-9);
    EXPECT_EQ(ring.types, (Types{"HNE", "FCZ", "FCZ", "FCZ", "FCZ", "FCZ"}));
    std::vector<Site> aniline = pyridine;
    aniline[0] = {"C0", "C", pyridine[0].position};
    aniline.push_back({"N", "N", {2.81, 0, 0}});  // at the length of a single bond
    EXPECT_NEAR(typed(aniline).charge, 0, 1e-9);
    EXPECT_EQ(typed(aniline).types.back(), "NND");
    const Typed acetamide = typed({{"CH3", "C", {-1.5, 0, 0}},
                                   {"C", "C", o},
                                   {"O", "O", around(o, 1.23, 60)},
                                   {"N", "N", around(o, 1.33, -60)}});
    EXPECT_NEAR(acetamide.charge, 0, 1e-9);
    EXPECT_EQ(acetamide.types, (Types{"LCD", "NND", "NND", "NND"}));
    const Typed glycol = typed({{"O1", "O", {-1.43, 0, 0}},
                                {"C1", "C", o},
                                {"C2", "C", {0.5, 1.43, 0}},
                                {"O2", "O", {1.93, 1.43, 0}}});
    EXPECT_NEAR(glycol.charge, 0, 1e-9);
    EXPECT_EQ(glycol.types, (Types{"SOG", "SOG", "SOG", "SOG"}));
    EXPECT_NEAR(typed({{"O", "O", o}}, "HOH").charge, 0, 1e-9);
    EXPECT_EQ(typed({{"C1", "C", o}, {"CL", "CL", {1.74, 0, 0}}}).types.back(), "LCD");
}

TEST(BondedAtoms, IonsOfOtherMetalsHaveTheirUsualCharge) {
    EXPECT_NEAR(typed({{"W", "W", {}}}).charge, 2, 1e-9);
    EXPECT_NEAR(typed({{"CE", "CE", {}}}).charge, 3, 1e-9);
    EXPECT_NEAR(typed({{"AG", "AG", {}}}).charge, 1, 1e-9);
}

TEST(BondedAtoms, ModifiedResiduesKeepTheirParentsAtoms) {
    // A glutamate-like residue without a name in any table, with a bromine at CB.
    io::Structure structure;
    add_residue(structure.atoms, "B1X",
                {{"N", "N", {0, 0, 0}},
                 {"CA", "C", {1.5, 0, 0}},
                 {"C", "C", {2, 1.4, 0}},
                 {"O", "O", {1.2, 2.3, 0}},
                 {"CB", "C", {2, -0.8, 1.2}},
                 {"BR", "BR", {3.5, -1.8, 1.2}}});
    std::vector<std::string> warnings;
    const Molecule molecule = make_ace_molecule(structure, warnings);
    EXPECT_EQ(molecule.types, (std::vector<int>{0, 1, 2, 3, 5, 16}));
    EXPECT_DOUBLE_EQ(molecule.radii[5], 1.97);
    EXPECT_NEAR(sum(molecule.charges, 0), 0, 1e-9);  // both ends are charged
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("B1X (BR)"), std::string::npos) << warnings[0];
}

TEST(Molecule, CysteinesAtAMetalAreThiolates) {
    const auto charge_with = [](Vec3 zinc) {
        io::Structure structure;
        for (const Vec3 sulfur : {Vec3{2.3, 0, 0}, {0, 2.3, 0}, {0, -2.3, 0}, {0, 0, 2.3}})
            add_cysteine(structure.atoms, sulfur);
        for (std::size_t i = 0; i < structure.atoms.size(); ++i)
            structure.atoms[i].residue_index = static_cast<int>(i / 6);
        add_residue(structure.hetero, "ZN", {{"ZN", "ZN", zinc}});
        KeepRule rule;
        rule.all = true;
        keep_residues(rule, structure);
        std::vector<std::string> warnings;
        return sum(make_ace_molecule(structure, warnings).charges, 0);
    };
    EXPECT_NEAR(charge_with({0, 0, 0}), 2 - 4, 1e-9);
    EXPECT_NEAR(charge_with({-40, 0, 0}), 2, 1e-9);
}

}  // namespace
}  // namespace tessera::docking
