#include "docking/setup/docked_structures.hpp"

#include "docking/setup/make_ensemble.hpp"
#include "io/files/input_file.hpp"
#include "io/files/sha256.hpp"

namespace tessera::docking {

namespace {

bool has_receptor(const PreparedDocking& former, const DockInput& input, const PlddtRule& rule,
                  const KeepRule& keep) {
    return former.receptor_structure.path == input.receptor_path &&
           former.receptor_chains == input.receptor_chains && former.receptor_rule == rule &&
           former.receptor_keep == keep &&
           former.receptor_sha256 == io::sha256_of_file(input.receptor_path);
}

io::Structure receptor_of(const DockInput& input) {
    return chosen_models({"receptor", input.receptor_path, input.receptor_text,
                          input.receptor_chains, input.ensemble.receptor_models})
        .front()
        .structure;
}

io::Structure ligand_of(const DockInput& input) {
    return chosen_models({"ligand", input.ligand_path, input.ligand_text, input.ligand_chains,
                          input.ensemble.ligand_models})
        .front()
        .structure;
}

}  // namespace

void take_receptor(PreparedDocking& p, const PreparedDocking& former) {
    p.receptor_structure = former.receptor_structure;
    p.receptor_cut = former.receptor_cut;
    p.receptor_chemistry = former.receptor_chemistry;
    p.receptor = former.receptor;
    p.receptor_warnings = former.receptor_warnings;
}

io::Structure structure_of(const std::string& path, const std::string& text,
                           const std::vector<std::string>& chains) {
    if (text.empty()) return io::read_structure(path, chains);
    return io::parse_structure({path, text, "structure", io::sha256_of(text)}, chains);
}

bool read_structures(PreparedDocking& p, const DockInput& input, const PreparedDocking* former) {
    const PlddtRules rules = parse_plddt(input.plddt);
    const KeepRules keep = parse_keep(input.keep, input.drop);
    const bool known = former && has_receptor(*former, input, rules.receptor, keep.receptor);
    if (known) {
        take_receptor(p, *former);
    } else {
        p.receptor_structure = receptor_of(input);
        p.receptor_chemistry = keep_residues(keep.receptor, p.receptor_structure);
        p.receptor_cut = cut_low_confidence("receptor", rules.receptor, p.receptor_structure);
    }
    p.receptor_rule = rules.receptor;
    p.receptor_keep = keep.receptor;
    p.ligand_structure = ligand_of(input);
    p.ligand_chemistry = keep_residues(keep.ligand, p.ligand_structure);
    require_known_names(keep, p.receptor_chemistry, p.ligand_chemistry);
    p.ligand_cut = cut_low_confidence("ligand", rules.ligand, p.ligand_structure);
    require_plddt(rules, p.receptor_cut, p.ligand_cut);
    return known;
}

void read_structures(PreparedDocking& p, const DockInput& input, const StoredStructures& stored) {
    const KeepRules keep = parse_keep(input.keep, input.drop);
    p.receptor_structure = stored.receptor ? *stored.receptor : receptor_of(input);
    p.ligand_structure = stored.ligand ? *stored.ligand : ligand_of(input);
    if (!stored.receptor) keep_residues(keep.receptor, p.receptor_structure);
    if (!stored.ligand) keep_residues(keep.ligand, p.ligand_structure);
    p.receptor_cut = cut_again("receptor", stored.receptor_low, p.receptor_structure);
    p.ligand_cut = cut_again("ligand", stored.ligand_low, p.ligand_structure);
}

}  // namespace tessera::docking
