#include "docking/setup/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "docking/model/atom_table.hpp"
#include "docking/model/missing_atoms.hpp"
#include "docking/refinement/contact_types.hpp"
#include "docking/restraints/refine_restraints.hpp"
#include "docking/restraints/residue_list.hpp"
#include "docking/setup/antibody_masks.hpp"
#include "docking/setup/choose_weights.hpp"
#include "docking/setup/docked_structures.hpp"
#include "docking/setup/ensemble_members.hpp"
#include "docking/setup/make_ensemble.hpp"
#include "docking/setup/outlying_residues.hpp"
#include "docking/setup/partner_lines.hpp"
#include "docking/setup/place_membrane.hpp"
#include "docking/setup/reference.hpp"
#include "io/files/input_file.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

/// The receptor's grids are always made in host memory. An error is better than being killed for
/// memory.
void require_host_memory(const DockingFrame& frame, int channels) {
    const double points = std::pow(frame.n, 3);
    const double needed = points * (channels * sizeof(float) + 2 * sizeof(double));
    const auto available = static_cast<double>(host_memory("MemAvailable"));
    if (available > 0 && needed > available)
        throw Error(fmt::format("a docking grid of {}^3 points does not fit this machine", frame.n),
                    fmt::format("its receptor grids take {:.1f} GiB, {:.1f} GiB are free",
                                needed / 0x1p30, available / 0x1p30),
                    "use a coarser --spacing, a smaller --grid or fewer --terms",
                    ExitCode::resources);
}

/// Notes the hash of a file. Does nothing if `path` is empty, because built-in data have no path.
/// Throws Error if the file is read for the second time and has changed.
void note_file(PreparedDocking& p, const std::string& path, const std::string& sha256) {
    if (path.empty()) return;
    if (p.files.emplace(path, sha256).first->second != sha256)
        throw Error("cannot use '" + path + "'", "it changed while the input was read",
                    "start again when the file is complete");
}

/// Where the structures of a docking come from, if not from its files.
struct Sources {
    const PreparedDocking* former = nullptr;   ///< may have the same receptor
    const StoredStructures* stored = nullptr;  ///< of a result
    const PreparedDocking* first = nullptr;    ///< of an ensemble
    std::size_t number = 0;                    ///< of the pair of conformers in this ensemble
};

/// Returns whether the receptor is that of `former`.
bool take_structures(PreparedDocking& p, const DockInput& input, const Sources& sources) {
    if (sources.first) return place_conformers(p, *sources.first, sources.number, sources.former);
    if (!sources.stored) return read_structures(p, input, sources.former);
    read_structures(p, input, *sources.stored);
    return false;
}

/// Reads both partners and describes them. Returns the ligand.
Molecule read_partners(PreparedDocking& p, const DockInput& input, const PairPotential& potential,
                       const Sources& sources) {
    const bool known = take_structures(p, input, sources);
    p.receptor_sha256 = p.receptor_structure.sha256;
    p.ligand_sha256 = p.ligand_structure.sha256;
    note_file(p, input.receptor_path, p.receptor_sha256);
    note_file(p, input.ligand_path, p.ligand_sha256);
    if (!is_built_in_potential(input.pair_potential))
        note_file(p, input.pair_potential, potential.sha256);
    p.receptor_chains = input.receptor_chains;
    std::optional<AtomTypes> types;
    if (!input.atom_types.empty()) {
        const io::TextSource table = io::read_csv_text(input.atom_types);
        types.emplace(table);
        note_file(p, input.atom_types, table.sha256);
    }
    const AtomTypes* own_types = types ? &*types : nullptr;
    if (!known) {
        p.receptor_warnings = missing_atom_warnings(p.receptor_structure);
        p.receptor = make_molecule(p.receptor_structure, p.receptor_warnings, potential.type_names,
                                   own_types);
    }
    std::vector<std::string> ligand_warnings = missing_atom_warnings(p.ligand_structure);
    const Molecule ligand =
        make_molecule(p.ligand_structure, ligand_warnings, potential.type_names, own_types);
    describe_partners(p, ligand, ligand_warnings);
    return ligand;
}

void warn(PreparedDocking& p, const std::string& warning) {
    p.warnings.push_back(warning);
    p.messages.push_back("warning: " + warning);
}

/// Before memory is required: the warning may explain why there is not enough.
void warn_of_outliers(PreparedDocking& p) {
    const std::string warning = outlying_residues_warning(outline_of(p.receptor_structure),
                                                          outline_of(p.ligand_structure), p.frame);
    if (!warning.empty()) warn(p, warning);
}

