#include "io/wavefunctions/molden_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "io/wavefunctions/molden_cell.hpp"
#include "io/wavefunctions/molden_cores.hpp"

namespace tessera::io {
namespace {

// "Pt: 60" in [Core] is the number of electrons that a pseudopotential replaces, 0 for none.
bool tells_of_core(const TextSource& source, const MoldenSection& section) {
    if (section.name != "core" && section.name != "pseudo" && section.name != "nval") return false;
    TextScanner scanner(source, section.body);
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        const std::string_view line = scanner.rest_of_line();
        const std::string_view number = line.substr(line.find_last_of(" :\t") + 1);
        if (section.name != "core" || number.find_first_not_of('0') != number.npos) return true;
    }
    return false;
}

/// The sum of a number for each atom; nothing if these are not all that the section has.
std::optional<double> sum_of_charges(const TextSource& source, const MoldenSection& section,
                                     std::size_t atoms) {
    TextScanner scanner(source, section.body);
    double sum = 0;
    std::size_t found = 0;
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines(), ++found) {
        double charge = 0;
        if (!scanner.number(charge) || !scanner.line_is_over()) return {};
        sum += charge;
    }
    return found == atoms ? std::optional(sum) : std::nullopt;
}

}  // namespace

void warn_of_model(const TextSource& source, std::span<const MoldenSection> sections,
                   Wavefunction& frame) {
    std::string of_core;
    for (const MoldenSection& section : sections) {
        if (tells_of_core(source, section))
            of_core += (of_core.empty() ? "section [" : ", [") + section.name + "]";
    }
    read_molden_cell(source, sections, frame);
    if (frame.lattice) warn_of_cell(frame, "section [cell]");
    if (of_core.empty()) return warn_of_core_charges(frame);
    warn_of_pseudopotentials(frame, of_core);
    read_molden_cores(source, sections, frame);
}

void warn_of_missing_electrons(const TextSource& source, std::span<const MoldenSection> sections,
                               Wavefunction& frame) {
    const auto section = std::ranges::find(sections, "charge", &MoldenSection::name);
    if (section == sections.end()) return;
    const auto charges = sum_of_charges(source, *section, frame.nuclei.size());
    if (!charges) return;
    double expected = -*charges, held = 0;
    for (const Nucleus& nucleus : frame.nuclei) expected += nucleus.charge_without_core();
    for (const MolecularOrbital& orbital : frame.orbitals) held += orbital.occupation;
    if (!(expected - held > 0.5 && expected < 1e6)) return;
    frame.warnings.push_back(fmt::format(
        "'{}': by its section [charge] the molecule has {:.0f} electrons, and its orbitals hold "
        "{:.4g}: a pseudopotential replaces the others, which [Core] should tell, or occupied "
        "orbitals are missing",
        one_line(frame.path), expected, held));
}

}  // namespace tessera::io
