#include "io/wavefunctions/molden_orbitals.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"

namespace tessera::io {

namespace {

class OrbitalReader {
  public:
    OrbitalReader(const TextSource& source, std::span<const MoldenSection> sections,
                  Wavefunction& frame)
        : source_(source),
          sections_(sections),
          frame_(frame),
          functions_(frame.basis_functions()) {}

    void read();

  private:
    struct KeyAndValue {
        std::string key;  // by molden_name()
        std::string_view value;
    };

    void read_section(const MoldenSection& section);
    KeyAndValue read_entry(TextScanner& scanner) const;
    void set_property(const KeyAndValue& entry, MolecularOrbital& orbital) const;
    int read_coefficient(TextScanner& scanner, MolecularOrbital& orbital,
                         std::vector<std::size_t>& given_in) const;
    void warn_of_open_line(const MoldenSection& section);
    void check_counts(const TextScanner& scanner, const std::vector<int>& counts,
                      int highest) const;

    const TextSource& source_;
    std::span<const MoldenSection> sections_;
    Wavefunction& frame_;
    const int functions_;
};

void OrbitalReader::read() {
    const auto is_orbitals = [](const MoldenSection& section) { return section.name == "mo"; };
    if (std::ranges::none_of(sections_, is_orbitals))
        TextScanner(source_, sections_.front().body)
            .fail("a basis without orbitals: section [MO] is missing", molden_advice);
    for (const MoldenSection& section : sections_)  // some programs write one section for each spin
        if (is_orbitals(section)) read_section(section);
    warn_of_open_line(sections_.back());
}

// Programs end their last line with a line break. A number that has lost digits looks like any
// other.
void OrbitalReader::warn_of_open_line(const MoldenSection& section) {
    const std::string_view text = source_.text;
    const bool ends_text = section.body.data() + section.body.size() == text.data() + text.size();
    if (section.name != "mo" || !ends_text || text.ends_with('\n')) return;
    TextScanner scanner(source_, text.substr(text.size()));
    frame_.warnings.push_back(
        scanner.place() + ": the last line has no line break: the file may be truncated, and the "
                          "last coefficient may lack digits");
}

// An orbital is a block of key=value lines and then coefficients. The next block begins with the
// next key. It also begins with a key that the block already has: then all its coefficients were
// zero.
void OrbitalReader::read_section(const MoldenSection& section) {
    TextScanner scanner(source_, section.body);
    std::vector<int> counts;  // number of coefficients of each orbital
    std::vector<std::size_t> given_in(static_cast<std::size_t>(functions_), 0);
    std::set<std::string> seen;
    int highest = 0;
    bool in_head = false;
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        if (std::isdigit(static_cast<unsigned char>(scanner.peek()))) {
            if (counts.empty())
                scanner.fail("a coefficient before the first orbital", molden_advice);
            const int index = read_coefficient(scanner, frame_.orbitals.back(), given_in);
            highest = std::max(highest, index);
            ++counts.back();
            in_head = false;
            continue;
        }
        const KeyAndValue entry = read_entry(scanner);
        if (!in_head || seen.contains(entry.key)) {
            seen.clear();
            check_size(scanner, functions_, static_cast<double>(frame_.orbitals.size() + 1));
            frame_.orbitals.emplace_back().coefficients.assign(static_cast<std::size_t>(functions_),
                                                               0.0);
            counts.push_back(0);
        }
        in_head = true;
        seen.insert(entry.key);
        set_property(entry, frame_.orbitals.back());
    }
    if (counts.empty()) scanner.fail("a basis without orbitals: [MO] is empty", molden_advice);
    check_counts(scanner, counts, highest);
}

// `given_in` holds for each function the last orbital, from 1, that had a coefficient of it.
int OrbitalReader::read_coefficient(TextScanner& scanner, MolecularOrbital& orbital,
                                    std::vector<std::size_t>& given_in) const {
    int index = 0;
    double value = 0, imaginary = 0;
    if (!scanner.integer(index) || !scanner.number(value))
        scanner.fail("a coefficient is not 'index value'", molden_advice);
    if (scanner.number(imaginary))
        scanner.fail("a coefficient has two values: it is complex, as at k points",
                     "give real orbitals, such as those of the Gamma point");
    if (index < 1 || index > functions_)
        scanner.fail("coefficient " + std::to_string(index) + " of a basis of " +
                         counted(functions_, "function"),
                     "check [GTO] and the tags [5D], [7F], [9G]");
    const auto function = static_cast<std::size_t>(index - 1);
    if (std::exchange(given_in[function], frame_.orbitals.size()) == frame_.orbitals.size())
        scanner.fail("coefficient " + std::to_string(index) + " of orbital " +
                         std::to_string(frame_.orbitals.size()) + " is given twice",
                     molden_advice);
    orbital.coefficients[function] = value;
    scanner.next_line();
    return index;
}

// Reads "Sym= 1a1", "Ene= -20.5", "Spin=Alpha" or "Occup= 2.0" in any case.
OrbitalReader::KeyAndValue OrbitalReader::read_entry(TextScanner& scanner) const {
    const char* const line = scanner.position();
    const std::string_view text = scanner.rest_of_line();
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
        scanner.fail_at(line,
                        "'" + one_line(text, 30) + "' is neither a coefficient nor 'Key= value'",
                        molden_advice);
    return {molden_name(text.substr(0, equals)), text.substr(equals + 1)};
}

// Other keys than these four are ignored.
void OrbitalReader::set_property(const KeyAndValue& entry, MolecularOrbital& orbital) const {
    TextScanner value(source_, entry.value);
    if (entry.key == "sym") {
        orbital.symmetry = one_line(value.rest_of_line(), 40);
    } else if (entry.key == "ene") {
        if (!value.number(orbital.energy)) value.fail("an energy is not a number", molden_advice);
    } else if (entry.key == "occup") {
        if (!value.number(orbital.occupation))
            value.fail("an occupation is not a number", molden_advice);
    } else if (entry.key == "spin") {
        const std::string spin = molden_name(entry.value);
        if (spin != "alpha" && spin != "beta")
            value.fail("a spin is neither Alpha nor Beta", molden_advice);
        orbital.spin = spin == "beta" ? Spin::beta : Spin::alpha;
    }
}

// Programs that omit zeros do so in many orbitals. If all orbitals but the last are complete, the
// file was truncated. If all end at the same index, the basis was misunderstood.
void OrbitalReader::check_counts(const TextScanner& scanner, const std::vector<int>& counts,
                                 int highest) const {
    const auto is_complete = [&](int count) { return count >= functions_; };
    const auto is_contiguous = [&](int count) { return count == highest; };
    if (counts.size() > 1 && !is_complete(counts.back()) &&
        std::all_of(counts.begin(), counts.end() - 1, is_complete))
        scanner.fail("the file ends within an orbital: " + std::to_string(counts.back()) + " of " +
                         counted(functions_, "coefficient"),
                     "it is truncated; copy or write it again");
    if (highest > 1 && highest < functions_ &&
        std::all_of(counts.begin(), counts.end(), is_contiguous))
        scanner.fail("every orbital has " + counted(highest, "coefficient") + ", the basis " +
                         counted(functions_, "function"),
                     "check [GTO]; a tag [5D], [7F] or [9G] may be missing");
}

}  // namespace

void read_molden_orbitals(const TextSource& source, std::span<const MoldenSection> sections,
                          Wavefunction& frame) {
    OrbitalReader(source, sections, frame).read();
}

}  // namespace tessera::io
