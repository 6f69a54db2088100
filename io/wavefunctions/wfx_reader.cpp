#include "io/wavefunctions/wfx_reader.hpp"

#include <algorithm>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/core_charges.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "io/wavefunctions/primitive_shells.hpp"
#include "io/wavefunctions/translation_vectors.hpp"

namespace tessera::io {
namespace {

constexpr const char* write_wfx_again = "write the WFX file again";

class WfxReader {
  public:
    explicit WfxReader(const TextSource& source) : source_(source) {}

    Wavefunction read() {
        frame_.path = source_.path;
        TextScanner title(source_, section("Title"));
        title.skip_empty_lines();
        frame_.title = one_line(title.rest_of_line());
        read_nuclei();
        tell_what_is_left_out();
        read_primitives();
        check_every_atom_has_a_basis(TextScanner(source_, section("Primitive Centers")), frame_);
        read_orbitals();
        return std::move(frame_);
    }

  private:
    bool has(const std::string& name) const {
        return source_.text.find("<" + name + ">") != std::string::npos;
    }
    std::string_view section(const std::string& name) const {
        const std::string_view text = source_.text;
        const std::string open = "<" + name + ">", close = "</" + name + ">";
        const std::size_t start = text.find(open);
        if (start == text.npos)
            throw Error("cannot read wavefunction '" + source_.path + "'",
                        "section " + open + " is missing", write_wfx_again);
        const std::size_t end = text.find(close, start);
        if (end == text.npos)
            TextScanner(source_, text.substr(start))
                .fail("section " + open + " has no end", "it is truncated; copy it again");
        return text.substr(start + open.size(), end - start - open.size());
    }
    template <class Value>
    std::vector<Value> values(const std::string& name, std::size_t size = 0) const;

    void read_nuclei();
    void read_cell();
    void tell_what_is_left_out();
    void read_primitives();
    void read_orbitals();
    std::vector<Spin> read_spins(std::size_t orbitals) const;

