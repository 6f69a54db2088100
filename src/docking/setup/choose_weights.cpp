#include "docking/setup/choose_weights.hpp"

#include "docking/model/nucleotide_atoms.hpp"

namespace tessera::docking {

ChosenWeights choose_weights(const std::string& asked, const io::Structure& receptor,
                             const io::Structure& ligand,
                             const std::vector<RecognisedDomain>& antibody,
                             const std::vector<std::string>& type_names) {
    if (!asked.empty()) return {load_rescoring_weights(asked, type_names), ""};
    if (has_nucleotides(receptor) || has_nucleotides(ligand))
        return {load_rescoring_weights("nucleic", type_names),
                "a partner has nucleotides, so refined poses get the weights for nucleic acids "
                "(--rescoring general: those for proteins)"};
    if (antibody.empty()) return {load_rescoring_weights("general", type_names), ""};
    return {load_rescoring_weights("antibody", type_names),
            "the " + antibody.front().partner +
                " has a variable domain, so refined poses get the weights for antibodies "
                "(--rescoring general: those for other complexes)"};
}

}  // namespace tessera::docking
