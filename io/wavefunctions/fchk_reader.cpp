#include "io/wavefunctions/fchk_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/core_charges.hpp"
#include "io/wavefunctions/fchk_entries.hpp"
#include "io/wavefunctions/fchk_matrices.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "io/wavefunctions/translation_vectors.hpp"

namespace tessera::io {

namespace {

std::string element_symbol(int charge) {
    static constexpr std::string_view symbols =
        "X H HeLiBeB C N O F NeNaMgAlSiP S ClArK CaScTiV CrMnFeCoNiCuZnGaGeAsSeBrKrRbSrY "
        "ZrNbMoTcRuRhPd"
        "AgCdInSnSbTeI XeCsBaLaCePrNdPmSmEuGdTbDyHoErTmYbLuHfTaW "
        "ReOsIrPtAuHgTlPbBiPoAtRnFrRaAcThPaU "
        "NpPuAmCmBkCfEsFmMdNoLrRfDbSgBhHsMtDsRgCnNhFlMcLvTsOg";
    const auto at = 2 * static_cast<std::size_t>(charge);
    if (at >= symbols.size()) return std::to_string(charge);
    const std::string_view symbol = symbols.substr(at, 2);
    return std::string(symbol.substr(0, symbol.find(' ')));
}

class FchkReader {
  public:
    explicit FchkReader(const TextSource& source) : source_(source), entries_(source) {}

    Wavefunction read(const WantedMatrices& wanted) {
        frame_.path = source_.path;
        frame_.title = one_line(fchk_title(source_));
        read_atoms();
        tell_what_is_left_out();
        read_shells();
        check_every_atom_has_a_basis(TextScanner(source_, entries_.needed("Shell types").values),
                                     frame_);
        read_orbitals();
        if (!wanted.density.empty())
            frame_.density_matrix =
                read_fchk_density(entries_, source_, wanted.density, function_order());
        if (!wanted.transition.empty())
            frame_.transition =
                read_fchk_transition(entries_, source_, wanted.transition, function_order());
        return std::move(frame_);
    }

  private:
    void read_atoms();
    void read_cell();
    void tell_what_is_left_out();
    void read_shells();
    void add_shell(const char* where, int atom, int type, std::vector<double> exponents,
                   std::vector<double> coefficients);
    void read_orbitals();
    void check_count(const std::string& name, std::size_t found, const std::string& where) const;
    void add_orbitals(const std::string& spin_name, Spin spin,
                      const std::vector<double>& occupations);
    std::vector<std::size_t> function_order() const;

