#include "io/wavefunctions/molden_reader.hpp"

#include <cctype>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/molden_sections.hpp"
#include "io/wavefunctions/molden_warnings.hpp"

namespace tessera::io {
namespace {

class FrameReader {
  public:
    FrameReader(const TextSource& source, std::span<const MoldenSection> sections)
        : source_(source), sections_(sections) {}

    Wavefunction read() {
        frame_.path = source_.path;
        read_title();
        for (const MoldenSection& section : sections_) tags_.read(section.name);
        tags_.settle();
        refuse_slater_functions();
        read_atoms(needed("atoms", "no atoms"));
        read_basis(needed("gto", "no basis: section [GTO] is missing"));
        check_every_atom_has_a_basis(scanner_of(*find("gto")), frame_);
        functions_ = frame_.basis_functions();
        warn_of_model(source_, sections_, frame_);
        read_orbitals();
        return std::move(frame_);
    }

  private:
    struct KeyAndValue {
        std::string key;  // by molden_name()
        std::string_view value;
    };

    const MoldenSection* find(std::string_view name) const {
        for (const MoldenSection& section : sections_)
            if (section.name == name) return &section;
        return nullptr;
    }
    TextScanner scanner_of(const MoldenSection& section) const {
        return TextScanner(source_, section.body);
    }
    const MoldenSection& needed(std::string_view name, const std::string& why) const {
        const MoldenSection* const section = find(name);
        if (!section) scanner_of(sections_.front()).fail(why, advice);
        return *section;
    }

    void read_title();
    void refuse_slater_functions() const;
    bool in_angstrom(const MoldenSection& section);
    void read_atoms(const MoldenSection& section);
    void read_basis(const MoldenSection& section);
    void read_shells(TextScanner& scanner, int atom);
    void read_shell(TextScanner& scanner, int atom);
    void add_shell(const TextScanner& scanner, const char* where, BasisShell shell);
    void warn_of_scale(TextScanner& scanner);

    void read_orbitals();
    void read_orbital_section(const MoldenSection& section);
    KeyAndValue read_entry(TextScanner& scanner) const;
    void set_property(const KeyAndValue& entry, MolecularOrbital& orbital) const;
    int read_coefficient(TextScanner& scanner, MolecularOrbital& orbital,
                         std::vector<std::size_t>& given_in) const;
    void warn_of_open_line(const MoldenSection& section);
    void check_counts(const TextScanner& scanner, const std::vector<int>& counts,
                      int highest) const;

    static constexpr const char* advice =
        "write the Molden file again, with atoms, basis and orbitals";

    const TextSource& source_;
    std::span<const MoldenSection> sections_;
    Wavefunction frame_;
    SphericalTags tags_;
    std::unordered_map<int, int> atom_of_label_;
    int functions_ = 0;
    bool warned_of_scale_ = false;
};

void FrameReader::read_title() {
    const MoldenSection* const title = find("title");
    if (!title) return;
    TextScanner scanner = scanner_of(*title);
    scanner.skip_empty_lines();
    frame_.title = one_line(scanner.rest_of_line());
}

void FrameReader::refuse_slater_functions() const {
    const MoldenSection* const slater = find("sto");
    if (slater)
        scanner_of(*slater).fail("the basis has Slater functions",
                                 "give Gaussian functions (section [GTO])");
}

bool FrameReader::in_angstrom(const MoldenSection& section) {
    const std::string unit = molden_name(section.rest);
    if (unit.starts_with("ang")) return true;
    if (unit.empty())
        frame_.warnings.push_back(scanner_of(section).place() +
                                  ": [Atoms] gives no unit; bohr (AU) is assumed");
    else if (unit != "au" && unit != "bohr" && unit != "atomicunits")
        scanner_of(section).fail("[Atoms] has the unknown unit '" + one_line(unit, 20) + "'",
                                 "write (AU) or (Angs)");
    return false;
}

void FrameReader::read_atoms(const MoldenSection& section) {
    const double unit = in_angstrom(section) ? 1 / bohr_in_angstrom : 1;
    TextScanner scanner = scanner_of(section);
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        Nucleus nucleus;
        int label = 0;
        double charge = 0;
        nucleus.symbol = one_line(scanner.word(), 8);
        Vec3& r = nucleus.position;
        if (!scanner.integer(label) || !scanner.number(charge) || !scanner.number(r.x) ||
            !scanner.number(r.y) || !scanner.number(r.z))
            scanner.fail("an atom is not 'symbol index charge x y z'", advice);
        r = unit * r;
        check_position(scanner, r);
        if (!(charge >= 0 && charge < 1000))
            scanner.fail("a nuclear charge is not within 0 and 999", advice);
        nucleus.charge = static_cast<int>(std::lround(charge));
        const int index = static_cast<int>(frame_.nuclei.size());
        if (!atom_of_label_.emplace(label, index).second)
            scanner.fail("atom index " + std::to_string(label) + " occurs twice", advice);
        frame_.nuclei.push_back(std::move(nucleus));
        scanner.next_line();
    }
    if (frame_.nuclei.empty()) scanner.fail("[Atoms] is empty", advice);
}

void FrameReader::read_basis(const MoldenSection& section) {
    TextScanner scanner = scanner_of(section);
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        int label = 0;
        if (!scanner.integer(label))
            scanner.fail("'" + one_line(scanner.word(), 20) + "' instead of the index of an atom",
                         advice);
        const auto atom = atom_of_label_.find(label);
        if (atom == atom_of_label_.end())
            scanner.fail("[GTO] names atom " + std::to_string(label) + ", which [Atoms] lacks",
                         advice);
        scanner.next_line();
        read_shells(scanner, atom->second);
    }
    if (frame_.shells.empty()) scanner.fail("atoms without basis: [GTO] is empty", advice);
}

