// libFuzzer entry: any bytes are one of the tables that users give a docking, and keep its
// promises, or one line of an Error. FUZZ_READER chooses the table.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "docking/model/atom_table.hpp"
#include "docking/model/coefficients.hpp"
#include "docking/model/pair_potential.hpp"
#include "docking/pairs/pair_list.hpp"
#include "docking/refinement/rescoring.hpp"
#include "docking/restraints/residue_list.hpp"
#include "docking/restraints/restraint_atoms.hpp"
#include "docking/search/rotation_set.hpp"
#include "fuzz.hpp"
#include "tests/docking/ace_molecules.hpp"

namespace {

using namespace tessera;
using fuzz::require;

[[maybe_unused]] void read_rotations(const io::TextSource& source) {
    const docking::RotationSet set = docking::parse_rotations(source);
    require(!set.bases.empty() && set.group.size() == 1, "there are rotations");
    for (const Quaternion& q : set.bases)
        require(std::abs(q.length() - 1) < 1e-12, "rotations are unit quaternions");
}

/// They come by name or from a file.
[[maybe_unused]] void read_coefficients(const io::TextSource& source) {
    static const fuzz::MemoryFile file;
    const std::vector<docking::CoefficientSet> sets =
        docking::parse_coefficient_sets(file.with(source.text));
    require(!sets.empty() && sets.size() <= kernels::max_coefficient_sets, "a few sets");
    std::set<std::string> names;
    for (const docking::CoefficientSet& set : sets) {
        require(names.insert(set.name).second, "names of sets differ");
        require(!set.name.empty() && set.name.front() != '.' && set.name.size() <= 64 &&
                    set.name.find('/') == std::string::npos,
                "a set's name can name a file");
        for (const double weight : set.weights)
            require(std::abs(weight) <= 1e6, "weights are within range");
    }
}

[[maybe_unused]] void read_pairs(const io::TextSource& source) {
    docking::DockInput common;
    common.receptor_chains = {"R"};
    const std::vector<docking::DockPair> pairs = docking::parse_pair_list(source, common);
    require(!pairs.empty(), "there are pairs");
    std::set<std::string> names;
    for (const docking::DockPair& pair : pairs) {
        require(names.insert(pair.name).second, "names of pairs differ");
        require(!pair.name.empty() && pair.name.front() != '.' && pair.name.size() <= 200 &&
                    pair.name.find('/') == std::string::npos,
                "a pair's name can name a file");
        require(!pair.input.receptor_path.empty() && !pair.input.ligand_path.empty(),
                "a pair has two files");
        for (const auto& chains : {pair.input.receptor_chains, pair.input.ligand_chains})
            for (const std::string& chain : chains) require(!chain.empty(), "chains have names");
    }
}

[[maybe_unused]] void read_atom_types(const io::TextSource& source) {
    const docking::AtomTypes types(source);
    for (const char* atom : {"CA", "OXT"})
        if (const std::string* type = types.find("HIP", "HIS", atom))
            require(!type->empty(), "types have names");
}

[[maybe_unused]] void read_potential(const io::TextSource& source) {
    const docking::PairPotential potential = docking::parse_pair_potential(source);
    const std::size_t types = potential.type_names.size();
    require(types > 0 && potential.matrix.size() == types * types, "a table is square");
    require(potential.eigenvalues.size() == types && potential.eigenvectors.size() == types * types,
            "a table has all eigenvectors");
    for (const auto& numbers : {potential.matrix, potential.eigenvalues, potential.eigenvectors})
        for (const double number : numbers) require(std::isfinite(number), "they are numbers");
}

[[maybe_unused]] void read_weights(const io::TextSource& source) {
    const docking::RescoringWeights weights =
        docking::parse_rescoring_weights(source, docking::ace_type_names);
    for (const double weight : weights.refined) require(std::isfinite(weight), "they are numbers");
    for (const double weight : weights.searched) require(std::isfinite(weight), "they are numbers");
    for (const double weight : weights.repacked) require(std::isfinite(weight), "they are numbers");
    for (const double weight : weights.statistical)
        require(std::isfinite(weight), "they are numbers");
    for (const auto& shell : weights.contacts.shells)
        require(shell.size() == 18 * 18, "there is a weight for each pair of types");
}

/// Two residues, one of them in a blank chain.
struct Partner {
    io::Structure structure;
    docking::Molecule molecule;

    Partner() {
        for (const auto& [chain, number] : {std::pair("A", 7), std::pair("", -2)}) {
            io::AtomRecord atom;
            atom.name = "CA";
            atom.residue = atom.variant = "GLY";
            atom.chain = chain;
            atom.residue_number = number;
            structure.atoms.push_back(atom);
        }
        std::vector<std::string> warnings;
        molecule = docking::make_ace_molecule(structure, warnings);
    }
};

[[maybe_unused]] void read_restraints(const io::TextSource& source) {
    static const Partner partner;
    std::vector<bool> receptor, ligand;
    docking::parse_residue_list(source, {partner.structure, partner.molecule, receptor},
                                {partner.structure, partner.molecule, ligand});
    for (const auto& flags : {receptor, ligand})
        require(flags.empty() || flags.size() == partner.molecule.size(), "a flag an atom");
    require(std::ranges::count(receptor, true) + std::ranges::count(ligand, true) > 0,
            "a restraint has atoms");
}

/// Restraints between two partners that both have the residues of `Partner`.
void find_atoms_of(const docking::RestraintFile& file) {
    static const Partner partner;
    std::vector<std::string> warnings;
    const docking::DistanceRestraints found = docking::find_restraint_atoms(
        {file}, {partner.structure, partner.structure, {}}, {}, warnings);
    require(!found.empty() && found.restraints.size() == file.restraints.size(),
            "every line is a restraint");
    int restraints = 0;
    for (const docking::RestraintGroup& group : found.groups) {
        require(group.required >= 1 && group.required <= group.size, "a group can be satisfied");
        restraints += group.size;
    }
    require(restraints == static_cast<int>(found.restraints.size()), "groups hold all restraints");
    for (const docking::DistanceRestraint& one : found.restraints) {
        require(!one.receptor.empty() && !one.ligand.empty(), "a restraint has atoms");
        require(one.lower >= 0 && one.lower <= one.upper && one.upper <= 1000, "bounds in order");
    }
    const docking::Satisfaction count = found.count({});
    require(count.is_enough == found.are_satisfied({}), "both ways to count agree");
}

[[maybe_unused]] void read_distances(const io::TextSource& source) {
    find_atoms_of(docking::parse_restraint_file(source));
}

[[maybe_unused]] void read_haddock(const io::TextSource& source) {
    find_atoms_of(docking::parse_haddock_table(source));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const io::TextSource source{"in.txt", std::string(reinterpret_cast<const char*>(data), size)};
    fuzz::expect_line([&] { FUZZ_READER(source); });
    return 0;
}