    const TextSource& source_;
    FchkEntries entries_;
    Wavefunction frame_;
};

void FchkReader::read_atoms() {
    const auto atoms = static_cast<std::size_t>(entries_.scalar("Number of atoms"));
    const std::vector<int> numbers = entries_.array<int>("Atomic numbers", atoms, 1);
    const std::vector<double> positions =
        entries_.array<double>("Current cartesian coordinates", 3 * atoms, 3);
    const TextScanner scanner(source_, entries_.needed("Current cartesian coordinates").values);
    for (std::size_t i = 0; i < atoms; ++i) {
        const Vec3 position{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        check_position(scanner, position);
        const int charge = std::max(numbers[i], 0);  // ghosts are 0 or negative
        if (charge > 999)
            scanner.fail_at(entries_.needed("Atomic numbers").line,
                            "atomic number " + std::to_string(charge), fchk_advice);
        frame_.nuclei.push_back({element_symbol(charge), charge, position});
    }
}

void FchkReader::read_cell() {
    constexpr const char *count = "Number of translation vectors", *vectors = "Translation vectors";
    const int number = entries_.find(count) ? entries_.scalar(count) : 0;
    if (number > 0 && entries_.find(vectors)) {
        const auto values = entries_.array<double>(vectors, 3 * static_cast<std::size_t>(number));
        take_translation_vectors(TextScanner(source_, entries_.needed(vectors).values), values,
                                 frame_);
        warn_of_cell(frame_, std::string("entry ") + vectors);
    } else if (number > 0) {
        warn_of_cell(frame_, std::string("entry ") + count);
    }
}

// ECP-RNFroz holds the number of electrons of each atom that an effective core potential replaces.
void FchkReader::tell_what_is_left_out() {
    constexpr const char* replaced = "ECP-RNFroz";
    read_cell();
    std::vector<double> cores, charges;
    if (entries_.find(replaced)) cores = entries_.array<double>(replaced, 0);
    if (entries_.find("Nuclear charges"))
        charges = entries_.array<double>("Nuclear charges", frame_.nuclei.size());
    if (std::ranges::any_of(cores, [](double n) { return n > 0; }))
        warn_of_pseudopotentials(frame_, std::string("entry ") + replaced);
    else
        warn_of_core_charges(frame_, charges);
    for (std::size_t i = 0; i < frame_.nuclei.size() && i < cores.size(); ++i)
        if (cores[i] > 0 && cores[i] < frame_.nuclei[i].charge) frame_.nuclei[i].core = cores[i];
    take_charges(frame_, charges);
}

void FchkReader::read_shells() {
    const std::vector<int> types = entries_.array<int>("Shell types", 0, 1);
    const std::vector<int> primitives =
        entries_.array<int>("Number of primitives per shell", types.size());
    const std::vector<int> atoms = entries_.array<int>("Shell to atom map", types.size());
    const std::vector<double> exponents = entries_.array<double>("Primitive exponents", 0, 1);
    const std::vector<double> coefficients =
        entries_.array<double>("Contraction coefficients", exponents.size());
    const bool has_sp = std::find(types.begin(), types.end(), -1) != types.end();
    const std::vector<double> sp =
        has_sp ? entries_.array<double>("P(S=P) Contraction coefficients", exponents.size())
               : std::vector<double>{};
    const TextScanner scanner(source_, entries_.needed("Shell types").values);
    std::size_t first = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (primitives[i] < 1 || primitives[i] > most_primitives)
            scanner.fail_at(entries_.needed("Number of primitives per shell").line,
                            "shell " + std::to_string(i + 1) + " has " +
                                std::to_string(primitives[i]) + " primitives",
                            "1 to " + std::to_string(most_primitives) + " are read");
        if (atoms[i] < 1 || atoms[i] > static_cast<int>(frame_.nuclei.size()))
            scanner.fail_at(entries_.needed("Shell to atom map").line,
                            "shell " + std::to_string(i + 1) + " belongs to atom " +
                                std::to_string(atoms[i]),
                            fchk_advice);
        const auto end = first + static_cast<std::size_t>(primitives[i]);
        if (end > exponents.size())
            scanner.fail_at(entries_.needed("Primitive exponents").line,
                            "there are fewer primitives than the shells need", fchk_advice);
        const auto part = [&](const std::vector<double>& values) {
            return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                       values.begin() + static_cast<std::ptrdiff_t>(end));
        };
        const char* const where = entries_.needed("Contraction coefficients").line;
        add_shell(where, atoms[i] - 1, types[i] == -1 ? 0 : types[i], part(exponents),
                  part(coefficients));
        if (types[i] == -1) add_shell(where, atoms[i] - 1, 1, part(exponents), part(sp));
        first = end;
    }
}

// Types: 0 s, 1 p, 2 Cartesian d, -2 spherical d, and so on.
void FchkReader::add_shell(const char* where, int atom, int type, std::vector<double> exponents,
                           std::vector<double> coefficients) {
    const TextScanner scanner(source_, entries_.needed("Primitive exponents").values);
    if (type > highest_l || type < -highest_l)
        scanner.fail_at(entries_.needed("Shell types").line,
                        "unknown shell type " + std::to_string(type),
                        "shells up to h (5, -5) are read");
    for (const double exponent : exponents) check_primitive(scanner, exponent);
    BasisShell shell{atom, std::abs(type), type < 0, std::move(exponents), std::move(coefficients)};
    check_shell(scanner, where, frame_, shell);
    frame_.shells.push_back(std::move(shell));
}

// The index in the file of each of our basis functions.
std::vector<std::size_t> FchkReader::function_order() const {
    std::vector<std::size_t> order;
    for (const BasisShell& shell : frame_.shells) {
        const std::size_t first = order.size();
        if (shell.spherical) {
            for (int m = 0; m < shell.functions(); ++m)
                order.push_back(first + static_cast<std::size_t>(m));
            continue;
        }
        const std::vector<CartesianPowers> theirs = gaussian_cartesian_order(shell.l);
        for (const CartesianPowers& powers : cartesian_order(shell.l)) {
            const auto place = std::find(theirs.begin(), theirs.end(), powers) - theirs.begin();
            order.push_back(first + static_cast<std::size_t>(place));
        }
    }
    return order;
}

// Restricted orbitals are doubly occupied up to the number of beta electrons, then singly.
void FchkReader::read_orbitals() {
    if (!entries_.find("Alpha MO coefficients"))
        throw Error("cannot read wavefunction '" + source_.path + "'",
                    "a basis without orbitals: the entry 'Alpha MO coefficients' is missing",
                    fchk_advice);
    const bool unrestricted = entries_.find("Beta MO coefficients") != nullptr;
    if (!unrestricted && entries_.find("Beta Orbital Energies"))
        TextScanner(source_).fail_at(
            entries_.needed("Beta Orbital Energies").line,
            "beta orbital energies, but the entry 'Beta MO coefficients' is missing",
            "it is truncated; copy it again");
    const auto alpha = static_cast<std::size_t>(entries_.scalar("Number of alpha electrons"));
    const auto beta = static_cast<std::size_t>(entries_.scalar("Number of beta electrons"));
    if (beta > alpha)
        TextScanner(source_).fail_at(entries_.needed("Number of beta electrons").line,
                                     counted(beta, "beta electron") + ", but " +
                                         counted(alpha, "alpha electron"),
                                     fchk_advice);
    std::vector<double> alpha_occupations(alpha, 1.0);
    const std::vector<double> beta_occupations(beta, 1.0);
    for (std::size_t i = 0; i < beta && !unrestricted; ++i) alpha_occupations[i] += 1.0;
    add_orbitals("Alpha", Spin::alpha, alpha_occupations);
    if (unrestricted) add_orbitals("Beta", Spin::beta, beta_occupations);
}

// A count in the head of the file, if present, must match the arrays.
void FchkReader::check_count(const std::string& name, std::size_t found,
                             const std::string& where) const {
    if (!entries_.find(name) || static_cast<std::size_t>(entries_.scalar(name)) == found) return;
    TextScanner(source_).fail_at(entries_.needed(name).line,
                                 "'" + name + "' is " + std::to_string(entries_.scalar(name)) +
                                     ", but " + std::to_string(found) + " " + where,
                                 "the file was edited or truncated; write it again");
}

void FchkReader::add_orbitals(const std::string& spin_name, Spin spin,
                              const std::vector<double>& occupations) {
    const std::string name = spin_name + " MO coefficients";
    const std::vector<double> coefficients = entries_.array<double>(name, 0, 1);
    const std::vector<std::size_t> order = function_order();
    const TextScanner scanner(source_, entries_.needed(name).values);
    check_count("Number of basis functions", order.size(), "of the shells");
    if (coefficients.size() % order.size() != 0)
        scanner.fail_at(entries_.needed(name).line,
                        counted(coefficients.size(), "orbital coefficient") + " for " +
                            counted(order.size(), "basis function"),
                        "check the shells; the file may have been edited or truncated");
    const std::size_t orbitals = coefficients.size() / order.size();
    for (const char* const spelling : {"independent", "independant"})  // older Gaussian
        check_count("Number of " + std::string(spelling) + " functions", orbitals,
                    "in '" + name + "'");
    if (occupations.size() > orbitals)
        scanner.fail_at(entries_.needed(name).line,
                        counted(occupations.size(), "electron") + " of one spin in " +
                            counted(orbitals, "orbital"),
                        fchk_advice);
    const std::vector<double> energies =
        entries_.array<double>(spin_name + " Orbital Energies", orbitals);
    for (std::size_t i = 0; i < orbitals; ++i) {
        MolecularOrbital& orbital = frame_.orbitals.emplace_back();
        orbital.energy = energies[i];
        orbital.occupation = i < occupations.size() ? occupations[i] : 0;
        orbital.spin = spin;
        const double* const row = coefficients.data() + i * order.size();
        for (const std::size_t place : order) orbital.coefficients.push_back(row[place]);
    }
}

}  // namespace

bool is_fchk(const TextSource& source) { return has_early_fchk_entry(source, "Number of atoms"); }

Wavefunction read_fchk(const TextSource& source, const WantedMatrices& wanted) {
    return FchkReader(source).read(wanted);
}

}  // namespace tessera::io
