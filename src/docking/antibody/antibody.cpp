#include "docking/antibody/antibody.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "docking/antibody/variable_domain.hpp"
#include "docking/evaluation/chains.hpp"

namespace tessera::docking {
namespace {

/// Angstrom. Of 2139 residues of 93 antibodies that touch the antigen, 1.7 % are farther from every
/// CDR (docs/method/docking.md).
constexpr double paratope_reach = 8;

char letter_of(const std::string& residue) {
    static const std::map<std::string, char> letters{
        {"ALA", 'A'}, {"ARG", 'R'}, {"ASN", 'N'}, {"ASP", 'D'}, {"CYS", 'C'},
        {"GLN", 'Q'}, {"GLU", 'E'}, {"GLY", 'G'}, {"HIS", 'H'}, {"ILE", 'I'},
        {"LEU", 'L'}, {"LYS", 'K'}, {"MET", 'M'}, {"PHE", 'F'}, {"PRO", 'P'},
        {"SER", 'S'}, {"THR", 'T'}, {"TRP", 'W'}, {"TYR", 'Y'}, {"VAL", 'V'}};
    const auto found = letters.find(residue);
    return found == letters.end() ? 'X' : found->second;
}

/// A sequence, with X for residues that the structure lacks.
struct Sequence {
    std::string letters;
    std::vector<const Residue*> residues;  ///< null for an X
};

/// Residues missing between two neighbours: the numbers jump, and the chain is broken.
int missing_between(const Residue& before, const Residue& after) {
    constexpr int longest = 40;
    const Vec3 *a = before.find("CA"), *b = after.find("CA");
    const int missing = after.number - before.number - 1;
    if (!a || !b || missing < 1 || missing > longest) return 0;
    constexpr double unbroken = 4.5;  // Angstrom between neighbouring C-alphas, at most
    return norm(*b - *a) > unbroken ? missing : 0;
}

Sequence sequence_of(const Chain& chain) {
    Sequence sequence;
    for (const Residue& residue : chain.residues) {
        if (!sequence.residues.empty()) {
            const int missing = missing_between(*sequence.residues.back(), residue);
            sequence.letters.append(missing, 'X');
            sequence.residues.insert(sequence.residues.end(), missing, nullptr);
        }
        sequence.letters += letter_of(residue.name);
        sequence.residues.push_back(&residue);
    }
    return sequence;
}

std::string number_of(const Residue& residue) {
    std::string text = std::to_string(residue.number);
    if (residue.insertion_code != ' ') text += residue.insertion_code;
    return text;
}

/// The domain by the residues of its chain. Adds the residues of the CDRs to `cdr_residues`, by
/// AtomRecord::residue_index.
RecognisedDomain recognised(const std::string& partner, const std::string& chain,
                            const Sequence& sequence, const VariableDomain& domain,
                            std::set<int>& cdr_residues) {
    RecognisedDomain out{partner, chain, domain.kind, {}};
    std::array<std::array<const Residue*, 2>, 3> ends{};
    for (std::size_t i = 0; i < domain.positions.size(); ++i) {
        const int cdr = cdr_of(domain.positions[i]);
        const Residue* residue = sequence.residues[domain.begin + i];
        if (cdr < 0 || !residue) continue;
        if (!ends[cdr][0]) ends[cdr][0] = residue;
        ends[cdr][1] = residue;
        cdr_residues.insert(residue->index);
    }
    for (int cdr = 0; cdr < 3; ++cdr)
        if (ends[cdr][0]) out.cdr[cdr] = number_of(*ends[cdr][0]) + "-" + number_of(*ends[cdr][1]);
    return out;
}

bool has_form(const std::vector<RecognisedDomain>& domains, AntibodyMode mode) {
    const auto heavy = std::ranges::count(domains, "heavy", &RecognisedDomain::kind);
    const auto light = std::ssize(domains) - heavy;
    if (mode == AntibodyMode::heavy_light) return heavy > 0 && light > 0;
    if (mode == AntibodyMode::nanobody) return heavy > 0 && light == 0;
    return !domains.empty();
}

/// Whether the residue of each atom is near a CDR.
std::map<int, bool> residues_near(const std::set<int>& cdr_residues,
                                  const io::Structure& structure) {
    std::vector<Vec3> cdr_atoms;
    for (const io::AtomRecord& atom : structure.atoms)
        if (cdr_residues.contains(atom.residue_index)) cdr_atoms.push_back(atom.position);
    std::map<int, bool> near;
    for (const io::AtomRecord& atom : structure.atoms) {
        bool& is_near = near[atom.residue_index];
        is_near =
            is_near || std::ranges::any_of(cdr_atoms, [&](Vec3 cdr) {
                return distance_squared(atom.position, cdr) <= paratope_reach * paratope_reach;
            });
    }
    return near;
}

}  // namespace

std::optional<AntibodyMode> find_antibody_mode(const std::string& name) {
    if (name == "off") return AntibodyMode::off;
    if (name == "auto") return AntibodyMode::automatic;
    if (name == "heavy-light") return AntibodyMode::heavy_light;
    if (name == "nanobody") return AntibodyMode::nanobody;
    return {};
}

AntibodyMode antibody_mode_named(const std::string& name) {
    if (const auto mode = find_antibody_mode(name)) return *mode;
    throw Error("there is no form of antibodies '" + name + "'", "--antibody",
                "choose auto, heavy-light, nanobody or off");
}

Antibody recognise_antibody(const std::string& partner, const io::Structure& structure,
                            AntibodyMode mode) {
    if (mode == AntibodyMode::off) return {};
    const std::vector<AntibodyProfile> profiles = load_antibody_profiles();
    Antibody antibody;
    std::set<int> cdr_residues;
    const std::vector<Chain> chains = chains_of(structure);
    for (const Chain& chain : chains) {
        const Sequence sequence = sequence_of(chain);
        for (const VariableDomain& domain : find_variable_domains(sequence.letters, profiles))
            antibody.domains.push_back(
                recognised(partner, chain.name, sequence, domain, cdr_residues));
    }
    if (!has_form(antibody.domains, mode)) return {};
    const auto near = residues_near(cdr_residues, structure);
    for (const io::AtomRecord& atom : structure.atoms) {
        const bool in_antibody =
            std::ranges::count(antibody.domains, atom.chain, &RecognisedDomain::chain) > 0;
        antibody.masked.push_back(in_antibody && !near.at(atom.residue_index));
        antibody.in_cdr.push_back(cdr_residues.contains(atom.residue_index));
    }
    return antibody;
}

std::string describe(const std::vector<RecognisedDomain>& domains) {
    std::string text = "antibody: ";
    for (const RecognisedDomain& domain : domains) {
        if (&domain != &domains.front()) text += "; ";
        text += domain.partner + " " + domain.chain + " " + domain.kind + ", CDRs";
        for (const std::string& cdr : domain.cdr) text += " " + (cdr.empty() ? "none" : cdr);
    }
    return text;
}

}  // namespace tessera::docking
