// The part of a TREXIO file that describes a wavefunction, whatever the back end. The layout is
// that of TREXIO 2 (Posenitskiy et al., J. Chem. Phys. 158, 174801 (2023)) as its library 2.6.1
// writes it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// By the names of the format, such as "mo_num". What a file lacks is absent.
struct TrexioValues {
    std::map<std::string, std::int64_t> numbers;
    std::map<std::string, std::string> words;
    std::map<std::string, std::vector<double>> arrays;
    std::map<std::string, std::vector<std::string>> texts;
};

inline constexpr std::array<std::string_view, 9> trexio_numbers{
    "nucleus_num", "basis_prim_num", "basis_shell_num", "ao_cartesian",   "ao_num",
    "mo_num",      "pbc_periodic",   "electron_up_num", "electron_dn_num"};
inline constexpr std::array<std::string_view, 1> trexio_words{"basis_type"};
inline constexpr std::array<std::string_view, 25> trexio_arrays{"nucleus_charge",
                                                                "nucleus_coord",
                                                                "basis_nucleus_index",
                                                                "basis_shell_ang_mom",
                                                                "basis_shell_factor",
                                                                "basis_r_power",
                                                                "basis_shell_index",
                                                                "basis_exponent",
                                                                "basis_coefficient",
                                                                "basis_prim_factor",
                                                                "ao_shell",
                                                                "ao_normalization",
                                                                "mo_coefficient",
                                                                "mo_coefficient_im",
                                                                "mo_occupation",
                                                                "mo_energy",
                                                                "mo_spin",
                                                                "ecp_z_core",
                                                                "cell_a",
                                                                "cell_b",
                                                                "cell_c",
                                                                "pbc_k_point",
                                                                "rdm_one_e",
                                                                "rdm_1e",
                                                                "rdm_1e_transition"};
inline constexpr std::array<std::string_view, 2> trexio_texts{"nucleus_label", "mo_symmetry"};

/// The groups with these names. In the text back end each is a file.
inline constexpr std::array<std::string_view, 9> trexio_groups{
    "nucleus", "basis", "ao", "mo", "electron", "pbc", "cell", "ecp", "rdm"};

/// Whether the path is a folder as the text back end writes it.
bool is_trexio_folder(const std::string& path);

/// Reads such a folder, and sets the hash of its files. Throws Error that names file and line.
TrexioValues read_trexio_folder(const std::string& path, std::string& sha256);

/// Adds what one of its files tells.
void read_trexio_text(const TextSource& source, TrexioValues& values);

/// Reads an HDF5 file. Throws Error if it is damaged or not from TREXIO.
TrexioValues read_trexio_hdf5(const std::string& path);

}  // namespace tessera::io
