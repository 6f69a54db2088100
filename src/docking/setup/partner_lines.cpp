#include "docking/setup/partner_lines.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "docking/model/nucleotide_atoms.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

namespace {

std::string describe(const char* partner, const io::Structure& structure,
                     const Molecule& molecule) {
    std::string line = fmt::format("{} {}: {}", partner, structure.path,
                                   io::counted(molecule.size(), "heavy atom"));
    const auto add = [&](int count, const char* what) {
        if (count > 0) line += fmt::format(", {} {}", count, what);
    };
    const NucleicAcid nucleic = nucleic_acid_of(structure);
    if (nucleic.nucleotides > 0)
        line += fmt::format(", {} in {}", io::counted(nucleic.nucleotides, "nucleotide"),
                            io::counted(nucleic.strands, "strand"));
    add(structure.waters_skipped, "water atoms skipped");
    add(structure.hetero_atoms_skipped, "hetero atoms skipped");
    add(structure.alternate_locations_dropped, "alternate locations dropped");
    return line;
}

}  // namespace

void describe_partners(PreparedDocking& p, const Molecule& ligand,
                       const std::vector<std::string>& ligand_warnings) {
    p.messages = {describe("receptor", p.receptor_structure, p.receptor),
                  describe("ligand", p.ligand_structure, ligand)};
    const auto say = [&](const char* partner, const Chemistry& chemistry) {
        if (!chemistry.empty())
            p.messages.push_back(fmt::format("{}: {}", partner, describe(chemistry)));
    };
    say("receptor", p.receptor_chemistry);
    say("ligand", p.ligand_chemistry);
    for (const CutPartner* cut : {&p.receptor_cut, &p.ligand_cut})
        if (!cut->message.empty()) p.messages.push_back(cut->message);
    using Lines = std::vector<std::string>;
    for (const Lines* lines : std::initializer_list<const Lines*>{
             &p.receptor_structure.warnings, &p.ligand_structure.warnings, &p.receptor_warnings,
             &ligand_warnings})
        p.warnings.insert(p.warnings.end(), lines->begin(), lines->end());
    for (const std::string& warning : p.warnings) p.messages.push_back("warning: " + warning);
}

}  // namespace tessera::docking
