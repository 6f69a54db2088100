// Types, charges, radii and surface flags of protein atoms.
#include "docking/model/molecule.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "docking/ace_molecules.hpp"
#include "io/text/csv_table.hpp"

namespace {

using tessera::Error;
using tessera::docking::AtomParameters;
using tessera::docking::AtomTypes;
using tessera::docking::built_in_atom_table;
using tessera::docking::make_ace_molecule;
using tessera::docking::make_molecule;
using tessera::docking::Molecule;
using tessera::io::AtomRecord;
using tessera::io::Structure;

/// Residues given as {"GLY", {"N", "CA", "C", "O"}}, 10 A apart, in one segment.
struct Peptide {
    Structure structure;

    Peptide& add(const std::string& residue, const std::vector<std::string>& atoms, int segment = 0,
                 const std::string& variant = "") {
        ++number_;
        for (const std::string& name : atoms) {
            AtomRecord atom;
            atom.name = name;
            atom.residue = residue;
            atom.variant = variant.empty() ? residue : variant;
            atom.chain = "A";
            atom.residue_number = number_;
            atom.segment = segment;
            atom.position = {10.0 * number_, 1.5 * static_cast<double>(structure.atoms.size()), 0};
            structure.atoms.push_back(atom);
        }
        return *this;
    }

    std::vector<double> charges() const {
        std::vector<std::string> warnings;
        return make_ace_molecule(structure, warnings).charges;
    }

    double total() const {
        const std::vector<double> q = charges();
        return std::accumulate(q.begin(), q.end(), 0.0);
    }