// Reads shells until a line begins with a number, the next atom. Blank lines usually separate
// atoms, but not in the files of every program.
void FrameReader::read_shells(TextScanner& scanner, int atom) {
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        if (!std::isalpha(static_cast<unsigned char>(scanner.peek()))) return;
        read_shell(scanner, atom);
    }
}

// The third column is 1.00 in every known file. Programs do not agree on the meaning of other
// values.
void FrameReader::warn_of_scale(TextScanner& scanner) {
    double scale = 1;
    if (scanner.line_is_over() || !scanner.number(scale) || scale == 1 || scale == 0) return;
    if (!warned_of_scale_)
        frame_.warnings.push_back(scanner.place() + ": the shell's scale factor is ignored");
    warned_of_scale_ = true;
}

void FrameReader::read_shell(TextScanner& scanner, int atom) {
    static constexpr std::string_view letters = "spdfgh";
    const char* const where = scanner.position();
    const std::string type = molden_name(scanner.word());
    const bool sp = type == "sp" || type == "l";
    const std::size_t l = sp ? 0 : letters.find(type);
    if (l == letters.npos || (type.size() != 1 && !sp))
        scanner.fail("unknown shell type '" + one_line(type, 20) + "'",
                     "s, p, sp, d, f, g and h are read");
    int primitives = 0;
    if (!scanner.integer(primitives) || primitives < 1)
        scanner.fail("the number of primitives of a shell is missing", advice);
    if (primitives > most_primitives)
        scanner.fail(std::to_string(primitives) + " primitives in a shell",
                     "at most " + std::to_string(most_primitives) + " are read");
    warn_of_scale(scanner);
    BasisShell shell{atom, static_cast<int>(l), tags_.is_spherical(static_cast<int>(l)), {}, {}};
    BasisShell second{atom, 1, false, {}, {}};
    for (int p = 0; p < primitives; ++p) {
        scanner.next_line();
        double exponent = 0, coefficient = 0, second_coefficient = 0;
        if (!scanner.number(exponent) || !scanner.number(coefficient) ||
            (sp && !scanner.number(second_coefficient)))
            scanner.fail(
                "primitive " + std::to_string(p + 1) + " of " + std::to_string(primitives) +
                    " of a shell is not 'exponent coefficient" + (sp ? " coefficient'" : "'"),
                advice);
        check_primitive(scanner, exponent);
        shell.exponents.push_back(exponent);
        shell.coefficients.push_back(coefficient);
        second.coefficients.push_back(second_coefficient);
    }
    scanner.next_line();
    if (sp) second.exponents = shell.exponents;
    add_shell(scanner, where, std::move(shell));
    if (sp) add_shell(scanner, where, std::move(second));
}

void FrameReader::add_shell(const TextScanner& scanner, const char* where, BasisShell shell) {
    if (shell.l == 5 && !shell.spherical)
        scanner.fail_at(where, "Cartesian h functions, for which Molden has no order",
                        "use spherical functions (section [11H])");
    check_shell(scanner, where, frame_, shell);
    frame_.shells.push_back(std::move(shell));
}

void FrameReader::read_orbitals() {
    needed("mo", "a basis without orbitals: section [MO] is missing");
    for (const MoldenSection& section : sections_)  // some programs write one section for each spin
        if (section.name == "mo") read_orbital_section(section);
    warn_of_open_line(sections_.back());
}

