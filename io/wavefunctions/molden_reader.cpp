#include "io/wavefunctions/molden_reader.hpp"

#include <cctype>
#include <span>
#include <unordered_map>
#include <utility>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"
#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/molden_orbitals.hpp"
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
        warn_of_model(source_, sections_, frame_);
        read_molden_orbitals(source_, sections_, frame_);
        warn_of_missing_electrons(source_, sections_, frame_);
        return std::move(frame_);
    }

  private:
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
        if (!section) scanner_of(sections_.front()).fail(why, molden_advice);
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

    const TextSource& source_;
    std::span<const MoldenSection> sections_;
    Wavefunction frame_;
    SphericalTags tags_;
    std::unordered_map<int, int> atom_of_label_;
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
            scanner.fail("an atom is not 'symbol index charge x y z'", molden_advice);
        r = unit * r;
        check_position(scanner, r);
        if (!(charge >= 0 && charge < 1000))
            scanner.fail("a nuclear charge is not within 0 and 999", molden_advice);
        nucleus.charge = static_cast<int>(std::lround(charge));
        const int index = static_cast<int>(frame_.nuclei.size());
        if (!atom_of_label_.emplace(label, index).second)
            scanner.fail("atom index " + std::to_string(label) + " occurs twice", molden_advice);
        frame_.nuclei.push_back(std::move(nucleus));
        scanner.next_line();
    }
    if (frame_.nuclei.empty()) scanner.fail("[Atoms] is empty", molden_advice);
}

void FrameReader::read_basis(const MoldenSection& section) {
    TextScanner scanner = scanner_of(section);
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        int label = 0;
        if (!scanner.integer(label))
            scanner.fail("'" + one_line(scanner.word(), 20) + "' instead of the index of an atom",
                         molden_advice);
        const auto atom = atom_of_label_.find(label);
        if (atom == atom_of_label_.end())
            scanner.fail("[GTO] names atom " + std::to_string(label) + ", which [Atoms] lacks",
                         molden_advice);
        scanner.next_line();
        read_shells(scanner, atom->second);
    }
    if (frame_.shells.empty()) scanner.fail("atoms without basis: [GTO] is empty", molden_advice);
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
        scanner.fail("the number of primitives of a shell is missing", molden_advice);
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
                molden_advice);
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
