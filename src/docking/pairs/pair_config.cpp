#include "docking/pairs/pair_config.hpp"

#include <array>
#include <utility>

#include "io/text/option_file.hpp"

namespace tessera::docking {

std::string config_of_pair(const std::string& config, const DockPair& pair) {
    if (config.empty()) return "";
    using Values = std::vector<std::string>;
    const auto one = [](const std::string& path) { return path.empty() ? Values() : Values{path}; };
    const DockInput& input = pair.input;
    const std::array<std::pair<const char*, Values>, 13> own = {
        {{"receptor", one(input.receptor_path)},
         {"ligand", one(input.ligand_path)},
         {"receptor-chains", input.receptor_chains},
         {"ligand-chains", input.ligand_chains},
         {"reference", one(input.reference_path)},
         {"reference-receptor-chains", input.reference_receptor_chains},
         {"reference-ligand-chains", input.reference_ligand_chains},
         {"antibody", one(input.antibody)},
         {"plddt", one(input.plddt)},
         {"keep", one(input.keep)},
         {"drop", one(input.drop)},
         {"restraints", input.restraints.files},
         {"membrane", one(input.membrane.slab)}}};
    std::string text = "# tessera dock, all options of a pair\n";
    for (const auto& [name, values] : own)
        if (!values.empty()) {
            const bool is_list =
                std::string(name).ends_with("chains") || std::string(name) == "restraints";
            text += io::option_line({name, values, false, false, ""}, is_list);
        }
    for (const io::FileOption& option : io::parse_option_file({"options", config, "options of"})) {
        bool replaced = option.name == "pairs" || option.name == "output";
        for (const auto& [name, values] : own) replaced |= option.name == name;
        if (!replaced) text += io::option_line(option, option.values.size() > 1);
    }
    return text;
}

}  // namespace tessera::docking
