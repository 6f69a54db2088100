#include "io/proteins/structure.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "io/proteins/hetero_residues.hpp"
#include "io/proteins/nucleotides.hpp"
#include "io/proteins/residue_atoms.hpp"
#include "io/proteins/residue_grouping.hpp"
#include "io/proteins/residue_names.hpp"
#include "io/proteins/structure_text.hpp"
#include "io/proteins/structure_warnings.hpp"

namespace tessera::io {
namespace {

std::string useless_structure(const std::string& path) {
    return "cannot use structure '" + path + "'";
}

// HETATM records count as protein only if they name a modified residue (MSE). A standard amino acid
// in HETATM records is a free ligand, and programs use UNK for a ligand without a name.
bool belongs_to_protein(const Residue& residue, const ResidueName& names) {
    if (names.kind == ResidueKind::other) return !residue.front().hetero;
    const bool modified = !names.standard && names.parent != "UNK";
    return names.kind == ResidueKind::amino_acid && (modified || !residue.front().hetero);
}

/// A residue of the file and what its name means.
struct NamedResidue {
    const Residue* sites = nullptr;
    ResidueName names;
    bool in_protein = false;
};

std::vector<NamedResidue> named_residues(const std::vector<Residue>& residues) {
    std::vector<NamedResidue> named;
    named.reserve(residues.size());
    for (std::size_t i = 0; i < residues.size(); ++i) {
        ResidueName names = classify_residue(chosen_name(residues[i]));
        if (names.kind == ResidueKind::other && residues[i].front().hetero &&
            is_chain_link(residues, i))
            names.kind = ResidueKind::amino_acid;
        if (names.kind == ResidueKind::nucleic_acid ||
            (names.kind == ResidueKind::other && is_nucleotide_link(residues, i)))
            names = nucleotide_name(residues[i]);
        const bool in_protein = belongs_to_protein(residues[i], names);
        named.push_back({&residues[i], std::move(names), in_protein});
    }
    return named;
}

/// Beside nucleic acids alone, ATOM records of unknown residues are no protein.
void make_unknown_hetero(std::vector<NamedResidue>& residues) {
    for (NamedResidue& residue : residues)
        if (residue.names.kind == ResidueKind::other) residue.in_protein = false;
}

void add_protein(const NamedResidue& residue, Structure& structure, Dropped& dropped) {
    const std::size_t before = structure.atoms.size();
    append_residue(*residue.sites, residue.names, dropped, structure.atoms);
    if (structure.atoms.size() > before)
        structure.plddt.values.push_back(residue.sites->front().plddt);
}

// All names of water become HOH.
void add_hetero(const NamedResidue& residue, Structure& structure) {
    Dropped ignored;  // not of the protein
    const bool is_water = residue.names.kind == ResidueKind::water;
    const std::string name = is_water ? "HOH" : residue.names.parent;
    append_residue(*residue.sites, {ResidueKind::other, name, name}, ignored, structure.hetero);
    if (is_water)
        ++structure.waters_skipped;
    else
        structure.hetero_atoms_skipped += heavy_atoms(*residue.sites);
}

void add_nucleotide(const NamedResidue& residue, Structure& structure) {
    Dropped ignored;
    append_residue(*residue.sites, residue.names, ignored, structure.nucleic);
}

void add_residue(const NamedResidue& residue, Structure& structure, Dropped& dropped) {
    if (residue.in_protein)
        add_protein(residue, structure, dropped);
    else if (residue.names.kind == ResidueKind::nucleic_acid)
        add_nucleotide(residue, structure);
    else
        add_hetero(residue, structure);
}

// Numbers the segments of the remaining atoms from 0.
void number_segments(std::vector<AtomRecord>& atoms) {
    int last = 0;
    int count = -1;
    std::string chain;
    for (AtomRecord& atom : atoms) {
        if (count < 0 || atom.segment != last || atom.chain != chain) ++count;
        last = atom.segment;
        chain = atom.chain;
        atom.segment = count;
    }
}

// The chains with amino acids and those with nucleotides alone, in file order, and the names of all
// chains.
struct ChainNames {
    std::vector<std::string> protein, nucleic;
    std::set<std::string> all;

    bool has_polymer(const std::string& chain) const {
        return std::ranges::count(protein, chain) > 0 || std::ranges::count(nucleic, chain) > 0;
    }
};

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::count(names, name) == 0) names.push_back(name);
}

ChainNames chain_names(const std::vector<NamedResidue>& residues) {
    ChainNames names;
    for (const NamedResidue& residue : residues) {
        const std::string& chain = residue.sites->front().chain;
        names.all.insert(chain);
        if (residue.names.kind == ResidueKind::amino_acid && residue.in_protein)
            add_once(names.protein, chain);
        if (residue.names.kind == ResidueKind::nucleic_acid) add_once(names.nucleic, chain);
    }
    std::erase_if(names.nucleic, [&](const std::string& chain) {
        return std::ranges::count(names.protein, chain) > 0;
    });
    return names;
}

std::string listed(const std::vector<std::string>& chains, std::string text = {}) {
    for (const std::string& chain : chains)
        text += (text.empty() ? "" : ", ") + (chain.empty() ? "_ (blank)" : chain);
    return text;
}

std::string choice_of(const ChainNames& present) {
    if (present.nucleic.empty()) return "the protein chains " + listed(present.protein);
    return "the chains of proteins and nucleic acids " +
           listed(present.nucleic, listed(present.protein));
}

