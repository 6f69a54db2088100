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
#include "docking/model/restraints.hpp"
#include "docking/refinement/contact_types.hpp"
#include "docking/restraints/refine_restraints.hpp"
#include "docking/search/ring_terms.hpp"
#include "docking/setup/choose_weights.hpp"
#include "docking/setup/docked_structures.hpp"
#include "docking/setup/outlying_residues.hpp"
#include "docking/setup/partner_lines.hpp"
#include "docking/setup/reference.hpp"
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

/// Reads both partners and describes them. Returns the ligand.
Molecule read_partners(PreparedDocking& p, const DockInput& input, const PairPotential& potential,
                       const PreparedDocking* former, const StoredStructures* stored = nullptr) {
    const bool known = !stored && read_structures(p, input, former);
    if (stored) read_structures(p, input, *stored);
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

/// Before memory is required: the warning may explain why there is not enough.
void warn_of_outliers(PreparedDocking& p) {
    const std::string warning = outlying_residues_warning(outline_of(p.receptor_structure),
                                                          outline_of(p.ligand_structure), p.frame);
    if (warning.empty()) return;
    p.warnings.push_back(warning);
    p.messages.push_back("warning: " + warning);
}

/// The flags of the atoms of the structure, for those of the molecule.
std::vector<bool> of_molecule(const std::vector<bool>& flags, const Molecule& molecule) {
    std::vector<bool> own;
    if (flags.empty()) return own;
    own.reserve(molecule.structure_index.size());
    for (const int atom : molecule.structure_index) own.push_back(flags[atom]);
    return own;
}

/// Looks for antibodies and says what it found. Returns the masks of receptor and ligand.
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

/// Reads the restraints and says what they require.
void read_distance_restraints(PreparedDocking& p, const DockInput& input) {
    if (input.restraints.files.empty()) return;
    RestraintHashes hashes;
    std::vector<std::string> warnings;
    p.restraints = read_restraints(
        input.restraints, {p.receptor_structure, p.ligand_structure, p.frame.ligand_center}, hashes,
        warnings);
    for (const auto& [path, sha256] : hashes) note_file(p, path, sha256);
    p.messages.push_back(fmt::format("restraints: {}, tolerance {:g} A", describe(p.restraints),
                                     p.restraints.tolerance));
    for (const std::string& warning : warnings) {
        p.warnings.push_back(warning);
        p.messages.push_back("warning: " + warning);
    }
}

void load_weights(PreparedDocking& p, const DockInput& input, const PairPotential& potential,
                  const Molecule& ligand) {
    const std::string& asked = input.consensus.rescoring;
    ChosenWeights chosen = choose_weights(
        asked, p.receptor_structure, p.ligand_structure,
        contact_type_names(potential.type_names, p.receptor_structure, p.ligand_structure));
    p.rescoring = std::move(chosen.weights);
    if (p.rescoring.knows_nucleotides)
        p.contact_types = contact_types({p.receptor_structure, p.receptor},
                                        {p.ligand_structure, ligand}, p.refinement.types);
    if (!chosen.message.empty()) p.messages.push_back(chosen.message);
    if (!is_built_in_rescoring(asked)) note_file(p, asked, p.rescoring.sha256);
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

/// Says what the membrane is, and warns of a partner that was not placed in it.
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

}  // namespace

RestraintFilter restraint_filter(const PreparedDocking& prepared) {
    return {prepared.restraints, prepared.rotations, prepared.frame};
}

StatisticalEnergy statistical_energy(const PreparedDocking& prepared) {
    return {prepared.receptor_structure, prepared.ligand_structure, prepared.frame.ligand_center,
            statistical_potential()};
}

void close_rings(const PreparedDocking& prepared, std::vector<PoseList>& lists) {
    const kernels::Ring& ring = prepared.refinement.ring;
    if (ring.is_set())
        close_rings(lists, {prepared.problem, prepared.frame}, ring, prepared.rotations);
}

void require_restrained_poses(const PreparedDocking& prepared, const std::vector<PoseList>& lists) {
    const auto has_poses = [](const PoseList& list) { return !list.poses.empty(); };
    if (std::ranges::any_of(lists, has_poses)) return;
    if (prepared.restraints.empty() && prepared.membrane)
        throw Error("the membrane allows no pose", "the ligand has no place on the grid",
                    "check --membrane, --membrane-axis and the frames of the files");
    if (prepared.membrane)
        throw Error("no pose satisfies the restraints and the membrane together",
                    describe(prepared.restraints) + "; the membrane rules out other poses",
                    "dock with each of them alone to see which one is too strict");
    if (!prepared.restraints.empty())
        throw Error("no pose satisfies the restraints", describe(prepared.restraints),
                    "check them, or lower --restraints-required or raise --restraints-tolerance");
}

bool same_receptor_grids(const PreparedDocking& a, const PreparedDocking& b) {
    return a.receptor_sha256 == b.receptor_sha256 && a.receptor_chains == b.receptor_chains &&
           a.receptor_cut.low.left_out == b.receptor_cut.low.left_out &&
           a.receptor_keep == b.receptor_keep && a.frame.n == b.frame.n && !a.has_restraints &&
           !b.has_restraints;
}

PreparedDocking prepare(const DockInput& input, RotationSet rotations,
                        const PreparedDocking* former) {
    PreparedDocking p;
    p.stamps = stamps_of(input);
    const PairPotential potential = load_pair_potential(input.pair_potential, input.pair_scale);
    const Molecule ligand = read_partners(p, input, potential, former);

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
    const auto masks = find_antibodies(p, input);
    if (input.symmetry.is_set()) {
        share_flags(on_receptor.blocked, on_ligand.blocked);
        share_flags(on_receptor.attracted, on_ligand.attracted);
    }
    on_receptor.masked = of_molecule(masks[0], p.receptor);
    on_ligand.masked = of_molecule(masks[1], ligand);
    p.has_restraints |= !on_receptor.masked.empty();

    p.rotations = std::move(rotations);
    note_file(p, input.rotation_file, p.rotations.sha256);
    p.frame = make_frame(p.receptor, ligand, input.spacing, input.grid);
    if (input.grid == 0) warn_of_outliers(p);
    read_distance_restraints(p, input);
    require_host_memory(p.frame, 3 + input.energy.eigen_terms);
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
    p.input_sha256 = input_hash(input, p.files);
    return p;
}

PreparedDocking prepare_rescoring(const DockInput& input, const DockingFrame& frame,
                                  bool new_weights, const StoredStructures& stored) {
    PreparedDocking p;
    const PairPotential potential = load_pair_potential(input.pair_potential, input.pair_scale);
    const Molecule ligand = read_partners(p, input, potential, nullptr, &stored);
    p.frame = frame;
    p.refinement =
        make_refine_problem(p.receptor, ligand, frame.ligand_center, input.energy, potential);
    make_ring(p, input);
    if (new_weights) load_weights(p, input, potential, ligand);
    find_antibodies(p, input);
    note_file(p, input.reference_path, read_reference(p, input));
    return p;
}

}  // namespace tessera::docking
