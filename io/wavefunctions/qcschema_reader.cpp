#include <algorithm>
#include <utility>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/core_charges.hpp"
#include "io/wavefunctions/json_reader.hpp"
#include "io/wavefunctions/model_warnings.hpp"

namespace tessera::io {
namespace {

constexpr std::size_t most_functions = 10000000;  // the file holds a coefficient for each

class QcschemaReader {
  public:
    QcschemaReader(const JsonNode& root, const std::string& path)
        : root_(root), source_{path, {}, "wavefunction", {}, false}, scanner_(source_) {
        frame_.path = path;
    }

    Wavefunction read() {
        read_nuclei();
        read_basis(wavefunction().at("basis"));
        check_every_atom_has_a_basis(scanner_, frame_);
        const bool restricted = wavefunction().at("restricted").boolean();
        add_orbitals("a", Spin::alpha, restricted);
        if (!restricted) add_orbitals("b", Spin::beta, false);
        return std::move(frame_);
    }

  private:
    JsonNode wavefunction() const { return root_.at("wavefunction"); }
    void read_nuclei();
    void read_basis(const JsonNode& basis);
    void read_shell(const JsonNode& shell, int atom);
    void add_shell(BasisShell shell);
    JsonNode result(const std::string& name, const std::string& spin) const;
    bool has_result(const std::string& name, const std::string& spin) const;
    void add_orbitals(const std::string& suffix, Spin spin, bool restricted);

