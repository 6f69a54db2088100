#include "io/wavefunctions/molden_warnings.hpp"

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

}  // namespace tessera::io
