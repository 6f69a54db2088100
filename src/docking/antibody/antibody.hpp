// Antibodies among the partners of a docking, and what of them cannot touch the antigen.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The values of --antibody.
enum class AntibodyMode { off, automatic, heavy_light, nanobody };

/// "off", "auto", "heavy-light" or "nanobody". Nothing for any other name.
std::optional<AntibodyMode> find_antibody_mode(const std::string& name);
/// The same. Throws Error for any other name.
AntibodyMode antibody_mode_named(const std::string& name);

/// A variable domain of a partner.
struct RecognisedDomain {
    std::string partner;  ///< "receptor" or "ligand"
    std::string chain;
    std::string kind;  ///< "heavy", "kappa" or "lambda"
    /// Residues of each CDR, as in "27-38" or "95-100C". Empty if the structure lacks the loop.
    std::array<std::string, 3> cdr;
};

/// What a partner has of an antibody.
struct Antibody {
    std::vector<RecognisedDomain> domains;
    /// For each atom of the structure, whether it is in a chain with a variable domain and its
    /// residue is farther than 8 A from every CDR. Empty if there are no domains.
    std::vector<bool> masked;
    std::vector<bool> in_cdr;  ///< for each atom, whether its residue is in a CDR; empty likewise
};

/// Looks for variable domains. `partner` is "receptor" or "ligand". The result has no domains if
/// the partner is not of the wanted form: a heavy and a light domain for heavy_light, only heavy
/// domains for nanobody.
Antibody recognise_antibody(const std::string& partner, const io::Structure& structure,
                            AntibodyMode mode);

/// "antibody: receptor H heavy, CDRs 26-33 51-57 97-107; ..." for the log.
std::string describe(const std::vector<RecognisedDomain>& domains);

}  // namespace tessera::docking