// A blank name may be given as "_" if no chain has that name.
std::set<std::string> wanted_chains(const std::vector<std::string>& asked,
                                    const ChainNames& present, const std::string& path) {
    std::set<std::string> wanted;
    for (std::string chain : asked) {
        if ((chain == "_" || chain == " ") && !present.all.contains(chain)) chain.clear();
        if (!present.has_polymer(chain))
            throw Error(useless_structure(path),
                        (present.all.contains(chain) ? "no protein atoms in chain '"
                                                     : "there is no chain '") +
                            chain + "'",
                        "choose among " + choice_of(present));
        wanted.insert(chain);
    }
    return wanted;
}

std::string contents(const Structure& structure) {
    std::string text;
    const auto add = [&](int count, const char* what) {
        if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
    };
    add(structure.hetero_atoms_skipped, " HETATM atoms");
    add(structure.waters_skipped, " waters");
    add(static_cast<int>(structure.atoms.size()), " ATOM records of unknown residues");
    return text;
}

/// Takes the residues of the wanted chains, and of other molecules those that are nearest to them.
void read_residues(const std::vector<NamedResidue>& residues, const ChainNames& present,
                   const std::set<std::string>& wanted, Structure& structure) {
    const auto names_nucleic_acid = [&] {
        return std::ranges::any_of(wanted, [&](const std::string& chain) {
            return std::ranges::count(present.nucleic, chain) > 0;
        });
    };
    NearestChain nearest;
    if (!wanted.empty()) {
        const bool with_nucleic = names_nucleic_acid();
        for (const NamedResidue& residue : residues)
            if (residue.in_protein ||
                (with_nucleic && residue.names.kind == ResidueKind::nucleic_acid))
                nearest.add(*residue.sites);
    }
    const auto is_wanted = [&](const NamedResidue& residue) {
        const std::string& chain = residue.sites->front().chain;
        const bool is_own = residue.in_protein || residue.names.kind != ResidueKind::other ||
                            std::ranges::count(present.protein, chain) > 0;
        return wanted.empty() || wanted.contains(is_own ? chain : nearest.of(*residue.sites));
    };
    Dropped dropped;
    for (const NamedResidue& residue : residues)
        if (is_wanted(residue)) add_residue(residue, structure, dropped);
    structure.hydrogens_dropped = dropped.hydrogens;
    structure.alternate_locations_dropped = dropped.alternate_locations;
}

// Divides the nucleic acids into those that belong to the partner and those beside it.
void choose_nucleic_acids(const ChainNames& present, const std::set<std::string>& wanted,
                          Structure& structure) {
    separate_strands(structure.nucleic);
    std::vector<AtomRecord> own, beside;
    for (AtomRecord& atom : structure.nucleic) {
        const bool is_named =
            wanted.contains(atom.chain) && std::ranges::count(present.nucleic, atom.chain) > 0;
        (present.protein.empty() || is_named ? own : beside).push_back(std::move(atom));
    }
    number_residues(own);
    number_residues(beside);
    structure.nucleic = std::move(own);
    take_nucleic_acids(structure);
    number_segments(structure.atoms);
    number_segments(beside);
    structure.nucleic = std::move(beside);
    structure.nucleic_atoms_skipped = static_cast<int>(structure.nucleic.size());
}

}  // namespace

Structure read_structure(const std::string& path, const std::vector<std::string>& chains) {
    return parse_structure(read_structure_text(path), chains);
}

namespace {

/// The structure of one model.
Structure structure_of(AtomSites file, const TextSource& source,
                       const std::vector<std::string>& chains) {
    const std::string& path = source.path;
    const std::vector<Residue> residues = group_residues(std::move(file.sites));
    std::vector<NamedResidue> named = named_residues(residues);
    const ChainNames present = chain_names(named);
    const bool has_polymer = !present.protein.empty() || !present.nucleic.empty();
    if (present.protein.empty() && has_polymer) make_unknown_hetero(named);
    Structure structure;
    structure.path = path;
    structure.sha256 = source.sha256;
    structure.other_models = file.other_models;
    const std::set<std::string> wanted =
        has_polymer ? wanted_chains(chains, present, path) : std::set<std::string>{};
    read_residues(named, present, wanted, structure);
    structure.plddt = recognised_plddt(structure.atoms, file.origin, structure.plddt.values, path);
    if (has_polymer) choose_nucleic_acids(present, wanted, structure);
    if (!has_polymer || structure.atoms.empty()) {
        const std::string found = contents(structure);
        throw Error(useless_structure(path),
                    "it has no protein atoms" + (found.empty() ? "" : ", but " + found),
                    "give a file with amino acids or nucleotides as ATOM records");
    }
    warn_of_oddities(structure);
    return structure;
}

}  // namespace

Structure parse_structure(const TextSource& source, const std::vector<std::string>& chains) {
    return structure_of(read_atom_sites(source.text, source.path), source, chains);
}

std::vector<Structure> parse_models(const TextSource& source,
                                    const std::vector<std::string>& chains) {
    std::vector<AtomSites> sites = read_model_sites(source.text, source.path);
    const FileOrigin origin = sites.front().origin;
    sites.front().other_models = 0;
    std::vector<Structure> models;
    for (AtomSites& file : sites) {
        file.origin = origin;
        models.push_back(structure_of(std::move(file), source, chains));
    }
    return models;
}

}  // namespace tessera::io
