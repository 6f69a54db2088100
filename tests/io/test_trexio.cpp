// TREXIO: what is refused, and occupations and cores. Values are compared with PySCF's in
// tests/orbitals/test_references.cpp.
#include "io/wavefunctions/trexio_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "io/temporary_folder.hpp"
#include "support/refused_text.hpp"

namespace {

namespace fs = std::filesystem;
using tessera::io::Spin;
using tessera::io::TrexioValues;
using tessera::io::Wavefunction;
using tessera::test::expect_refused;

const fs::path formats = fs::path(TESSERA_SOURCE_DIR) / "tests/orbitals/references/formats";

TrexioValues good() {
    std::string sha256;
    TrexioValues values =
        tessera::io::read_trexio_folder((formats / "oh_spherical.trexio").string(), sha256);
    EXPECT_EQ(sha256.size(), 64u);
    return values;
}

Wavefunction changed(const std::function<void(TrexioValues&)>& change) {
    TrexioValues values = good();
    change(values);
    return tessera::io::trexio_wavefunction(values, "in.h5");
}

void expect_error(const std::function<void(TrexioValues&)>& change, const std::string& part) {
    expect_refused([&](const std::string&) { changed(change); }, "", part);
    expect_refused([&](const std::string&) { changed(change); }, "", "'in.h5'");
}

TEST(Trexio, BothBackEndsGiveTheSame) {
    const Wavefunction text =
        tessera::io::read_wavefunctions((formats / "oh_spherical.trexio").string()).at(0);
    const Wavefunction binary =
        tessera::io::read_wavefunctions((formats / "oh_spherical.h5").string()).at(0);
    ASSERT_EQ(text.orbitals.size(), 8u);
    EXPECT_EQ(text.nuclei[0].symbol, "O");
    EXPECT_EQ(text.nuclei[0].charge, 8);
    EXPECT_EQ(text.orbitals[7].spin, Spin::beta);
    for (std::size_t o = 0; o < text.orbitals.size(); ++o) {
        EXPECT_EQ(text.orbitals[o].occupation, binary.orbitals[o].occupation);
        for (std::size_t i = 0; i < text.orbitals[o].coefficients.size(); ++i)
            EXPECT_NEAR(text.orbitals[o].coefficients[i], binary.orbitals[o].coefficients[i],
                        1e-15);
    }
    EXPECT_NE(text.sha256, binary.sha256);
    EXPECT_TRUE(text.warnings.empty());
}

TEST(Trexio, OccupationsFollowFromTheElectrons) {
    const Wavefunction w = changed([](auto& v) { v.arrays.erase("mo_occupation"); });
    EXPECT_EQ(w.orbitals[3].occupation, 1) << "5 alpha electrons in 4 orbitals";
    EXPECT_EQ(w.orbitals[7].occupation, 1);
    EXPECT_EQ(w.warnings.size(), 1u);
    const Wavefunction restricted = changed([](auto& v) {
        v.arrays.erase("mo_occupation");
        v.arrays.erase("mo_spin");
    });
    EXPECT_EQ(restricted.orbitals[3].occupation, 2);
    EXPECT_EQ(restricted.orbitals[4].occupation, 1);
    EXPECT_EQ(restricted.orbitals[5].occupation, 0);
}

TEST(Trexio, CoresAndCellsAreToldOf) {
    const Wavefunction w = changed([](auto& v) { v.arrays["ecp_z_core"] = {2, 0}; });
    EXPECT_EQ(w.nuclei[0].charge_without_core(), 6);
    EXPECT_EQ(w.warnings.size(), 1u);
    const Wavefunction reduced = changed([](auto& v) {
        v.arrays["ecp_z_core"] = {2, 0};
        v.arrays["nucleus_charge"] = {6, 1};
    });
    EXPECT_EQ(reduced.nuclei[0].charge, 8);
    EXPECT_EQ(reduced.nuclei[0].charge_without_core(), 6);
    const auto periodic = [](auto& v) { v.numbers["pbc_periodic"] = 1; };
    EXPECT_TRUE(changed(periodic).is_periodic);
    EXPECT_FALSE(changed(periodic).lattice);
    const auto with_cell = [&](auto& v) {
        periodic(v);
        v.arrays["cell_a"] = {9, 0, 0};
        v.arrays["cell_b"] = {0, 8, 0};
        v.arrays["cell_c"] = {1, 0, 7};
        v.arrays["pbc_k_point"] = {0, 0, 0};
    };
    EXPECT_EQ(changed(with_cell).lattice->vectors[2].x, 1);
    expect_error(
        [&](auto& v) {
            with_cell(v);
            v.arrays["pbc_k_point"][1] = 0.5;
        },
        "k points");
    expect_error(
        [&](auto& v) {
            with_cell(v);
            v.arrays["cell_c"] = {9, 8, 0};
        },
        "no volume");
    expect_error(
        [&](auto& v) {
            with_cell(v);
            v.arrays.erase("cell_b");
        },
        "'cell_b' is missing");
}

TEST(Trexio, ContradictionsGetOneLine) {
    expect_error([](auto& v) { v.words["basis_type"] = "Slater"; }, "is not Gaussian");
    expect_error([](auto& v) { v.numbers.erase("nucleus_num"); }, "no nuclei of TREXIO");
    expect_error([](auto& v) { v.numbers["mo_num"] = 7; }, "'mo_coefficient' has 240 values");
    expect_error([](auto& v) { v.numbers["mo_num"] = -1; }, "'mo_num' is -1");
    expect_error([](auto& v) { v.numbers["ao_cartesian"] = 1; }, "but the shells have 40");
    expect_error([](auto& v) { v.arrays["ao_shell"][29] = 0; }, "too many functions");
    expect_error([](auto& v) { v.arrays["basis_r_power"][2] = 1; }, "power of r");
    expect_error([](auto& v) { v.arrays["basis_shell_ang_mom"][2] = 6; }, "not within 0 and 5");
    expect_error([](auto& v) { v.arrays["basis_nucleus_index"][2] = 2; }, "not within 0 and 1");
    expect_error([](auto& v) { v.arrays["basis_shell_index"][16] = 6; }, "0 primitives");
    expect_error([](auto& v) { v.arrays["basis_exponent"][2] = -1; }, "exponent of a primitive");
    expect_error([](auto& v) { v.arrays["basis_shell_factor"][2] = 0; }, "of the shell are 0");
    expect_error([](auto& v) { v.arrays["mo_coefficient"][2] = std::nan(""); }, "not a number");
    expect_error([](auto& v) { v.arrays["mo_spin"][2] = 2; }, "not within 0 and 1");
    expect_error([](auto& v) { v.arrays["mo_coefficient_im"] = {1}; }, "complex");
    expect_error([](auto& v) { v.arrays["ecp_z_core"] = {9, 0}; }, "exceeds the charge");
    expect_error([](auto& v) { v.arrays.erase("ao_normalization"); }, "is missing");
    expect_error(
        [](auto& v) {
            v.arrays.erase("mo_occupation");
            v.numbers.erase("electron_up_num");
        },
        "neither occupations nor numbers of electrons");
}

TEST(Trexio, DamagedTextsGetOneLine) {
    const auto read = [](const std::string& text) {
        TrexioValues values;
        tessera::io::read_trexio_text({"mo.txt", text}, values);
    };
    expect_refused(read, "dims_mo_energy 0 2\nmo_energy\n 1.0\n", "'mo.txt:4'");
    expect_refused(read, "dims_mo_energy 0 2\nmo_energy\n 1.0\nnan\n", "value of 'mo_energy'");
    expect_refused(read, "dims_mo_energy 0\n", "axis is missing");
    expect_refused(read, "dims_mo_energy 0 99999\ndims_mo_energy 1 99999\n", "more values than");
}

TEST(Trexio, OtherHdf5FilesGetOneLine) {
    const tessera::test::TemporaryFolder folder;
    const auto read = [&](const std::string& name) {
        tessera::io::read_wavefunctions(folder / name);
    };
    {
        tessera::io::h5::File file = tessera::io::h5::File::create(folder / "other.h5");
        file.root().group("orbitals");
        file.close();
    }
    expect_refused(read, "other.h5", "no nuclei of TREXIO");
    std::ifstream whole(formats / "oh_spherical.h5", std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(whole), {});
    std::ofstream(folder / "cut.h5", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    expect_refused(read, "cut.h5", "give a complete file of TREXIO");
}

}  // namespace
