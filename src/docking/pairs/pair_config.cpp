#include "docking/pairs/pair_config.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text/option_file.hpp"

namespace tessera::docking {

namespace {

using Values = std::vector<std::string>;

/// An option that a column may give.
struct ColumnOption {
    const char* name;
    Values values;
    bool is_list = false;
};

Values one(const std::string& value) { return value.empty() ? Values() : Values{value}; }
Values count(int conformers) {
    return conformers > 1 ? Values{std::to_string(conformers)} : Values();
}

std::vector<ColumnOption> options_of(const DockInput& input) {
    const bool is_ring = input.symmetry.is_set();
    const EnsembleOptions& ensemble = input.ensemble;
    return {{"receptor", one(input.receptor_path)},
            {"ligand", is_ring ? Values() : one(input.ligand_path)},
            {"receptor-chains", input.receptor_chains, true},
            {"ligand-chains", is_ring ? Values() : input.ligand_chains, true},
            {"reference", one(input.reference_path)},
            {"reference-receptor-chains", input.reference_receptor_chains, true},
            {"reference-ligand-chains", input.reference_ligand_chains, true},
            {"antibody", one(input.antibody)},
            {"plddt", one(input.plddt)},
            {"keep", one(input.keep)},
            {"drop", one(input.drop)},
            {"restraints", input.restraints.files, true},
            {"membrane", one(input.membrane.slab)},
            {"membrane-ligand", one(input.membrane.ligand_slab)},
            {"symmetry", is_ring ? one(name_of(input.symmetry)) : Values()},
            {"conformers", count(ensemble.conformers)},
            {"receptor-conformers", count(ensemble.receptor_conformers)},
            {"ligand-conformers", count(ensemble.ligand_conformers)},
            {"receptor-models", one(ensemble.receptor_models)},
            {"ligand-models", one(ensemble.ligand_models)},
            {"add-receptor", ensemble.receptor_files, true},
            {"add-ligand", ensemble.ligand_files, true}};
}

/// Whether the pair takes an option of the run that is not for all rows of the table.
bool is_used(const DockInput& input, std::string_view option) {
    if (option == "axes") return input.symmetry.is_set();
    if (option == "rings") return input.symmetry.dihedral;
    if (option == "conformer-rmsd") return input.ensemble.has_modes();
    const bool of_ring = input.symmetry.is_set(), of_two = !input.membrane.ligand_slab.empty();
    if (option.starts_with("membrane-") && !input.membrane.is_set()) return false;
    if (option == "membrane-tilt") return of_ring || of_two;
    if (option == "membrane-tolerance") return !(of_ring || of_two);
    if (option == "membrane-shift" || option == "membrane-ligand-axis") return of_two;
    return option != "pairs" && option != "output";
}

}  // namespace

std::string config_of_pair(const std::string& config, const DockPair& pair) {
    if (config.empty()) return "";
    const std::vector<ColumnOption> own = options_of(pair.input);
    std::string text = "# tessera dock, all options of a pair\n";
    for (const ColumnOption& option : own)
        if (!option.values.empty())
            text += io::option_line({option.name, option.values, false, false, ""}, option.is_list);
    for (const io::FileOption& option : io::parse_option_file({"options", config, "options of"})) {
        const bool replaced =
            std::ranges::any_of(own, [&](const auto& mine) { return option.name == mine.name; });
        if (!replaced && is_used(pair.input, option.name))
            text += io::option_line(option, option.values.size() > 1);
    }
    return text;
}

}  // namespace tessera::docking