    JsonNode root_;
    TextSource source_;
    TextScanner scanner_;
    Wavefunction frame_;
    std::vector<std::size_t> order_;  // the place of the file's functions among the frame's
};

void QcschemaReader::read_nuclei() {
    const JsonNode molecule = root_.at("molecule");
    const std::vector<JsonNode> symbols = molecule.at("symbols").elements();
    if (symbols.empty()) molecule.at("symbols").fail("is empty");
    const std::vector<double> r = molecule.at("geometry").numbers(3 * symbols.size());
    std::vector<JsonNode> real;
    if (molecule.has("real")) real = molecule.at("real").elements();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::string symbol = one_line(symbols[i].text(), 8);
        const bool is_ghost = i < real.size() && !real[i].boolean();
        frame_.nuclei.push_back(
            {symbol, is_ghost ? 0 : atomic_number(symbol), {r[3 * i], r[3 * i + 1], r[3 * i + 2]}});
        check_position(scanner_, frame_.nuclei.back().position);
    }
}

void QcschemaReader::read_basis(const JsonNode& basis) {
    const std::vector<JsonNode> centers = basis.at("atom_map").elements();
    if (centers.size() != frame_.nuclei.size())
        basis.at("atom_map").fail("does not have the number of atoms");
    bool has_core = false;
    for (std::size_t i = 0; i < centers.size(); ++i) {
        const JsonNode center = basis.at("center_data").at(centers[i].text());
        for (const JsonNode& shell : center.at("electron_shells").elements())
            read_shell(shell, static_cast<int>(i));
        if (order_.size() > most_functions) basis.fail("has more than 1e7 functions");
        if (!center.has("ecp_electrons")) continue;
        const int core = center.at("ecp_electrons").integer(0, 999);
        if (!take_core(frame_.nuclei[i], core, false))
            center.at("ecp_electrons").fail("exceeds the charge of the nucleus");
        has_core = has_core || core > 0;
    }
    if (has_core) warn_of_pseudopotentials(frame_, "ecp_electrons");
    if (frame_.shells.empty()) basis.fail("has no functions");
}

// A shell has a list of coefficients for each of its contractions, which are of one degree, or of
// one degree each.
void QcschemaReader::read_shell(const JsonNode& shell, int atom) {
    const std::vector<JsonNode> degrees = shell.at("angular_momentum").elements();
    const std::vector<JsonNode> contractions = shell.at("coefficients").elements();
    const std::vector<double> exponents = shell.at("exponents").numbers();
    const std::string harmonics = shell.at("harmonic_type").text();
    if (harmonics != "spherical" && harmonics != "cartesian")
        shell.at("harmonic_type").fail("is neither spherical nor cartesian");
    if (exponents.empty() || exponents.size() > most_primitives)
        shell.at("exponents").fail("has not 1 to " + std::to_string(most_primitives) + " values");
    if (degrees.empty() || (degrees.size() > 1 && degrees.size() != contractions.size()))
        shell.at("coefficients").fail("does not fit angular_momentum");
    for (const double exponent : exponents) check_primitive(scanner_, exponent);
    for (std::size_t i = 0; i < contractions.size(); ++i) {
        const int l = degrees[degrees.size() > 1 ? i : 0].integer(0, highest_l);
        add_shell({atom, l, harmonics == "spherical" && l > 1, exponents,
                   contractions[i].numbers(exponents.size())});
        const std::size_t first = order_.size();
        const bool is_spherical_p = harmonics == "spherical" && l == 1;
        const auto add = [&](std::size_t place) { order_.push_back(first + place); };
        if (is_spherical_p) {
            for (const std::size_t place : {1u, 2u, 0u}) add(place);  // y, z, x
        } else if (frame_.shells.back().spherical) {
            for (int m = -l; m <= l; ++m) add(static_cast<std::size_t>(m > 0 ? 2 * m - 1 : -2 * m));
        } else {
            const std::vector<CartesianPowers> molden = cartesian_order(l);
            for (const CartesianPowers& powers : descending_cartesian_order(l))
                add(static_cast<std::size_t>(std::ranges::find(molden, powers) - molden.begin()));
        }
    }
}

void QcschemaReader::add_shell(BasisShell shell) {
    check_shell(scanner_, scanner_.position(), frame_, shell);
    frame_.shells.push_back(std::move(shell));
}

// "orbitals_a" holds the name of the array with the final orbitals.
JsonNode QcschemaReader::result(const std::string& name, const std::string& spin) const {
    const std::string key = name + "_" + spin;
    if (!wavefunction().has(key)) return wavefunction().at("scf_" + key);
    const JsonNode named = wavefunction().at(key);
    return named.is_text() ? wavefunction().at(named.text()) : named;
}

bool QcschemaReader::has_result(const std::string& name, const std::string& spin) const {
    const std::string key = name + "_" + spin;
    return wavefunction().has(key) || wavefunction().has("scf_" + key);
}

// Rows of the array are functions. Restricted occupations are those of one spin.
void QcschemaReader::add_orbitals(const std::string& suffix, Spin spin, bool restricted) {
    const std::size_t functions = order_.size();
    const JsonNode array = result("orbitals", suffix);
    const std::vector<double> coefficients = array.numbers();
    if (coefficients.empty() || coefficients.size() % functions != 0)
        array.fail("has " + counted(coefficients.size(), "value") + " for " +
                   counted(functions, "function"));
    const std::size_t orbitals = coefficients.size() / functions;
    std::vector<double> occupations = result("occupations", suffix).numbers(orbitals);
    const std::vector<double> energies = has_result("eigenvalues", suffix)
                                             ? result("eigenvalues", suffix).numbers(orbitals)
                                             : std::vector<double>(orbitals, 0.0);
    if (restricted && std::ranges::max(occupations) <= 1 + 1e-6) {
        const std::vector<double> beta = has_result("occupations", "b")
                                             ? result("occupations", "b").numbers(orbitals)
                                             : occupations;
        for (std::size_t o = 0; o < orbitals; ++o) occupations[o] += beta[o];
    }
    for (std::size_t o = 0; o < orbitals; ++o) {
        MolecularOrbital& orbital = frame_.orbitals.emplace_back();
        orbital.energy = energies[o];
        orbital.occupation = occupations[o];
        orbital.spin = spin;
        orbital.coefficients.resize(functions);
        for (std::size_t i = 0; i < functions; ++i)
            orbital.coefficients[order_[i]] = coefficients[i * orbitals + o];
    }
}

}  // namespace

Wavefunction read_qcschema(const JsonNode& root, const std::string& path) {
    return QcschemaReader(root, path).read();
}

}  // namespace tessera::io
