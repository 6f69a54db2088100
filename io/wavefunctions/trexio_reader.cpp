#include "io/wavefunctions/trexio_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/core_charges.hpp"
#include "io/wavefunctions/electron_filling.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "io/wavefunctions/raw_shells.hpp"
#include "io/wavefunctions/trexio_density.hpp"

namespace tessera::io {
namespace {

constexpr const char* needed_groups = "write it again with nuclei, basis, ao and mo";

class TrexioReader {
  public:
    TrexioReader(const TrexioValues& values, const std::string& path)
        : values_(values), source_{path, {}, "wavefunction", {}, false}, scanner_(source_) {
        frame_.path = path;
    }

    Wavefunction read() {
        if (!values_.numbers.contains("nucleus_num")) fail("it has no nuclei of TREXIO");
        read_nuclei();
        read_shells();
        check_every_atom_has_a_basis(scanner_, frame_);
        read_functions();
        read_orbitals();
        return std::move(frame_);
    }

  private:
    /// The place of a function of the file among those of the frame, and the factor of its
    /// coefficients.
    struct Place {
        std::size_t function = 0;
        double factor = 1;
    };

    [[noreturn]] void fail(const std::string& why) const { scanner_.fail(why, needed_groups); }
    std::size_t count(const char* name) const;
    const std::vector<double>& array(const char* name, std::size_t size) const;
    const std::vector<double>* array_if_any(const char* name, std::size_t size) const {
        return has(name) ? &array(name, size) : nullptr;
    }
    std::size_t index(const std::vector<double>& array, std::size_t i, std::size_t end,
                      const char* name) const;
    bool has(const char* name) const { return values_.arrays.contains(name); }

    void read_nuclei();
    void read_cell();
    void read_cores();
    void read_shells();
    void read_functions();
    std::vector<Place> places_in(std::size_t shell) const;
    void read_orbitals();
    void read_occupations(std::size_t orbitals);

