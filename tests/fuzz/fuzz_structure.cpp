// libFuzzer entry: any bytes are a protein that keeps its promises and becomes a molecule, or one
// line of an Error. FUZZ_READER chooses: read_pdb takes the bytes as they are, read_mmcif behind
// the line that makes them mmCIF.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "docking/model/kept_residues.hpp"
#include "docking/model/low_confidence.hpp"
#include "fuzz.hpp"
#include "io/proteins/structure.hpp"
#include "tests/docking/ace_molecules.hpp"

namespace {

using namespace tessera;
using fuzz::require;

[[maybe_unused]] std::string read_pdb(std::string bytes) { return bytes; }
[[maybe_unused]] std::string read_mmcif(const std::string& bytes) { return "data_x\n" + bytes; }

void check(const io::Structure& structure) {
    require(!structure.atoms.empty(), "there are atoms");
    int segment = 0;
    for (const io::AtomRecord& atom : structure.atoms) {
        for (const double x : {atom.position.x, atom.position.y, atom.position.z})
            require(std::abs(x) <= 1e5, "positions are numbers within range");
        require(std::isfinite(atom.b_factor), "B factors are numbers");
        require(atom.segment == segment || atom.segment == segment + 1, "segments are counted");
        segment = atom.segment;
        require(!atom.element.empty(), "elements have names");
        require(atom.element != "H", "hydrogens are left out");
    }
}

/// pLDDT has a value for each residue, and what is below the threshold can be cut.
void check_plddt(const io::Structure& structure) {
    const std::vector<double>& plddt = structure.plddt.values;
    if (plddt.empty()) return;
    require(std::ssize(plddt) == structure.atoms.back().residue_index + 1, "residues have pLDDT");
    for (const double value : plddt)
        require(std::isnan(value) || (value >= 0 && value <= 100), "pLDDT is from 0 to 100");
    io::Structure rest = structure;
    const auto cut = docking::cut_low_confidence("receptor", {}, rest);
    check(rest);
    require(rest.atoms.size() < structure.atoms.size() || !cut.whole, "what is cut is gone");
}

void check_molecule(const io::Structure& structure) {
    std::vector<std::string> warnings;
    const docking::Molecule molecule = docking::make_ace_molecule(structure, warnings);
    const std::size_t atoms = structure.atoms.size();
    require(molecule.size() == atoms && molecule.types.size() == atoms &&
                molecule.charges.size() == atoms && molecule.radii.size() == atoms &&
                molecule.on_surface.size() == atoms && molecule.structure_index.size() == atoms,
            "a molecule has all atoms");
    for (std::size_t a = 0; a < atoms; ++a) {
        require(molecule.types[a] >= 0 && molecule.types[a] < 18, "types are known");
        require(std::isfinite(molecule.charges[a]) && molecule.radii[a] > 0, "atoms have sizes");
    }
}

/// Whatever is kept beside the protein has types, too.
void check_kept(io::Structure structure) {
    docking::KeepRule rule;
    rule.all = true;
    rule.names = {"HOH"};
    const std::size_t atoms = structure.atoms.size() + structure.hetero.size();
    docking::keep_residues(rule, structure);
    require(structure.atoms.size() == atoms, "all molecules are kept");
    check(structure);
    check_molecule(structure);
}

/// A chain may be asked for by the name that the structure gives it.
void check_chain(const io::TextSource& source, const io::AtomRecord& atom) {
    const std::string name = atom.chain.empty() ? "_" : atom.chain;
    for (const io::AtomRecord& kept : io::parse_structure(source, {name}).atoms)
        require(kept.chain == name || kept.chain.empty(), "other chains are left out");
}

/// The first of all models is the one that is read alone.
void check_models(const io::TextSource& source, const io::Structure& first) {
    const std::vector<io::Structure> models = io::parse_models(source);
    for (const io::Structure& model : models) check(model);
    require(models.front().atoms.size() == first.atoms.size(), "the first model is the first");
    require(models.size() == 1 || first.other_models > 0, "other models are counted");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const io::TextSource source{
        "in.pdb", FUZZ_READER(std::string(reinterpret_cast<const char*>(data), size))};
    fuzz::expect_line([&] {
        const io::Structure structure = io::parse_structure(source);
        check(structure);
        check_plddt(structure);
        check_molecule(structure);
        check_kept(structure);
        check_chain(source, structure.atoms.back());
        check_models(source, structure);
    });
    return 0;
}
