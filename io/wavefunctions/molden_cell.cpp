#include "io/wavefunctions/molden_cell.hpp"

#include <string>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/basis_checks.hpp"

namespace tessera::io {
namespace {

constexpr const char* how_to_write_cells =
    "write [Cell] (AU) or [Cell] (Angs), and three lines of x y z";

double unit_of(const TextScanner& scanner, const MoldenSection& section) {
    const std::string unit = molden_name(section.rest);
    if (unit.starts_with("ang")) return 1 / bohr_in_angstrom;
    if (unit == "au" || unit == "bohr" || unit == "atomicunits") return 1;
    // Molden's own default is bohr, but Multiwfn reads a cell without a unit in Angstrom.
    scanner.fail(unit.empty() ? "[Cell] gives no unit"
                              : "[Cell] has the unknown unit '" + one_line(unit, 20) + "'",
                 how_to_write_cells);
}

Lattice read_section(const TextSource& source, const MoldenSection& section) {
    TextScanner scanner(source, section.body);
    const double unit = unit_of(scanner, section);
    Lattice lattice;
    for (Vec3& v : lattice.vectors) {
        scanner.skip_empty_lines();
        if (!scanner.number(v.x) || !scanner.number(v.y) || !scanner.number(v.z) ||
            !scanner.line_is_over())
            scanner.fail("a vector of [Cell] is not 'x y z'", how_to_write_cells);
        v = unit * v;
    }
    check_lattice(scanner, lattice);
    scanner.skip_empty_lines();
    if (!scanner.at_end()) scanner.fail("[Cell] has more than three vectors", how_to_write_cells);
    return lattice;
}

}  // namespace

void read_molden_cell(const TextSource& source, std::span<const MoldenSection> sections,
                      Wavefunction& frame) {
    for (const MoldenSection& section : sections) {
        if (section.name != "cell") continue;
        if (frame.lattice)
            TextScanner(source, section.body)
                .fail("a frame has two sections [Cell]", how_to_write_cells);
        frame.lattice = read_section(source, section);
    }
}

}  // namespace tessera::io