    const TrexioValues& values_;
    TextSource source_;
    TextScanner scanner_;
    Wavefunction frame_;
    std::vector<double> radial_factors_;  // of the file's shells over normalised ones
    std::vector<Place> places_;           // by the functions of the file
    bool spherical_ = false;
};

std::size_t TrexioReader::count(const char* name) const {
    const auto number = values_.numbers.find(name);
    if (number == values_.numbers.end()) fail(std::string("'") + name + "' is missing");
    if (number->second < 1 || number->second > 10000000)
        fail(std::string("'") + name + "' is " + std::to_string(number->second));
    return static_cast<std::size_t>(number->second);
}

const std::vector<double>& TrexioReader::array(const char* name, std::size_t size) const {
    const auto found = values_.arrays.find(name);
    if (found == values_.arrays.end()) fail(std::string("'") + name + "' is missing");
    if (found->second.size() != size)
        fail(std::string("'") + name + "' has " + counted(found->second.size(), "value") +
             ", not " + std::to_string(size));
    for (const double value : found->second)
        if (!std::isfinite(value)) fail(std::string("a value of '") + name + "' is not a number");
    return found->second;
}

std::size_t TrexioReader::index(const std::vector<double>& array, std::size_t i, std::size_t end,
                                const char* name) const {
    if (!(array[i] >= 0 && array[i] < static_cast<double>(end)))
        fail(std::string("a value of '") + name + "' is not within 0 and " +
             std::to_string(end - 1));
    return static_cast<std::size_t>(array[i]);
}

void TrexioReader::read_nuclei() {
    const std::size_t atoms = count("nucleus_num");
    const std::vector<double>& charges = array("nucleus_charge", atoms);
    const std::vector<double>& r = array("nucleus_coord", 3 * atoms);
    const auto labels = values_.texts.find("nucleus_label");
    for (std::size_t i = 0; i < atoms; ++i) {
        if (!(charges[i] >= 0 && charges[i] < 1000))
            fail("a nuclear charge is not within 0 and 999");
        const std::string symbol = labels != values_.texts.end() && i < labels->second.size()
                                       ? one_line(labels->second[i], 8)
                                       : "X";
        frame_.nuclei.push_back({symbol,
                                 static_cast<int>(std::lround(charges[i])),
                                 {r[3 * i], r[3 * i + 1], r[3 * i + 2]}});
        check_position(scanner_, frame_.nuclei.back().position);
    }
    read_cell();
    read_cores();
}

void TrexioReader::read_cell() {
    const auto periodic = values_.numbers.find("pbc_periodic");
    if (periodic == values_.numbers.end() || periodic->second == 0) return;
    if (const auto k = values_.arrays.find("pbc_k_point");
        k != values_.arrays.end() &&
        !std::ranges::all_of(k->second, [](double value) { return value == 0; }))
        scanner_.fail("its orbitals are those of k points ('pbc_k_point')",
                      "give the orbitals of the Gamma point");
    if (has("cell_a")) {
        Lattice lattice;
        const std::array<const char*, 3> names{"cell_a", "cell_b", "cell_c"};
        for (std::size_t v = 0; v < 3; ++v) {
            const std::vector<double>& vector = array(names[v], 3);
            lattice.vectors[v] = {vector[0], vector[1], vector[2]};
        }
        check_lattice(scanner_, lattice);
        frame_.lattice = lattice;
    }
    warn_of_cell(frame_, "pbc_periodic");
}

void TrexioReader::read_cores() {
    if (!has("ecp_z_core")) return warn_of_core_charges(frame_);
    const std::vector<double>& cores = array("ecp_z_core", frame_.nuclei.size());
    if (std::ranges::all_of(cores, [](double core) { return core <= 0; }))
        return warn_of_core_charges(frame_);
    warn_of_pseudopotentials(frame_, "ecp_z_core");
    for (std::size_t i = 0; i < cores.size(); ++i)
        if (cores[i] < 0 || !take_core(frame_.nuclei[i], cores[i], false))
            fail("'ecp_z_core' exceeds the charge of nucleus " + std::to_string(i + 1));
}

// A radial function is shell_factor * sum of coefficient * prim_factor * exp(-exponent r^2).
void TrexioReader::read_shells() {
    const auto type = values_.words.find("basis_type");
    if (type == values_.words.end() || type->second != "Gaussian")
        scanner_.fail("the type of the basis is not Gaussian", "give Gaussian functions");
    const std::size_t shells = count("basis_shell_num"), primitives = count("basis_prim_num");
    const std::vector<double>& atoms = array("basis_nucleus_index", shells);
    const std::vector<double>& momenta = array("basis_shell_ang_mom", shells);
    const std::vector<double>& factors = array("basis_shell_factor", shells);
    const std::vector<double>& of_shell = array("basis_shell_index", primitives);
    const std::vector<double>& exponents = array("basis_exponent", primitives);
    const std::vector<double>& coefficients = array("basis_coefficient", primitives);
    const std::vector<double>& norms = array("basis_prim_factor", primitives);
    if (has("basis_r_power") && std::ranges::any_of(array("basis_r_power", shells),
                                                    [](double power) { return power != 0; }))
        scanner_.fail("a radial function has a power of r", "give Gaussian functions");
    const auto cartesian = values_.numbers.find("ao_cartesian");
    if (cartesian == values_.numbers.end()) fail("'ao_cartesian' is missing");
    spherical_ = cartesian->second == 0;
    for (std::size_t s = 0; s < shells; ++s) {
        const auto atom = index(atoms, s, frame_.nuclei.size(), "basis_nucleus_index");
        const auto l = static_cast<int>(index(momenta, s, highest_l + 1, "basis_shell_ang_mom"));
        frame_.shells.push_back({static_cast<int>(atom), l, spherical_ && l > 1, {}, {}});
    }
    for (std::size_t p = 0; p < primitives; ++p) {
        const std::size_t s = index(of_shell, p, shells, "basis_shell_index");
        check_primitive(scanner_, exponents[p]);
        frame_.shells[s].exponents.push_back(exponents[p]);
        frame_.shells[s].coefficients.push_back(factors[s] * norms[p] * coefficients[p]);
    }
    for (BasisShell& shell : frame_.shells) {
        if (shell.exponents.empty() || shell.exponents.size() > most_primitives)
            fail("a shell has " + std::to_string(shell.exponents.size()) +
                 " primitives, not 1 to " + std::to_string(most_primitives));
        radial_factors_.push_back(normalise_primitives(shell));
        check_shell(scanner_, scanner_.position(), frame_, shell);
    }
}

// Spherical functions are C_lm, solid harmonics in Racah's normalisation, in the order m = 0, +1,
// -1, ... So those of p are z, x, y. Cartesian ones are x^i y^j z^k in the order xx, xy, xz, yy,
// yz, zz.
std::vector<TrexioReader::Place> TrexioReader::places_in(std::size_t shell) const {
    const BasisShell& s = frame_.shells[shell];
    const double radial = radial_factors_[shell];
    std::vector<Place> places;
    if (s.spherical) {
        for (int m = 0; m < s.functions(); ++m)
            places.push_back({static_cast<std::size_t>(m),
                              radial * std::sqrt(4 * std::numbers::pi / (2 * s.l + 1))});
        return places;
    }
    const std::vector<CartesianPowers> order = cartesian_order(s.l);
    for (const CartesianPowers& powers : descending_cartesian_order(s.l)) {
        const auto place = std::ranges::find(order, powers) - order.begin();
        places.push_back({static_cast<std::size_t>(place), radial / monomial_norm(powers)});
    }
    if (spherical_ && s.l == 1) std::rotate(places.begin(), places.end() - 1, places.end());
    return places;
}

void TrexioReader::read_functions() {
    std::vector<std::size_t> first_function{0}, taken(frame_.shells.size(), 0);
    for (const BasisShell& shell : frame_.shells)
        first_function.push_back(first_function.back() +
                                 static_cast<std::size_t>(shell.functions()));
    const std::size_t functions = count("ao_num");
    if (functions != first_function.back())
        fail("'ao_num' is " + std::to_string(functions) + ", but the shells have " +
             counted(first_function.back(), "function"));
    const std::vector<double>& shells = array("ao_shell", functions);
    const std::vector<double>& norms = array("ao_normalization", functions);
    std::vector<std::vector<Place>> of_shells;
    for (std::size_t s = 0; s < frame_.shells.size(); ++s) of_shells.push_back(places_in(s));
    for (std::size_t i = 0; i < functions; ++i) {
        const std::size_t s = index(shells, i, frame_.shells.size(), "ao_shell");
        if (taken[s] == of_shells[s].size()) fail("'ao_shell' gives a shell too many functions");
        const Place place = of_shells[s][taken[s]++];
        places_.push_back({first_function[s] + place.function, place.factor * norms[i]});
    }
}

void TrexioReader::read_orbitals() {
    if (has("mo_coefficient_im"))
        scanner_.fail("the orbitals are complex, as at k points",
                      "give real orbitals, such as those of the Gamma point");
    const std::size_t orbitals = count("mo_num"), functions = places_.size();
    check_size(scanner_, static_cast<double>(functions), static_cast<double>(orbitals));
    const std::vector<double>& coefficients = array("mo_coefficient", orbitals * functions);
    const std::vector<double>* const energies = array_if_any("mo_energy", orbitals);
    const std::vector<double>* const spins = array_if_any("mo_spin", orbitals);
    const auto symmetries = values_.texts.find("mo_symmetry");
    for (std::size_t o = 0; o < orbitals; ++o) {
        MolecularOrbital& orbital = frame_.orbitals.emplace_back();
        orbital.coefficients.resize(functions);
        for (std::size_t i = 0; i < functions; ++i) {
            const double value = places_[i].factor * coefficients[o * functions + i];
            if (!std::isfinite(value)) fail("the norm of a function is not a number");
            orbital.coefficients[places_[i].function] = value;
        }
        if (energies) orbital.energy = (*energies)[o];
        if (spins && index(*spins, o, 2, "mo_spin") == 1) orbital.spin = Spin::beta;
        if (symmetries != values_.texts.end() && o < symmetries->second.size())
            orbital.symmetry = symmetries->second[o];
    }
    read_occupations(orbitals);
}

void TrexioReader::read_occupations(std::size_t orbitals) {
    if (const auto* const occupations = array_if_any("mo_occupation", orbitals)) {
        for (std::size_t o = 0; o < orbitals; ++o)
            frame_.orbitals[o].occupation = (*occupations)[o];
        return;
    }
    if (!values_.numbers.contains("electron_up_num") ||
        !values_.numbers.contains("electron_dn_num"))
        fail("it has neither occupations nor numbers of electrons");
    fill_orbitals(frame_, values_.numbers.at("electron_up_num"),
                  values_.numbers.at("electron_dn_num"));
    frame_.warnings.push_back("'" + one_line(frame_.path) +
                              "' has no occupations: the first orbitals take the electrons");
}

}  // namespace

Wavefunction trexio_wavefunction(const TrexioValues& values, const std::string& path) {
    return TrexioReader(values, path).read();
}

Wavefunction read_trexio(const std::string& path, const WantedMatrices& wanted) {
    std::string sha256;
    const TrexioValues values =
        is_trexio_folder(path) ? read_trexio_folder(path, sha256) : read_trexio_hdf5(path);
    Wavefunction frame = trexio_wavefunction(values, path);
    if (!wanted.density.empty()) read_trexio_density(values, wanted.density, frame);
    if (!wanted.transition.empty()) read_trexio_transition(values, wanted.transition, frame);
    frame.sha256 = sha256.empty() ? sha256_of_file(path) : sha256;
    return frame;
}

}  // namespace tessera::io
