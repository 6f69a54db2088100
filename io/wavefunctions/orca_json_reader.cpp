#include <algorithm>
#include <string_view>
#include <utility>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/core_charges.hpp"
#include "io/wavefunctions/json_reader.hpp"
#include "io/wavefunctions/model_warnings.hpp"

namespace tessera::io {
namespace {

class OrcaJsonReader {
  public:
    OrcaJsonReader(const JsonNode& root, const std::string& path)
        : molecule_(root.at("Molecule")),
          source_{path, {}, "wavefunction", {}, false},
          scanner_(source_) {
        frame_.path = path;
    }

    Wavefunction read() {
        const std::vector<JsonNode> atoms = molecule_.at("Atoms").elements();
        if (atoms.empty()) molecule_.at("Atoms").fail("is empty");
        const double unit = length_unit();
        for (const JsonNode& atom : atoms) read_nucleus(atom, unit);
        for (std::size_t i = 0; i < atoms.size(); ++i)
            for (const JsonNode& shell : atoms[i].at("Basis").elements())
                read_shell(shell, static_cast<int>(i));
        if (frame_.shells.empty()) molecule_.at("Atoms").fail("has no basis");
        check_every_atom_has_a_basis(scanner_, frame_);
        tell_of_cores(atoms);
        read_orbitals(molecule_.at("MolecularOrbitals").at("MOs").elements());
        return std::move(frame_);
    }

  private:
    double length_unit() const;
    void read_nucleus(const JsonNode& atom, double unit);
    void read_shell(const JsonNode& shell, int atom);
    void tell_of_cores(const std::vector<JsonNode>& atoms);
    void read_orbitals(const std::vector<JsonNode>& orbitals);

    JsonNode molecule_;
    TextSource source_;
    TextScanner scanner_;
    Wavefunction frame_;
    std::vector<std::size_t> order_;  // the place of the file's functions among the frame's
};

double OrcaJsonReader::length_unit() const {
    const std::string unit = molecule_.at("CoordinateUnits").text();
    if (unit == "Angs") return 1 / bohr_in_angstrom;
    if (unit != "Bohrs") molecule_.at("CoordinateUnits").fail("is neither Bohrs nor Angs");
    return 1;
}

void OrcaJsonReader::read_nucleus(const JsonNode& atom, double unit) {
    const std::string symbol = one_line(atom.at("ElementLabel").text(), 8);
    const double charge = atom.at("NuclearCharge").number();
    if (!(charge >= 0 && charge < 1000)) atom.at("NuclearCharge").fail("is not within 0 and 999");
    const std::vector<double> r = atom.at("Coords").numbers(3);
    frame_.nuclei.push_back(
        {symbol, static_cast<int>(std::lround(charge)), unit * Vec3{r[0], r[1], r[2]}});
    check_position(scanner_, frame_.nuclei.back().position);
}

// The functions of a shell are spherical, in the order m = 0, +1, -1, ..., so p is z, x, y.
void OrcaJsonReader::read_shell(const JsonNode& shell, int atom) {
    static constexpr std::string_view letters = "spdfgh";
    const std::string type = shell.at("Shell").text();
    const std::size_t l = type.size() == 1 ? letters.find(type) : letters.npos;
    if (l == letters.npos) shell.at("Shell").fail("is none of s, p, d, f, g and h");
    BasisShell made{atom, static_cast<int>(l), l > 1, shell.at("Exponents").numbers(), {}};
    if (made.exponents.empty() || made.exponents.size() > most_primitives)
        shell.at("Exponents").fail("has not 1 to " + std::to_string(most_primitives) + " values");
    made.coefficients = shell.at("Coefficients").numbers(made.exponents.size());
    for (const double exponent : made.exponents) check_primitive(scanner_, exponent);
    check_shell(scanner_, scanner_.position(), frame_, made);
    const std::size_t first = order_.size(), functions = 2 * l + 1;
    for (std::size_t m = 0; m < functions; ++m)
        order_.push_back(first + (l == 1 ? (m + 2) % functions : m));
    frame_.shells.push_back(std::move(made));
}

void OrcaJsonReader::tell_of_cores(const std::vector<JsonNode>& atoms) {
    bool has_core = false;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (!atoms[i].has("ECPs")) continue;
        const JsonNode count = atoms[i].at("ECPs").at("N_core");
        const int core = count.integer(0, 999);
        if (!take_core(frame_.nuclei[i], core, false)) count.fail("exceeds the nuclear charge");
        has_core = has_core || core > 0;
    }
    if (has_core)
        warn_of_pseudopotentials(frame_, "ECPs");
    else
        warn_of_core_charges(frame_);
}

// Of an unrestricted calculation the alpha orbitals come first, and as many beta ones.
void OrcaJsonReader::read_orbitals(const std::vector<JsonNode>& orbitals) {
    const std::string kind = molecule_.at("HFTyp").text();
    const bool unrestricted = kind == "UHF" || kind == "uhf" || kind == "UKS" || kind == "uks";
    if (orbitals.empty() || (unrestricted && orbitals.size() % 2 != 0))
        molecule_.at("MolecularOrbitals").fail("has " + counted(orbitals.size(), "orbital"));
    check_size(scanner_, static_cast<double>(order_.size()), static_cast<double>(orbitals.size()));
    for (std::size_t o = 0; o < orbitals.size(); ++o) {
        MolecularOrbital& orbital = frame_.orbitals.emplace_back();
        const std::vector<double> coefficients =
            orbitals[o].at("MOCoefficients").numbers(order_.size());
        orbital.coefficients.resize(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i)
            orbital.coefficients[order_[i]] = coefficients[i];
        orbital.occupation = orbitals[o].at("Occupancy").number();
        orbital.energy = orbitals[o].at("OrbitalEnergy").number();
        if (orbitals[o].has("OrbitalSymLabel"))
            orbital.symmetry = one_line(orbitals[o].at("OrbitalSymLabel").text(), 40);
        if (unrestricted && 2 * o >= orbitals.size()) orbital.spin = Spin::beta;
    }
}

}  // namespace

Wavefunction read_orca_json(const JsonNode& root, const std::string& path) {
    return OrcaJsonReader(root, path).read();
}

}  // namespace tessera::io