/// Reads the restraints and says what they require.
void read_distance_restraints(PreparedDocking& p, const DockInput& input) {
    if (input.restraints.files.empty()) return;
    RestraintHashes hashes;
    std::vector<std::string> warnings;
    p.restraints = read_restraints(
        input.restraints, {p.receptor_structure, p.ligand_structure, p.frame.ligand_center}, hashes,
        warnings);
    for (const auto& [path, sha256] : hashes) note_file(p, path, sha256);
    const bool of_ring = input.symmetry.is_set();
    // The two directions of C2 are the same.
    if (input.symmetry.copies > 2) exchange_copies(p.restraints, p.frame.ligand_center);
    p.messages.push_back(fmt::format("restraints: {}, tolerance {:g} A{}", describe(p.restraints),
                                     p.restraints.tolerance,
                                     of_ring ? "; between any two neighbours of the ring" : ""));
    for (const std::string& warning : warnings) warn(p, warning);
}

void load_weights(PreparedDocking& p, const DockInput& input, const PairPotential& potential,
                  const Molecule& ligand) {
    const std::string& asked = input.consensus.rescoring;
    ChosenWeights chosen = choose_weights(
        asked, p.receptor_structure, p.ligand_structure, p.antibody,
        contact_type_names(potential.type_names, p.receptor_structure, p.ligand_structure));
    p.rescoring = std::move(chosen.weights);
    if (!has_cdrs(p.in_cdr) || input.symmetry.is_set()) p.rescoring.cdr_share = 0;
    if (p.rescoring.knows_nucleotides)
        p.contact_types = contact_types({p.receptor_structure, p.receptor},
                                        {p.ligand_structure, ligand}, p.refinement.types);
    if (!chosen.message.empty()) p.messages.push_back(chosen.message);
    if (!is_built_in_rescoring(asked)) note_file(p, asked, p.rescoring.table.sha256);
}

/// Warns of residues in both --block and --attract. The energy takes them for blocked.
void warn_of_both(PreparedDocking& p, const Molecule& ligand, const Restraints& on_receptor,
                  const Restraints& on_ligand, bool of_ring) {
    const auto warn_of = [&](const char* partner, const std::string& residues) {
        if (residues.empty()) return;
        warn(p, fmt::format("--block and --attract both name {} of the {}: they are blocked, and "
                            "attract nothing",
                            residues, partner));
    };
    warn_of(of_ring ? "protein" : "receptor",
            residues_in_both(p.receptor_structure, p.receptor, on_receptor.blocked,
                             on_receptor.attracted));
    if (!of_ring)  // whose flags are the same
        warn_of("ligand", residues_in_both(p.ligand_structure, ligand, on_ligand.blocked,
                                           on_ligand.attracted));
}

/// Every copy of a ring is receptor and ligand, so flags of either are flags of both.
void share_flags(std::vector<bool>& a, std::vector<bool>& b) {
    const std::size_t size = std::max(a.size(), b.size());
    a.resize(size);
    b.resize(size);
    for (std::size_t i = 0; i < size; ++i) a[i] = b[i] = a[i] || b[i];
}

/// What makes a docking of two equal partners one of rings.
void make_ring(PreparedDocking& p, const DockInput& input) {
    if (!input.symmetry.is_set()) return;
    p.refinement.ring = {input.symmetry.copies, p.frame.ligand_center};
    p.problem.plane_point =
        (1 / p.frame.spacing) * (p.frame.ligand_center - p.frame.receptor_center);
}

}  // namespace

bool same_receptor_grids(const PreparedDocking& a, const PreparedDocking& b) {
    return a.receptor_sha256 == b.receptor_sha256 && a.receptor_chains == b.receptor_chains &&
           a.receptor_cut.low.left_out == b.receptor_cut.low.left_out &&
           a.receptor_keep == b.receptor_keep && a.frame.n == b.frame.n &&
           a.combination.receptor == b.combination.receptor && a.masked[0] == b.masked[0] &&
           !a.has_restraints && !b.has_restraints;
}