  private:
    int number_ = 0;
};

const std::vector<std::string> backbone{"N", "CA", "C", "O"};

// All atoms of a residue that the table has, as a chain of that residue alone would bear them.
std::vector<std::string> atoms_of(const std::string& residue) {
    std::vector<std::string> atoms;
    for (const auto& [key, row] : built_in_atom_table().rows())
        if (key.first == residue) atoms.push_back(key.second);
    return atoms;
}

TEST(AtomTable, EveryResidueHasTheNetChargeOfItsTitration) {
    const std::map<std::string, double> charged{{"ARG", 1}, {"LYS", 1}, {"ASP", -1}, {"GLU", -1}};
    std::map<std::string, double> sums;
    for (const auto& [key, row] : built_in_atom_table().rows()) sums[key.first] += row.charge;
    for (const std::string residue :
         {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE",
          "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"}) {
        const auto expected = charged.find(residue);
        EXPECT_NEAR(sums[residue], expected == charged.end() ? 0 : expected->second, 1e-12)
            << residue;
    }
}

TEST(AtomTable, OtherFormsOfAResidueHaveTheirNetCharge) {
    struct Form {
        std::string variant, parent;
        double charge;
    };
    for (const Form& form : {Form{"HIP", "HIS", 1}, Form{"HIE", "HIS", 0}, Form{"ASH", "ASP", 0},
                             Form{"GLH", "GLU", 0}, Form{"LYN", "LYS", 0}, Form{"HYP", "PRO", 0},
                             Form{"CSO", "CYS", 0}, Form{"SEP", "SER", -2}, Form{"TPO", "THR", -2},
                             Form{"PTR", "TYR", -2}, Form{"TYS", "TYR", -1}}) {
        std::set<std::string> names;
        for (const std::string& source : {form.parent, form.variant})
            for (const std::string& atom : atoms_of(source)) names.insert(atom);
        double sum = 0;
        for (const std::string& atom : names)
            sum += built_in_atom_table().find(form.variant, form.parent, atom)->charge;
        EXPECT_NEAR(sum, form.charge, 1e-5) << form.variant;
    }
}

TEST(AtomTable, TypesAreThoseOfTheBuiltInPotential) {
    const auto& names = tessera::docking::ace_type_names;
    EXPECT_EQ(names.size(), 18u);
    std::set<std::string> used;
    for (const auto& [key, row] : built_in_atom_table().rows()) {
        EXPECT_NE(std::find(names.begin(), names.end(), row.type), names.end()) << row.type;
        used.insert(row.type);
    }
    EXPECT_EQ(used.size(), 18u);
}

TEST(Molecule, AtomsHaveTypeChargeAndRadiusInFileOrder) {
    Peptide peptide;
    peptide.add("GLY", backbone).add("LYS", {"N", "CA", "C", "O", "CB", "CG", "CD", "CE", "NZ"});
    peptide.add("SER", backbone);
    std::vector<std::string> warnings;
    const Molecule m = make_ace_molecule(peptide.structure, warnings);
    EXPECT_TRUE(warnings.empty());
    ASSERT_EQ(m.size(), 17u);
    EXPECT_EQ(std::vector<int>(m.types.begin(), m.types.begin() + 13),
              (std::vector<int>{0, 4, 2, 3, 0, 1, 2, 3, 5, 15, 7, 6, 6}));
    EXPECT_DOUBLE_EQ(m.charges[12], -0.30 + 3 * 0.35);  // NZ with three hydrogens
    EXPECT_DOUBLE_EQ(m.charges[4], -0.35 + 0.25);       // amide N with its hydrogen
    EXPECT_DOUBLE_EQ(m.radii[1], 2.235);                // CH2E
    EXPECT_DOUBLE_EQ(m.radii[5], 2.365);                // CH1E
    for (std::size_t i = 0; i < m.size(); ++i) {
        EXPECT_EQ(m.structure_index[i], static_cast<int>(i));
        EXPECT_EQ(m.positions[i].y, peptide.structure.atoms[i].position.y);
    }
    EXPECT_EQ(m.on_surface.size(), 17u);
}

TEST(Molecule, EndsOfASegmentAreCharged) {
    Peptide chain;
    chain.add("ALA", {"N", "CA", "C", "O", "CB"}).add("GLY", backbone);
    EXPECT_NEAR(chain.total(), 0, 1e-12);  // +1 and -1
    const std::vector<double> q = chain.charges();
    EXPECT_DOUBLE_EQ(q[0] + q[1], 0.75 + 0.25);
    EXPECT_DOUBLE_EQ(q[7] + q[8], 0.14 - 2 * 0.57);  // no OXT: O bears both halves
    Peptide with_oxt;
    with_oxt.add("ALA", backbone).add("GLY", {"N", "CA", "C", "O", "OXT"}).add("LYS", backbone);
    const std::vector<double> p = with_oxt.charges();
    EXPECT_DOUBLE_EQ(p[7], -0.57);
    EXPECT_DOUBLE_EQ(p[8], -0.57);
    EXPECT_DOUBLE_EQ(p[9], 0.75);  // a new chain begins behind OXT
    EXPECT_NEAR(with_oxt.total(), 0, 1e-12);
    Peptide two;
    two.add("ALA", backbone).add("ARG", atoms_of("ARG"), 1);
    EXPECT_NEAR(two.total(), 1, 1e-12);
}

TEST(Molecule, ProlineAndCappedEndsHaveTheirOwnCharges) {
    Peptide proline;
    proline.add("PRO", atoms_of("PRO")).add("GLY", backbone);
    EXPECT_NEAR(proline.total(), 0, 1e-12);
    Peptide pyroglutamate;
    pyroglutamate.add("GLN", {"N", "CA", "C", "O", "CB", "CG", "CD", "OE"}, 0, "PCA")
        .add("GLY", backbone);
    EXPECT_NEAR(pyroglutamate.total(), -1, 1e-12);
    Peptide capped;
    capped.add("ACE", {"CH3", "C", "O"}).add("ALA", backbone).add("NH2", {"N"});
    EXPECT_NEAR(capped.total(), 0, 1e-12);
    EXPECT_DOUBLE_EQ(capped.charges()[3], -0.1);
}

TEST(Molecule, UnknownAtomsAreNamedInOneLine) {
    Peptide peptide;
    peptide.add("GLY", {"N", "CA", "C", "O", "XX"}).add("GLY", {"N", "XX"}).add("LIG", {"C1"});
    std::vector<std::string> warnings;
    const Molecule m = make_ace_molecule(peptide.structure, warnings);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("GLY (XX), LIG (C1)"), std::string::npos) << warnings[0];
    EXPECT_EQ(m.types[4], 5);
    EXPECT_NEAR(m.charges[4], 0, 1e-12);
    EXPECT_EQ(m.radii[4], 2.0);
}

TEST(Molecule, SurfaceFlagsFollowTheAccessibleArea) {
    Peptide shell;
    shell.add("ALA", std::vector<std::string>(15, "CB"));
    std::vector<AtomRecord>& atoms = shell.structure.atoms;
    atoms[0].position = {0, 0, 0};
    for (int i = 0; i < 6; ++i) {
        tessera::Vec3 p;
        (i / 2 == 0 ? p.x : i / 2 == 1 ? p.y : p.z) = i % 2 ? -3 : 3;
        atoms[1 + i].position = p;
    }
    for (int i = 0; i < 8; ++i)
        atoms[7 + i].position = {i & 1 ? 2.0 : -2.0, i & 2 ? 2.0 : -2.0, i & 4 ? 2.0 : -2.0};
    std::vector<std::string> warnings;
    const Molecule m = make_ace_molecule(shell.structure, warnings);
    EXPECT_FALSE(m.on_surface[0]);
    for (std::size_t i = 1; i < 15; ++i) EXPECT_TRUE(m.on_surface[i]) << i;
}

