#include "io/wavefunctions/wfn_reader.hpp"

#include <algorithm>
#include <cmath>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "io/wavefunctions/primitive_shells.hpp"

namespace tessera::io {
namespace {

constexpr const char* write_wfn_again = "write the WFN file again";

// "GAUSSIAN   5 MOL ORBITALS   21 PRIMITIVES   3 NUCLEI"
struct Header {
    std::string_view functions;
    int orbitals = 0, primitives = 0, nuclei = 0;

    bool read(TextScanner& scanner) {
        functions = scanner.word();
        const auto counted = [&](int& count, std::string_view noun) {
            return scanner.integer(count) && scanner.word() == noun;
        };
        const bool whole = counted(orbitals, "MOL") && scanner.word() == "ORBITALS" &&
                           counted(primitives, "PRIMITIVES") && counted(nuclei, "NUCLEI");
        return whole && orbitals > 0 && primitives > 0 && nuclei > 0;
    }
};

class WfnReader {
  public:
    explicit WfnReader(const TextSource& source) : source_(source), scanner_(source) {}

    Wavefunction read() {
        frame_.path = source_.path;
        scanner_.skip_empty_lines();
        if (TextScanner title = scanner_; !header_.read(title)) {  // a title may be blank
            frame_.title = one_line(scanner_.rest_of_line());
            scanner_.skip_empty_lines();
        }
        if (!header_.read(scanner_))
            scanner_.fail("the numbers of orbitals, primitives and nuclei are missing",
                          write_wfn_again);
        if (header_.functions != "GAUSSIAN")
            scanner_.fail("the functions are of kind '" + one_line(header_.functions, 20) + "'",
                          "give GAUSSIAN functions");
        scanner_.next_line();
        for (int i = 0; i < header_.nuclei; ++i) read_nucleus();
        warn_of_core_charges(frame_);
        const TextScanner at_primitives = scanner_;
        PrimitiveList list;
        read_numbers("CENTRE", list.centers);
        read_numbers("TYPE", list.types);
        read_numbers("EXPONENTS", list.exponents);
        places_ = add_primitive_shells(at_primitives, list, frame_);
        check_every_atom_has_a_basis(at_primitives, frame_);
        read_orbitals();
        tell_spins();
        return std::move(frame_);
    }

  private:
    void read_nucleus();
    void read_position(std::string_view columns, Vec3& position);
    template <class Value>
    void read_numbers(std::string_view keyword, std::vector<Value>& values);
    void read_number(std::vector<double>& values);
    void read_number(std::vector<int>& values);
    void read_orbitals();
    double value_after(std::string_view line, std::string_view name) const;
    void tell_spins();