namespace {

void prepare_from(const Sources& sources, const DockInput& input, RotationSet rotations,
                  PreparedDocking& p) {
    const PairPotential potential = load_pair_potential(input.pair_potential, input.pair_scale);
    const Molecule ligand = read_partners(p, input, potential, sources);

    Restraints on_receptor, on_ligand;
    const auto read_list = [&](const std::string& path, auto flags) {
        p.has_restraints |= !path.empty();
        if (!path.empty())
            note_file(p, path,
                      read_residue_list(path,
                                        {p.receptor_structure, p.receptor, on_receptor.*flags},
                                        {p.ligand_structure, ligand, on_ligand.*flags}));
    };
    read_list(input.block_path, &Restraints::blocked);
    read_list(input.attract_path, &Restraints::attracted);
    find_antibodies(p, input, ligand);
    on_receptor.masked = p.masked[0];
    on_ligand.masked = p.masked[1];
    if (input.symmetry.is_set()) {
        share_flags(on_receptor.blocked, on_ligand.blocked);
        share_flags(on_receptor.attracted, on_ligand.attracted);
    }
    warn_of_both(p, ligand, on_receptor, on_ligand, input.symmetry.is_set());

    p.rotations = std::move(rotations);
    note_file(p, input.rotation_file, p.rotations.sha256);
    p.frame = sources.first ? sources.first->frame : frame_of_all(p, ligand, input);
    if (input.grid == 0 && p.ensemble.combinations() == 1) warn_of_outliers(p);
    read_distance_restraints(p, input);
    require_host_memory(p.frame, 3 + input.energy.eigen_terms);
    const PreparedDocking* const former = sources.former;
    const bool same_grids = former && same_receptor_grids(*former, p);
    p.problem = make_problem(
        {p.receptor, ligand, p.frame, input.energy, potential, input.sets, on_receptor, on_ligand},
        same_grids ? &former->problem : nullptr);
    p.refinement =
        make_refine_problem(p.receptor, ligand, p.frame.ligand_center, input.energy, potential);
    add_restraints(p.refinement, p.restraints, input.restraints.pull);
    make_ring(p, input);
    place_membrane(p, input, ligand);
    if (input.consensus.refine > 0) load_weights(p, input, potential, ligand);
    p.problem.group = p.rotations.group;
    p.problem.poses_per_rotation = input.poses_searched();
    p.problem.exclusion = input.exclusion;
    p.messages.push_back(
        fmt::format("rotations: {} ({})", p.rotations.size(), p.rotations.description));
    p.messages.push_back(fmt::format("grid: {0}^3 points of {1} A", p.frame.n, p.frame.spacing));
    note_file(p, input.reference_path, read_reference(p, input));
}

/// The conformers that the docking has, and the hashes of their files.
void take_ensemble(PreparedDocking& p, const EnsembleOptions& options, Ensemble ensemble) {
    p.ensemble = std::move(ensemble);
    for (const auto* files : {&options.receptor_files, &options.ligand_files})
        for (const std::string& path : *files) note_file(p, path, io::sha256_of_file(path));
}

}  // namespace

PreparedDocking prepare(const DockInput& input, RotationSet rotations,
                        const PreparedDocking* former, Ensemble ensemble) {
    PreparedDocking p;
    p.stamps = stamps_of(input);
    take_ensemble(p, input.ensemble, std::move(ensemble));
    prepare_from({former}, input, std::move(rotations), p);
    const auto lines = describe(p.ensemble);
    p.messages.insert(p.messages.end(), lines.begin(), lines.end());
    p.input_sha256 = input_hash(input, p.files);
    return p;
}

PreparedDocking prepare_member(const DockInput& input, const PreparedDocking& first,
                               std::size_t number, const PreparedDocking* former) {
    PreparedDocking p;
    DockInput alone = input;  // `first` has all evaluations
    alone.reference_path.clear();
    prepare_from({former, nullptr, &first, number}, alone, first.rotations, p);
    return p;
}

PreparedDocking prepare_rescoring(const DockInput& input, const DockingFrame& frame,
                                  bool new_weights, const StoredStructures& stored) {
    PreparedDocking p;
    const PairPotential potential = load_pair_potential(input.pair_potential, input.pair_scale);
    const Molecule ligand = read_partners(p, input, potential, {nullptr, &stored});
    p.ensemble = stored.ensemble;
    p.frame = frame;
    p.refinement =
        make_refine_problem(p.receptor, ligand, frame.ligand_center, input.energy, potential);
    make_ring(p, input);
    find_antibodies(p, input, ligand);
    if (new_weights) load_weights(p, input, potential, ligand);
    note_file(p, input.reference_path, read_reference(p, input));
    return p;
}

}  // namespace tessera::docking