std::string write_types(const std::string& text) {
    const std::string path =
        testing::TempDir() + "tessera_" + std::to_string(getpid()) + "_types.csv";
    std::ofstream(path) << text;
    return path;
}

AtomTypes read_types(const std::string& path) {
    return AtomTypes(tessera::io::read_csv_text(path));
}

TEST(Molecule, OwnTypesGoByNameOrByATable) {
    Peptide peptide;
    peptide.add("GLY", {"N", "CA", "C", "O", "OXT"});
    std::vector<std::string> warnings;
    EXPECT_EQ(make_molecule(peptide.structure, warnings, {"O", "C", "GCA", "N"}).types,
              (std::vector<int>{3, 2, 1, 0, 0}));
    EXPECT_THROW(make_molecule(peptide.structure, warnings, {"O", "C"}), Error);
    const std::string path =
        write_types("residue,atom,type\n*,N,polar\n*,O,polar\nGLY,CA,x\n*,*,rest\n");
    const auto types = read_types(path);
    EXPECT_EQ(make_molecule(peptide.structure, warnings, {"rest", "polar", "x"}, &types).types,
              (std::vector<int>{1, 2, 0, 1, 1}));
    try {
        make_molecule(peptide.structure, warnings, {"rest", "polar"}, &types);
        ADD_FAILURE() << "a type that the potential lacks was accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("CA of residue GLY has type x"),
                  std::string::npos);
    }
    write_types("atom,residue,ace_type,radius,ace_type_name\nCA,GLY,4,2.3,x\nN,*,0,1.6,polar\n");
    const auto other = read_types(path);
    EXPECT_EQ(*other.find("GLY", "GLY", "CA"), "x");
    EXPECT_EQ(*other.find("ALA", "ALA", "N"), "polar");
    for (const char* bad : {"residue,atom\nA,B\n", "residue,atom,type\nGLY,CA\n",
                            "residue,atom,type\nGLY,CA,x\nGLY,CA,y\n", ""}) {
        write_types(bad);
        EXPECT_THROW(read_types(path), Error) << bad;
    }
    std::remove(path.c_str());
}

TEST(Molecule, ComplexOfTwoRealSizesIsQuick) {
    Peptide peptide;
    for (int i = 0; i < 600; ++i) peptide.add("ARG", atoms_of("ARG"));
    std::vector<std::string> warnings;
    EXPECT_EQ(make_ace_molecule(peptide.structure, warnings).size(), 6600u);
    EXPECT_NEAR(peptide.total(), 600, 1e-9);
}

// An independent table: radii and types must agree in every row. Its backbone and carboxylate
// charges are those of the later CHARMm polar-hydrogen set (Momany & Rone 1992) where ours are
// CHARMM19's.
TEST(AtomTable, AgreesWithAnIndependentTable) {
    const char* folder = std::getenv("TESSERA_SHARED_DIR");
    const std::string path =
        (folder ? std::string(folder) : std::string(TESSERA_SOURCE_DIR) + "/../shared") +
        "/data/docking-tables/atom_types.csv";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    std::set<std::string> differing;
    int compared = 0;
    for (const auto& row : tessera::io::parse_csv_table(tessera::io::read_csv_text(path))) {
        if (row.fields[0] == "residue" || row.fields[1] == "OXT") continue;
        const AtomParameters* ours = built_in_atom_table().find(row.fields[0], row.fields[1]);
        ASSERT_TRUE(ours) << row.fields[0] << " " << row.fields[1];
        ++compared;
        EXPECT_EQ(ours->type, row.fields[5]) << row.fields[0] << " " << row.fields[1];
        EXPECT_NEAR(ours->radius, std::stod(row.fields[7]), 1e-9)
            << row.fields[0] << " " << row.fields[1];
        if (std::abs(ours->charge - std::stod(row.fields[3])) > 1e-9)
            differing.insert(row.fields[1] == "N" || row.fields[1] == "C"
                                 ? row.fields[1]
                                 : row.fields[0] + " " + row.fields[1]);
    }
    EXPECT_GE(compared, 160);
    EXPECT_EQ(differing, (std::set<std::string>{"N", "C", "ASP CB", "ASP CG", "ASP OD1", "ASP OD2",
                                                "GLU CG", "GLU CD", "GLU OE1", "GLU OE2"}));
}

}  // namespace