// Programs end their last line with a line break. A number that has lost digits looks like any
// other.
void FrameReader::warn_of_open_line(const MoldenSection& section) {
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
void FrameReader::read_orbital_section(const MoldenSection& section) {
    TextScanner scanner = scanner_of(section);
    std::vector<int> counts;  // number of coefficients of each orbital
    std::vector<std::size_t> given_in(static_cast<std::size_t>(functions_), 0);
    std::set<std::string> seen;
    int highest = 0;
    bool in_head = false;
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        if (std::isdigit(static_cast<unsigned char>(scanner.peek()))) {
            if (counts.empty()) scanner.fail("a coefficient before the first orbital", advice);
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
    if (counts.empty()) scanner.fail("a basis without orbitals: [MO] is empty", advice);
    check_counts(scanner, counts, highest);
}

// `given_in` holds for each function the last orbital, from 1, that had a coefficient of it.
int FrameReader::read_coefficient(TextScanner& scanner, MolecularOrbital& orbital,
                                  std::vector<std::size_t>& given_in) const {
    int index = 0;
    double value = 0;
    if (!scanner.integer(index) || !scanner.number(value))
        scanner.fail("a coefficient is not 'index value'", advice);
    if (index < 1 || index > functions_)
        scanner.fail("coefficient " + std::to_string(index) + " of a basis of " +
                         std::to_string(functions_) + " functions",
                     "check [GTO] and the tags [5D], [7F], [9G]");
    const auto function = static_cast<std::size_t>(index - 1);
    if (std::exchange(given_in[function], frame_.orbitals.size()) == frame_.orbitals.size())
        scanner.fail("coefficient " + std::to_string(index) + " of orbital " +
                         std::to_string(frame_.orbitals.size()) + " is given twice",
                     advice);
    orbital.coefficients[function] = value;
    scanner.next_line();
    return index;
}

// Reads "Sym= 1a1", "Ene= -20.5", "Spin=Alpha" or "Occup= 2.0" in any case.
FrameReader::KeyAndValue FrameReader::read_entry(TextScanner& scanner) const {
    const char* const line = scanner.position();
    const std::string_view text = scanner.rest_of_line();
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
        scanner.fail_at(
            line, "'" + one_line(text, 30) + "' is neither a coefficient nor 'Key= value'", advice);
    return {molden_name(text.substr(0, equals)), text.substr(equals + 1)};
}

// Other keys than these four are ignored.
void FrameReader::set_property(const KeyAndValue& entry, MolecularOrbital& orbital) const {
    TextScanner value(source_, entry.value);
    if (entry.key == "sym") {
        orbital.symmetry = one_line(value.rest_of_line(), 40);
    } else if (entry.key == "ene") {
        if (!value.number(orbital.energy)) value.fail("an energy is not a number", advice);
    } else if (entry.key == "occup") {
        if (!value.number(orbital.occupation)) value.fail("an occupation is not a number", advice);
    } else if (entry.key == "spin") {
        const std::string spin = molden_name(entry.value);
        if (spin != "alpha" && spin != "beta")
            value.fail("a spin is neither Alpha nor Beta", advice);
        orbital.spin = spin == "beta" ? Spin::beta : Spin::alpha;
    }
}

// Programs that omit zeros do so in many orbitals. If all orbitals but the last are complete, the
// file was truncated. If all end at the same index, the basis was misunderstood.
void FrameReader::check_counts(const TextScanner& scanner, const std::vector<int>& counts,
                               int highest) const {
    const auto is_complete = [&](int count) { return count >= functions_; };
    const auto is_contiguous = [&](int count) { return count == highest; };
    if (counts.size() > 1 && !is_complete(counts.back()) &&
        std::all_of(counts.begin(), counts.end() - 1, is_complete))
        scanner.fail("the file ends within an orbital: " + std::to_string(counts.back()) + " of " +
                         std::to_string(functions_) + " coefficients",
                     "it is truncated; copy or write it again");
    if (highest > 1 && highest < functions_ &&
        std::all_of(counts.begin(), counts.end(), is_contiguous))
        scanner.fail("every orbital has " + std::to_string(highest) + " coefficients, the basis " +
                         std::to_string(functions_) + " functions",
                     "check [GTO]; a tag [5D], [7F] or [9G] may be missing");
}

}  // namespace

bool is_molden(const TextSource& source) {
    TextScanner scanner(source);
    for (int line = 0; line < 50 && !scanner.at_end(); ++line) {
        scanner.skip_empty_lines();
        const std::string_view text = scanner.rest_of_line();
        if (!text.starts_with('[')) continue;
        const std::string name = molden_name(text.substr(0, text.find(']')));
        if (name == "moldenformat" || name == "atoms" || name == "gto") return true;
    }
    return false;
}

std::vector<Wavefunction> read_molden(const TextSource& source) {
    const std::vector<MoldenSection> sections = find_molden_sections(source);
    if (sections.empty())
        TextScanner(source).fail("the name of a section has no ']'", "write the Molden file again");
    const std::vector<std::size_t> starts = molden_frame_starts(sections);
    std::vector<Wavefunction> frames;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        const std::span<const MoldenSection> part(sections.data() + starts[i],
                                                  starts[i + 1] - starts[i]);
        frames.push_back(FrameReader(source, part).read());
    }
    return frames;
}

}  // namespace tessera::io
