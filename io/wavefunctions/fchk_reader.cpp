#include "io/wavefunctions/fchk_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <type_traits>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/model_warnings.hpp"

namespace tessera::io {
namespace {

constexpr const char* advice = "write the checkpoint again (formchk), with basis and orbitals";

// An entry. "Alpha MO coefficients R N= 49" is the head of an array; a scalar has its value on the
// same line.
struct Entry {
    char type = ' ';  // I, R, C, H or L
    bool is_array = false;
    int count = 0;
    const char* line = nullptr;
    std::string_view values;
};

constexpr std::size_t name_width = 40, type_column = 43, value_column = 44;

bool is_entry(std::string_view line) {
    return line.size() > type_column + 1 && line[0] != ' ' &&
           std::string_view("IRCHL").find(line[type_column]) != std::string_view::npos &&
           line[type_column - 1] == ' ' && line[type_column + 1] == ' ';
}

std::string trimmed(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r");
    return std::string(text.substr(0, last == text.npos ? 0 : last + 1));
}

std::string_view next_line_of(std::string_view text, std::size_t& at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    return line;
}

Entry parse_entry(const TextSource& source, std::string_view line, std::size_t next) {
    Entry entry;
    entry.type = line[type_column];
    entry.line = line.data();
    TextScanner scanner(source, line.substr(value_column));
    const std::string_view text = source.text;
    if (scanner.peek() != 'N') {
        entry.values = line.substr(value_column);
        entry.count = 1;
        return entry;
    }
    const std::size_t equals = line.find('=', value_column);
    entry.is_array = true;
    TextScanner count(source, line.substr(std::min(equals, line.size() - 1) + 1));
    if (equals == line.npos || !count.integer(entry.count) || entry.count < 0)
        scanner.fail("the number of values of '" + trimmed(line.substr(0, name_width)) +
                         "' is missing",
                     advice);
    entry.values = text.substr(next);
    return entry;
}

class FchkReader {
  public:
    explicit FchkReader(const TextSource& source) : source_(source) { find_entries(); }

    Wavefunction read() {
        frame_.path = source_.path;
        std::size_t start = 0;
        frame_.title = one_line(trimmed(next_line_of(source_.text, start)));
        read_atoms();
        tell_what_is_left_out();
        read_shells();
        check_every_atom_has_a_basis(TextScanner(source_, needed("Shell types").values), frame_);
        read_orbitals();
        return std::move(frame_);
    }

  private:
    void find_entries();
    const Entry* find(const std::string& name) const {
        const auto place = entries_.find(name);
        return place == entries_.end() ? nullptr : &place->second;
    }
    const Entry& needed(const std::string& name) const {
        const Entry* const entry = find(name);
        if (!entry)
            throw Error("cannot read wavefunction '" + source_.path + "'",
                        "the entry '" + name + "' is missing", advice);
        return *entry;
    }
    int scalar(const std::string& name) const;
    template <class Value>
    std::vector<Value> array(const std::string& name, std::size_t size, int fewest = 0) const;