    const TextSource& source_;
    TextScanner scanner_;
    Header header_;
    Wavefunction frame_;
    std::vector<PrimitivePlace> places_;
    std::vector<int> numbers_;  // orbital numbers as in the file
};

// "  C    1    (CENTRE  1)   0.00000000  0.00000000  0.50000000  CHARGE =  6.0"
void WfnReader::read_nucleus() {
    scanner_.skip_empty_lines();
    const TextScanner here = scanner_;
    const std::string_view line = scanner_.rest_of_line();
    const std::size_t centre = line.find("(CENTRE"), close = line.find(')'),
                      charge = line.find("CHARGE");
    if (centre == line.npos || close == line.npos || charge == line.npos || close < centre ||
        charge < close)
        here.fail("'" + one_line(line, 40) + "' is not a nucleus", write_wfn_again);
    Nucleus nucleus;
    nucleus.symbol = one_line(TextScanner(source_, line).word(), 8);
    std::erase_if(nucleus.symbol, [](unsigned char c) { return !std::isalpha(c); });
    read_position(line.substr(close + 1, charge - close - 1), nucleus.position);
    check_position(here, nucleus.position);
    const double z = value_after(line, "CHARGE");
    if (!(z > -0.5 && z < 999.5))
        here.fail("a nucleus of charge " + std::to_string(z), write_wfn_again);
    nucleus.charge = static_cast<int>(std::lround(z));
    frame_.nuclei.push_back(nucleus);
}

// Fields of 12 columns after a blank, which nothing but their width tells apart beyond 10 bohr; or
// anything with blanks between.
void WfnReader::read_position(std::string_view columns, Vec3& position) {
    TextScanner words(source_, columns);
    if (words.number(position.x) && words.number(position.y) && words.number(position.z)) return;
    double* const places[3] = {&position.x, &position.y, &position.z};
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t at = std::min(columns.size(), 1 + 12 * a);
        TextScanner field(source_, columns.substr(at, 12));
        if (!field.number(*places[a]) || !field.line_is_over())
            words.fail("a coordinate is missing or not a number", write_wfn_again);
    }
}

// Reads lines of numbers after a keyword, one number for each primitive.
template <class Value>
void WfnReader::read_numbers(std::string_view keyword, std::vector<Value>& values) {
    const auto wanted = static_cast<std::size_t>(header_.primitives);
    while (values.size() < wanted) {
        scanner_.skip_empty_lines();
        const std::string_view word = scanner_.word();
        if (word != keyword && !(keyword == "CENTRE" && word == "CENTER"))
            scanner_.fail("'" + one_line(word, 20) + "' instead of " + std::string(keyword) + " (" +
                              std::to_string(values.size()) + " of " + std::to_string(wanted) +
                              " are present)",
                          write_wfn_again);
        if (keyword != "EXPONENTS") scanner_.word();  // ASSIGNMENTS
        while (!scanner_.line_is_over()) read_number(values);
    }
    if (values.size() > wanted)
        scanner_.fail("more numbers than primitives after " + std::string(keyword),
                      write_wfn_again);
}

void WfnReader::read_number(std::vector<double>& values) {
    if (!scanner_.number(values.emplace_back()))
        scanner_.fail("'" + one_line(scanner_.word(), 20) + "' is not a number", write_wfn_again);
}

// Numbers have three columns each. From 100 on no blanks separate them.
void WfnReader::read_number(std::vector<int>& values) {
    std::string_view word = scanner_.word();
    while (!word.empty()) {
        const std::size_t width =
            header_.nuclei > 999 || word.size() < 3 ? word.size() : (word.size() - 1) % 3 + 1;
        TextScanner field(source_, word.substr(0, width));
        if (!field.integer(values.emplace_back()) || !field.at_end())
            field.fail("'" + one_line(word, 20) + "' is not a number", write_wfn_again);
        word.remove_prefix(width);
    }
}

// The number after NAME =.
double WfnReader::value_after(std::string_view line, std::string_view name) const {
    const std::size_t at = std::min(line.find(name), line.size());
    const std::size_t equals = line.find('=', at);
    TextScanner scanner(source_, line.substr(std::min(equals, line.size() - 1) + 1));
    double value = 0;
    if (equals == line.npos || !scanner.number(value))
        scanner.fail("no number after '" + std::string(name) + " ='", write_wfn_again);
    return value;
}

// "MO    1     MO 0.0        OCC NO =    2.0000000  ORB. ENERGY =  -20.550000", and coefficients.
void WfnReader::read_orbitals() {
    const auto functions = static_cast<std::size_t>(frame_.basis_functions());
    check_size(scanner_, static_cast<double>(functions), header_.orbitals);
    for (int o = 0; o < header_.orbitals; ++o) {
        scanner_.skip_empty_lines();
        const TextScanner here = scanner_;
        const std::string_view line = scanner_.rest_of_line();
        TextScanner words(source_, line);
        if (words.word() != "MO" || !words.integer(numbers_.emplace_back()))
            here.fail("'" + one_line(line, 20) + "' instead of orbital " + std::to_string(o + 1),
                      write_wfn_again);
        MolecularOrbital& orbital = frame_.orbitals.emplace_back();
        orbital.occupation = value_after(line, "OCC NO");
        orbital.energy = value_after(line, "ORB. ENERGY");
        orbital.coefficients = read_primitive_coefficients(scanner_, places_, functions,
                                                           static_cast<std::size_t>(o) + 1);
    }
    scanner_.skip_empty_lines();
    if (scanner_.word() != "END" || scanner_.word() != "DATA")
        scanner_.fail("no END DATA after the orbitals", "it is truncated, or its header is wrong");
}

void WfnReader::tell_spins() {
    auto& orbitals = frame_.orbitals;
    if (std::ranges::any_of(orbitals, [](const auto& o) { return o.occupation > 1 + 1e-6; }))
        return;  // restricted, or natural orbitals of both spins
    std::vector<std::size_t> begins;
    for (std::size_t i = 1; i < orbitals.size(); ++i)
        if (numbers_[i] <= numbers_[i - 1] || orbitals[i].energy < orbitals[i - 1].energy)
            begins.push_back(i);
    const std::string unmarked = "WFN files do not mark spins: ";
    if (begins.empty()) {
        frame_.warnings.push_back(unmarked + "all orbitals are treated as alpha");
    } else if (begins.size() == 1) {
        for (std::size_t i = begins[0]; i < orbitals.size(); ++i) orbitals[i].spin = Spin::beta;
        frame_.warnings.push_back(
            unmarked + "orbitals from " + std::to_string(begins[0] + 1) +
            " on are treated as beta, because numbers or energies start again");
    } else {
        frame_.warnings.push_back(unmarked + "energies start again at " +
                                  std::to_string(begins.size()) +
                                  " places, so all orbitals are treated as alpha, and a spin "
                                  "density would be wrong");
    }
}

}  // namespace

bool is_wfn(const TextSource& source) {
    TextScanner scanner(source);
    for (int line = 0; line < 2; ++line) {
        scanner.skip_empty_lines();
        TextScanner here = scanner;
        if (Header().read(here)) return true;
        scanner.next_line();
    }
    return false;
}

Wavefunction read_wfn(const TextSource& source) { return WfnReader(source).read(); }

}  // namespace tessera::io
