#include "docking/screen/screen_pairs.hpp"

namespace tessera::docking {

DockPair ScreenPairs::pair(std::size_t index) const {
    DockPair pair{name(index), ligand(index).line, common_};
    pair.input.receptor_path = receptor(index).path;
    pair.input.receptor_chains = receptor(index).chains;
    pair.input.ligand_path = ligand(index).path;
    pair.input.ligand_chains = ligand(index).chains;
    return pair;
}

}  // namespace tessera::docking