    void read_atoms();
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
    std::map<std::string, Entry> entries_;
    Wavefunction frame_;
};

// Finds the lines with a name. The values between them are read only when they are needed.
void FchkReader::find_entries() {
    const std::string_view text = source_.text;
    std::size_t at = 0;
    for (int skipped = 0; skipped < 2; ++skipped) next_line_of(text, at);  // title, method
    while (at < text.size()) {
        const std::string_view line = next_line_of(text, at);
        if (!is_entry(line)) continue;
        const Entry entry = parse_entry(source_, line, at);
        entries_.emplace(trimmed(line.substr(0, name_width)), entry);
    }
}

int FchkReader::scalar(const std::string& name) const {
    const Entry& entry = needed(name);
    TextScanner scanner(source_, entry.values);
    int value = 0;
    if (entry.is_array || entry.type != 'I' || !scanner.integer(value) || value < 0 ||
        value > 10000000)
        scanner.fail_at(entry.line, "'" + name + "' is not a count", advice);
    return value;
}

bool read_value(TextScanner& scanner, int& value) { return scanner.integer(value); }
bool read_value(TextScanner& scanner, double& value) { return scanner.number(value); }

// Exponents are E+01, D-01 or -103. formchk always writes one, so a number without it was cut off.
bool has_whole_exponent(std::string_view number) {
    const std::size_t sign =
        number.find_last_not_of("0123456789");  // a sign, a letter or the point
    if (sign == number.npos || sign == 0 || number[sign] == '.') return false;
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    const bool has_letter = is_letter(number[sign]) || is_letter(number[sign - 1]);
    return number.size() - sign - 1 >= (has_letter ? 2 : 3);
}

// Checks the number from `start` to the position of the scanner.
void check_exponent(const TextScanner& scanner, const char* start, const std::string& name) {
    const std::string_view number(start, static_cast<std::size_t>(scanner.position() - start));
    if (has_whole_exponent(number)) return;
    scanner.fail(scanner.at_end()
                     ? "the file ends within '" + name + "'"
                     : "'" + one_line(number, 30) + "' of '" + name + "' has no complete exponent",
                 "it is truncated; copy it again");
}

template <class Value>
std::vector<Value> FchkReader::array(const std::string& name, std::size_t size, int fewest) const {
    const Entry& entry = needed(name);
    TextScanner scanner(source_, entry.values);
    const auto count = static_cast<std::size_t>(entry.count);
    if (!entry.is_array || entry.count < fewest || (size != 0 && count != size))
        scanner.fail_at(entry.line,
                        "'" + name + "' has " + std::to_string(entry.count) + " values" +
                            (size != 0 ? ", not " + std::to_string(size) : ""),
                        advice);
    if (count > entry.values.size())  // a value takes at least two characters
        scanner.fail_at(entry.line, "the file ends within '" + name + "'",
                        "copy or write it again");
    std::vector<Value> values(count);
    for (Value& value : values) {
        scanner.skip_empty_lines();
        if (scanner.at_end())
            scanner.fail("the file ends within '" + name + "'", "it is truncated; copy it again");
        const char* const start = scanner.position();
        if (!read_value(scanner, value))
            scanner.fail("'" + one_line(scanner.word(), 20) + "' is not a value of '" + name + "'",
                         advice);
        if (std::is_floating_point_v<Value>) check_exponent(scanner, start, name);
    }
    return values;
}

std::string element_symbol(int charge) {
    static constexpr std::string_view symbols =
        "X H HeLiBeB C N O F NeNaMgAlSiP S ClArK CaScTiV CrMnFeCoNiCuZnGaGeAsSeBrKrRbSrY "
        "ZrNbMoTcRuRhPd"
        "AgCdInSnSbTeI XeCsBaLaCePrNdPmSmEuGdTbDyHoErTmYbLuHfTaW "
        "ReOsIrPtAuHgTlPbBiPoAtRnFrRaAcThPaU "
        "NpPuAmCmBkCfEsFmMdNoLrRfDbSgBhHsMtDsRgCnNhFlMcLvTsOg";
    const auto at = static_cast<std::size_t>(2 * charge);
    return at < symbols.size() ? trimmed(symbols.substr(at, 2)) : std::to_string(charge);
}

void FchkReader::read_atoms() {
    const auto atoms = static_cast<std::size_t>(scalar("Number of atoms"));
    const std::vector<int> numbers = array<int>("Atomic numbers", atoms, 1);
    const std::vector<double> positions =
        array<double>("Current cartesian coordinates", 3 * atoms, 3);
    const TextScanner scanner(source_, needed("Current cartesian coordinates").values);
    for (std::size_t i = 0; i < atoms; ++i) {
        const Vec3 position{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        check_position(scanner, position);
        const int charge = std::max(numbers[i], 0);  // ghosts are 0 or negative
        if (charge > 999)
            scanner.fail_at(needed("Atomic numbers").line,
                            "atomic number " + std::to_string(charge), advice);
        frame_.nuclei.push_back({element_symbol(charge), charge, position});
    }
}

// ECP-RNFroz holds the number of electrons of each atom that an effective core potential replaces.
void FchkReader::tell_what_is_left_out() {
    constexpr const char *replaced = "ECP-RNFroz", *vectors = "Number of translation vectors";
    if (find(vectors) && scalar(vectors) > 0) warn_of_cell(frame_, std::string("entry ") + vectors);
    if (find(replaced) &&
        std::ranges::any_of(array<double>(replaced, 0), [](double n) { return n > 0; }))
        warn_of_pseudopotentials(frame_, std::string("entry ") + replaced);
    else if (find("Nuclear charges"))
        warn_of_core_charges(frame_, array<double>("Nuclear charges", frame_.nuclei.size()));
}

void FchkReader::read_shells() {
    const std::vector<int> types = array<int>("Shell types", 0, 1);
    const std::vector<int> primitives = array<int>("Number of primitives per shell", types.size());
    const std::vector<int> atoms = array<int>("Shell to atom map", types.size());
    const std::vector<double> exponents = array<double>("Primitive exponents", 0, 1);
    const std::vector<double> coefficients =
        array<double>("Contraction coefficients", exponents.size());
    const bool has_sp = std::find(types.begin(), types.end(), -1) != types.end();
    const std::vector<double> sp =
        has_sp ? array<double>("P(S=P) Contraction coefficients", exponents.size())
               : std::vector<double>{};
    const TextScanner scanner(source_, needed("Shell types").values);
    std::size_t first = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (primitives[i] < 1 || primitives[i] > most_primitives)
            scanner.fail_at(needed("Number of primitives per shell").line,
                            "shell " + std::to_string(i + 1) + " has " +
                                std::to_string(primitives[i]) + " primitives",
                            "1 to " + std::to_string(most_primitives) + " are read");
        if (atoms[i] < 1 || atoms[i] > static_cast<int>(frame_.nuclei.size()))
            scanner.fail_at(needed("Shell to atom map").line,
                            "shell " + std::to_string(i + 1) + " belongs to atom " +
                                std::to_string(atoms[i]),
                            advice);
        const auto end = first + static_cast<std::size_t>(primitives[i]);
        if (end > exponents.size())
            scanner.fail_at(needed("Primitive exponents").line,
                            "there are fewer primitives than the shells need", advice);
        const auto part = [&](const std::vector<double>& values) {
            return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                       values.begin() + static_cast<std::ptrdiff_t>(end));
        };
        const char* const where = needed("Contraction coefficients").line;
        add_shell(where, atoms[i] - 1, types[i] == -1 ? 0 : types[i], part(exponents),
                  part(coefficients));
        if (types[i] == -1) add_shell(where, atoms[i] - 1, 1, part(exponents), part(sp));
        first = end;
    }
}

// Types: 0 s, 1 p, 2 Cartesian d, -2 spherical d, and so on.
void FchkReader::add_shell(const char* where, int atom, int type, std::vector<double> exponents,
                           std::vector<double> coefficients) {
    const TextScanner scanner(source_, needed("Primitive exponents").values);
    if (type > highest_l || type < -highest_l)
        scanner.fail_at(needed("Shell types").line, "unknown shell type " + std::to_string(type),
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
    if (!find("Alpha MO coefficients"))
        throw Error("cannot read wavefunction '" + source_.path + "'",
                    "a basis without orbitals: the entry 'Alpha MO coefficients' is missing",
                    advice);
    const bool unrestricted = find("Beta MO coefficients") != nullptr;
    if (!unrestricted && find("Beta Orbital Energies"))
        TextScanner(source_).fail_at(
            needed("Beta Orbital Energies").line,
            "beta orbital energies, but the entry 'Beta MO coefficients' is missing",
            "it is truncated; copy it again");
    const auto alpha = static_cast<std::size_t>(scalar("Number of alpha electrons"));
    const auto beta = static_cast<std::size_t>(scalar("Number of beta electrons"));
    if (beta > alpha)
        TextScanner(source_).fail_at(needed("Number of beta electrons").line,
                                     std::to_string(beta) + " beta electrons, but " +
                                         std::to_string(alpha) + " alpha electrons",
                                     advice);
    std::vector<double> alpha_occupations(alpha, 1.0);
    const std::vector<double> beta_occupations(beta, 1.0);
    for (std::size_t i = 0; i < beta && !unrestricted; ++i) alpha_occupations[i] += 1.0;
    add_orbitals("Alpha", Spin::alpha, alpha_occupations);
    if (unrestricted) add_orbitals("Beta", Spin::beta, beta_occupations);
}

// A count in the head of the file, if present, must match the arrays.
void FchkReader::check_count(const std::string& name, std::size_t found,
                             const std::string& where) const {
    if (!find(name) || static_cast<std::size_t>(scalar(name)) == found) return;
    TextScanner(source_).fail_at(needed(name).line,
                                 "'" + name + "' is " + std::to_string(scalar(name)) + ", but " +
                                     std::to_string(found) + " " + where,
                                 "the file was edited or truncated; write it again");
}

void FchkReader::add_orbitals(const std::string& spin_name, Spin spin,
                              const std::vector<double>& occupations) {
    const std::string name = spin_name + " MO coefficients";
    const std::vector<double> coefficients = array<double>(name, 0, 1);
    const std::vector<std::size_t> order = function_order();
    const TextScanner scanner(source_, needed(name).values);
    check_count("Number of basis functions", order.size(), "of the shells");
    if (coefficients.size() % order.size() != 0)
        scanner.fail_at(needed(name).line,
                        std::to_string(coefficients.size()) + " orbital coefficients for " +
                            std::to_string(order.size()) + " basis functions",
                        "check the shells; the file may have been edited or truncated");
    const std::size_t orbitals = coefficients.size() / order.size();
    for (const char* const spelling : {"independent", "independant"})  // older Gaussian
        check_count("Number of " + std::string(spelling) + " functions", orbitals,
                    "in '" + name + "'");
    if (occupations.size() > orbitals)
        scanner.fail_at(needed(name).line,
                        std::to_string(occupations.size()) + " electrons of one spin in " +
                            std::to_string(orbitals) + " orbitals",
                        advice);
    const std::vector<double> energies = array<double>(spin_name + " Orbital Energies", orbitals);
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

bool is_fchk(const TextSource& source) {
    std::size_t at = 0;
    for (int i = 0; i < 20 && at < source.text.size(); ++i) {
        const std::string_view line = next_line_of(source.text, at);
        if (line.starts_with("Number of atoms ") && is_entry(line)) return true;
    }
    return false;
}

Wavefunction read_fchk(const TextSource& source) { return FchkReader(source).read(); }

}  // namespace tessera::io
