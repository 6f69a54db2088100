#include "docking/setup/place_membrane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "docking/model/membrane.hpp"

namespace tessera::docking {

void place_membrane(PreparedDocking& p, const DockInput& input, const Molecule& ligand) {
    if (!input.membrane.is_set()) return;
    const Membrane membrane = parse_membrane(input.membrane, input.symmetry.is_set());
    p.membrane.emplace(membrane, ligand.positions, p.frame);
    p.problem.heights = p.membrane->rule();
    p.messages.push_back("membrane: " + membrane.describe());
    const auto warn_outside = [&](const char* partner, const Slab& slab, const Molecule& molecule) {
        if (std::ranges::any_of(molecule.positions, [&](Vec3 atom) { return slab.holds(atom); }))
            return;
        const std::string warning = fmt::format(
            "no atom of the {} lies in its membrane; was its file oriented, as by OPM?", partner);
        p.warnings.push_back(warning);
        p.messages.push_back("warning: " + warning);
    };
    warn_outside("receptor", membrane.slab, p.receptor);
    if (membrane.ligand) warn_outside("ligand", *membrane.ligand, ligand);
}

}  // namespace tessera::docking
