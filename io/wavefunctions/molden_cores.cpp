#include "io/wavefunctions/molden_cores.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "io/text/one_line.hpp"
#include "io/wavefunctions/core_charges.hpp"

namespace tessera::io {
namespace {

/// "Pt 3 18", "Pt: 60" or "2 : 60": an element or the index of an atom, and the electrons.
struct CoreLine {
    std::string symbol;
    std::optional<int> atom;  // from 1
    double electrons = 0;
};

std::optional<CoreLine> parse(std::string line) {
    std::ranges::replace(line, ':', ' ');
    const TextSource source{"", line};
    TextScanner scanner(source);
    CoreLine core;
    if (int index = 0; scanner.integer(index))
        core.atom = index;
    else
        core.symbol = scanner.word();
    if (!scanner.number(core.electrons)) return {};
    if (!scanner.line_is_over()) {  // the second of three words is the index
        if (!(core.electrons >= 1 && core.electrons <= 1e9)) return {};
        core.atom = static_cast<int>(core.electrons);
        if (*core.atom != core.electrons || !scanner.number(core.electrons)) return {};
    }
    if (!scanner.line_is_over() || !(core.electrons >= 0 && core.electrons < 1000)) return {};
    return core;
}

bool apply(const CoreLine& core, bool remain, Wavefunction& frame) {
    if (core.atom)
        return *core.atom >= 1 && *core.atom <= std::ssize(frame.nuclei) &&
               take_core(frame.nuclei[static_cast<std::size_t>(*core.atom - 1)], core.electrons,
                         remain);
    const std::string letters = element_letters(core.symbol);
    bool fits = false;
    for (Nucleus& nucleus : frame.nuclei)
        if (element_letters(nucleus.symbol) == letters)
            fits = take_core(nucleus, core.electrons, remain) || fits;
    return fits;
}

void read_section(const TextSource& source, const MoldenSection& section, Wavefunction& frame) {
    TextScanner scanner(source, section.body);
    for (scanner.skip_empty_lines(); !scanner.at_end(); scanner.skip_empty_lines()) {
        const TextScanner here = scanner;
        const std::string line(scanner.rest_of_line());
        if (const std::optional<CoreLine> core = parse(line);
            core && apply(*core, section.name != "core", frame))
            continue;
        frame.warnings.push_back(here.place() + ": '" + one_line(line, 30) + "' of [" +
                                 section.name + "] fits no nucleus: nuclear charges may be wrong");
        return;
    }
}

}  // namespace

void read_molden_cores(const TextSource& source, std::span<const MoldenSection> sections,
                       Wavefunction& frame) {
    for (const std::string_view name : {"core", "pseudo", "nval"})
        for (const MoldenSection& section : sections)
            if (section.name == name) read_section(source, section, frame);
}

}  // namespace tessera::io