    const TextSource& source_;
    Wavefunction frame_;
    std::vector<PrimitivePlace> places_;
};

bool read_value(TextScanner& scanner, int& value) { return scanner.integer(value); }
bool read_value(TextScanner& scanner, double& value) { return scanner.number(value); }

template <class Value>
std::vector<Value> WfxReader::values(const std::string& name, std::size_t size) const {
    TextScanner scanner(source_, section(name));
    std::vector<Value> values;
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines())
        if (!read_value(scanner, values.emplace_back()))
            scanner.fail("'" + one_line(scanner.word(), 20) + "' is not a value of <" + name + ">",
                         write_wfx_again);
    if (values.empty() || (size != 0 && values.size() != size))
        scanner.fail("<" + name + "> has " + counted(values.size(), "value") +
                         (size != 0 ? ", not " + std::to_string(size) : ""),
                     write_wfx_again);
    return values;
}

void WfxReader::read_nuclei() {
    const std::vector<int> charges = values<int>("Atomic Numbers");
    if (has("Number of Nuclei")) {
        const int number = values<int>("Number of Nuclei", 1)[0];
        if (number != static_cast<int>(charges.size()))
            TextScanner(source_, section("Number of Nuclei"))
                .fail("<Number of Nuclei> is " + std::to_string(number) + ", but " +
                          std::to_string(charges.size()) + " have an atomic number",
                      write_wfx_again);
    }
    const std::vector<double> r =
        values<double>("Nuclear Cartesian Coordinates", 3 * charges.size());
    const TextScanner scanner(source_, section("Nuclear Cartesian Coordinates"));
    TextScanner names(source_, section("Nuclear Names"));
    for (std::size_t i = 0; i < charges.size(); ++i) {
        names.skip_empty_lines();
        std::string symbol = one_line(names.word(), 8);
        symbol.erase(std::find_if(symbol.begin(), symbol.end(),
                                  [](unsigned char c) { return std::isdigit(c); }),
                     symbol.end());
        if (charges[i] < 0 || charges[i] > 999)
            scanner.fail("atomic number " + std::to_string(charges[i]), write_wfx_again);
        frame_.nuclei.push_back({symbol, charges[i], {r[3 * i], r[3 * i + 1], r[3 * i + 2]}});
        check_position(scanner, frame_.nuclei.back().position);
    }
}

void WfxReader::read_cell() {
    constexpr const char *count = "Number of Translation Vectors", *vectors = "Translation Vectors";
    const int number = has(count) ? values<int>(count, 1)[0] : 0;
    if (number > 0 && has(vectors)) {
        const auto all = values<double>(vectors, 3 * static_cast<std::size_t>(number));
        take_translation_vectors(TextScanner(source_, section(vectors)), all, frame_);
        warn_of_cell(frame_, std::string("<") + vectors + ">");
    } else if (number > 0) {
        warn_of_cell(frame_, std::string("<") + count + ">");
    }
}

void WfxReader::tell_what_is_left_out() {
    constexpr const char* count = "Number of Core Electrons";
    read_cell();
    std::vector<double> charges;
    if (has("Nuclear Charges")) charges = values<double>("Nuclear Charges", frame_.nuclei.size());
    if (has(count) && values<int>(count, 1)[0] > 0)
        warn_of_pseudopotentials(frame_, std::string("<") + count + ">");
    else
        warn_of_core_charges(frame_, charges);
    take_charges(frame_, charges);
}

void WfxReader::read_primitives() {
    PrimitiveList primitives;
    primitives.centers = values<int>("Primitive Centers");
    primitives.types = values<int>("Primitive Types", primitives.centers.size());
    primitives.exponents = values<double>("Primitive Exponents", primitives.centers.size());
    places_ =
        add_primitive_shells(TextScanner(source_, section("Primitive Types")), primitives, frame_);
}

// A line for each orbital: "Alpha and Beta", "Alpha" or "Beta".
std::vector<Spin> WfxReader::read_spins(std::size_t orbitals) const {
    TextScanner scanner(source_, section("Molecular Orbital Spin Types"));
    std::vector<Spin> spins;
    for (std::size_t i = 0; i < orbitals; ++i) {
        scanner.skip_empty_lines();
        const std::string_view text = scanner.rest_of_line();
        if (text != "Alpha" && text != "Beta" && text != "Alpha and Beta")
            scanner.fail("'" + one_line(text, 20) + "' is not the spin of an orbital",
                         write_wfx_again);
        spins.push_back(text == "Beta" ? Spin::beta : Spin::alpha);
    }
    return spins;
}

void WfxReader::read_orbitals() {
    const std::vector<double> occupations = values<double>("Molecular Orbital Occupation Numbers");
    const std::vector<double> energies =
        values<double>("Molecular Orbital Energies", occupations.size());
    const std::vector<Spin> spins = read_spins(occupations.size());
    const auto functions = static_cast<std::size_t>(frame_.basis_functions());
    TextScanner scanner(source_, section("Molecular Orbital Primitive Coefficients"));
    check_size(scanner, static_cast<double>(functions), static_cast<double>(occupations.size()));
    for (std::size_t o = 0; o < occupations.size(); ++o) {
        for (int line = 0; line < 3; ++line) {  // <MO Number> n </MO Number>
            scanner.skip_empty_lines();
            scanner.next_line();
        }
        MolecularOrbital& orbital = frame_.orbitals.emplace_back();
        orbital.energy = energies[o];
        orbital.occupation = occupations[o];
        orbital.spin = spins[o];
        orbital.coefficients = read_primitive_coefficients(scanner, places_, functions, o + 1);
    }
    scanner.skip_empty_lines();
    if (!scanner.at_end())
        scanner.fail("more orbital coefficients than orbitals and primitives", write_wfx_again);
}

}  // namespace

bool is_wfx(const TextSource& source) {
    TextScanner scanner(source);
    for (int line = 0; line < 50 && !scanner.at_end(); ++line) {
        scanner.skip_empty_lines();
        const std::string_view text = scanner.rest_of_line();
        if (text == "<Title>" || text == "<Number of Nuclei>") return true;
    }
    return false;
}

Wavefunction read_wfx(const TextSource& source) { return WfxReader(source).read(); }

}  // namespace tessera::io
