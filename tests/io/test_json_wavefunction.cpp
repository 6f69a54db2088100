// QCSchema and ORCA's JSON: what is read, and one clear line for what is not. Values are compared
// with PySCF's in tests/orbitals/test_references.cpp.
#include <gtest/gtest.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "io/wavefunctions/json_reader.hpp"
#include "support/refused_text.hpp"

namespace {

using nlohmann::json;
using tessera::io::Spin;
using tessera::io::Wavefunction;
using tessera::test::expect_refused;

json document(const std::string& name) {
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/orbitals/references/formats/" + name);
    return json::parse(file);
}

Wavefunction json_frame(const std::string& text) {
    const tessera::io::TextSource source{"in.json", text};
    EXPECT_TRUE(tessera::io::is_json(source));
    return tessera::io::read_json(source);
}

Wavefunction read_with(json document, const std::string& place, const json& value) {
    document[json::json_pointer(place)] = value;
    return json_frame(document.dump());
}

const json qcschema = document("oh_spherical.json"), orca = document("oh_spherical.orca.json");

void expect_error(json document, const std::string& place, const json& value,
                  const std::string& part) {
    document[json::json_pointer(place)] = value;
    expect_refused(json_frame, document.dump(), part);
}

TEST(Qcschema, ReadsBothSpins) {
    const Wavefunction w = json_frame(qcschema.dump());
    ASSERT_EQ(w.orbitals.size(), 8u);
    EXPECT_EQ(w.orbitals[3].spin, Spin::alpha);
    EXPECT_EQ(w.orbitals[4].spin, Spin::beta);
    EXPECT_EQ(w.orbitals[0].occupation, 1);
    EXPECT_EQ(w.nuclei[0].charge, 8);
    EXPECT_TRUE(w.warnings.empty());
}

TEST(Qcschema, RestrictedOrbitalsHoldBothSpins) {
    json restricted = qcschema;
    restricted["wavefunction"]["restricted"] = true;
    EXPECT_EQ(json_frame(restricted.dump()).orbitals.size(), 4u);
    EXPECT_EQ(json_frame(restricted.dump()).orbitals[2].occupation, 1)
        << "1 alpha, 0 beta electrons";
    restricted["wavefunction"].erase("occupations_b");
    restricted["wavefunction"].erase("scf_occupations_b");
    EXPECT_EQ(json_frame(restricted.dump()).orbitals[2].occupation, 2);
}

TEST(Qcschema, GhostsAndCoresChangeTheCharge) {
    EXPECT_EQ(read_with(qcschema, "/molecule/real", {true, false}).nuclei[1].charge, 0);
    const Wavefunction w =
        read_with(qcschema, "/wavefunction/basis/center_data/O/ecp_electrons", 2);
    EXPECT_EQ(w.nuclei[0].charge_without_core(), 6);
    EXPECT_EQ(w.warnings.size(), 1u);
}

TEST(Qcschema, BadFilesGetOneClearLine) {
    const std::string basis = "/wavefunction/basis", oxygen = basis + "/center_data/O";
    const std::string shell = oxygen + "/electron_shells/2";
    expect_error(qcschema, "/wavefunction", nullptr, "'wavefunction' is missing");
    expect_error(qcschema, "/molecule/symbols/0", 8, "is not a text");
    expect_error(qcschema, "/molecule/geometry/5", "x", "is not a number");
    expect_error(qcschema, "/molecule/geometry", {0, 0, 0}, "has 3 values, not 6");
    expect_error(qcschema, basis + "/atom_map", {"O"}, "number of atoms");
    expect_error(qcschema, basis + "/atom_map/0", "N", "center_data.N' is missing");
    expect_error(qcschema, oxygen + "/ecp_electrons", 9, "exceeds the charge");
    expect_error(qcschema, shell + "/angular_momentum/0", 6, "from 0 to 5");
    expect_error(qcschema, shell + "/harmonic_type", "polar", "neither spherical");
    expect_error(qcschema, shell + "/exponents/0", -1, "exponent of a primitive");
    expect_error(qcschema, shell + "/exponents", json::array(), "has not 1 to 100");
    expect_error(qcschema, shell + "/coefficients/0", {1, 2}, "has 2 values, not 3");
    expect_error(qcschema, shell + "/angular_momentum", {0, 1}, "does not fit");
    expect_error(qcschema, "/wavefunction/scf_orbitals_a", {1, 2}, "has 2 values for 30");
    expect_error(qcschema, "/wavefunction/orbitals_a", "nothing", "nothing' is missing");
    expect_error(qcschema, "/wavefunction/scf_occupations_b", {1}, "has 1 value, not 4");
    expect_error(qcschema, "/wavefunction/restricted", 1, "neither true nor false");
}

TEST(OrcaJson, ReadsBothSpins) {
    const Wavefunction w = json_frame(orca.dump());
    ASSERT_EQ(w.orbitals.size(), 8u);
    EXPECT_EQ(w.orbitals[3].spin, Spin::alpha);
    EXPECT_EQ(w.orbitals[4].spin, Spin::beta);
    EXPECT_EQ(read_with(orca, "/Molecule/HFTyp", "RHF").orbitals[4].spin, Spin::alpha);
    const Wavefunction core = read_with(orca, "/Molecule/Atoms/0/ECPs", {{"N_core", 2}});
    EXPECT_EQ(core.nuclei[0].charge_without_core(), 6);
    EXPECT_EQ(core.warnings.size(), 1u);
    const Wavefunction angstrom = read_with(orca, "/Molecule/CoordinateUnits", "Angs");
    EXPECT_NEAR(angstrom.nuclei[0].position.x * 0.529177210903, w.nuclei[0].position.x, 1e-15);
}

TEST(OrcaJson, BadFilesGetOneClearLine) {
    const std::string atom = "/Molecule/Atoms/0", shell = atom + "/Basis/2";
    expect_error(orca, "/Molecule/Atoms", json::array(), "is empty");
    expect_error(orca, "/Molecule/CoordinateUnits", "feet", "neither Bohrs nor Angs");
    expect_error(orca, atom + "/NuclearCharge", -1, "not within 0 and 999");
    expect_error(orca, atom + "/Basis", json::array(), "has no basis functions");
    expect_error(orca, shell + "/Shell", "sp", "none of s, p");
    expect_error(orca, shell + "/Coefficients", {1}, "has 1 value, not 3");
    expect_error(orca, "/Molecule/MolecularOrbitals/MOs", json::array(), "has 0 orbitals");
    expect_error(orca, "/Molecule/MolecularOrbitals/MOs/0/MOCoefficients", {1}, "not 30");
    expect_error(orca, "/Molecule/MolecularOrbitals/MOs/0/Occupancy", nullptr, "is missing");
}

TEST(JsonWavefunction, DamagedAndOtherDocumentsGetOneLine) {
    const std::string text = qcschema.dump();
    expect_refused(json_frame, text.substr(0, text.size() / 2), "it may be truncated");
    expect_refused(json_frame, "{\"a\": 1e999}", "cannot read wavefunction 'in.json'");
    expect_refused(json_frame, "{\"a\": 1}", "neither QCSchema nor");
    expect_refused(json_frame, "{\"Molecule\": 1}", "'Molecule.Atoms' is missing");
    expect_refused(json_frame, std::string(100000, '{'), "it may be truncated");
}

}  // namespace
