#include "docking/setup/antibody_masks.hpp"

#include <utility>

#include "core/error.hpp"

namespace tessera::docking {

std::array<std::vector<bool>, 2> find_antibodies(PreparedDocking& p, const DockInput& input) {
    const AntibodyMode mode = antibody_mode_named(input.antibody);
    if (mode == AntibodyMode::off) return {};
    std::array<std::vector<bool>, 2> masks;
    const auto look_at = [&](const char* partner, const io::Structure& structure, int place) {
        Antibody found = recognise_antibody(partner, structure, mode);
        p.antibody.insert(p.antibody.end(), found.domains.begin(), found.domains.end());
        masks[place] = std::move(found.masked);
    };
    look_at("receptor", p.receptor_structure, 0);
    look_at("ligand", p.ligand_structure, 1);
    if (!p.antibody.empty())
        p.messages.push_back(describe(p.antibody));
    else if (mode == AntibodyMode::automatic)
        p.messages.push_back("antibody: no variable domain found, nothing is masked");
    else
        throw Error("no antibody found for --antibody " + input.antibody,
                    "neither receptor nor ligand has variable domains of this form",
                    "check the chains, or use --antibody auto or off");
    return masks;
}

}  // namespace tessera::docking
