#include "docking/result/dock_summary.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "docking/result/consensus_file.hpp"
#include "docking/result/membrane_file.hpp"
#include "docking/result/restraints_file.hpp"
#include "io/files/file_name.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;
using io::h5::Shape;

Vec3 read_point(const Group& group, const std::string& name) {
    const auto values = io::read_finite(group, name, {3});
    return {values[0], values[1], values[2]};
}

/// A dataset that has a row of this length for each pose; 0: a value.
struct PoseDataset {
    const char* name;
    std::uint64_t length = 0;
};

ListSummary read_list(const Group& group, const std::vector<PoseDataset>& others) {
    const std::uint64_t count = io::length_of(group, "score");
    for (const auto& [name, length] : others)
        io::require_stored(group, name, length == 0 ? Shape{count} : Shape{count, length});
    return {count, io::read_first_finite(group, "score")};
}

template <std::size_t count>
void read_weights(const Group& group, const char* name, std::array<double, count>& weights) {
    std::ranges::copy(io::finite_attributes(group, name, count), weights.begin());
}

ConsensusSummary read_consensus_summary(const Group& group, bool dihedral) {
    std::vector<PoseDataset> others{{"set"},
                                    {"rank"},
                                    {"neighbors"},
                                    {"rotation", 4},
                                    {"translation", 3},
                                    {"terms", kernels::refine_term_count},
                                    {"search_terms", term_count}};
    if (dihedral)
        others.insert(others.end(), {{"opposite_rotation", 4}, {"opposite_translation", 3}});
    ConsensusSummary summary{read_list(group, others), {}, {}, read_weights_table(group)};
    read_weights(group, "weights", summary.weights);
    read_weights(group, "search_weights", summary.search_weights);
    return summary;
}

}  // namespace

DockingFrame read_frame(const Group& docking) {
    DockingFrame frame;
    frame.n = static_cast<int>(io::attribute_within(docking, "grid", 1, largest_grid));
    frame.spacing = io::finite_attribute(docking, "spacing_angstrom");
    if (!(frame.spacing > 0)) docking.refuse("'/docking@spacing_angstrom'", "it is not positive");
    frame.receptor_center = read_point(docking, "receptor_center");
    frame.ligand_center = read_point(docking, "ligand_center");
    return frame;
}

Symmetry read_symmetry(const Group& docking) {
    if (!docking.has_attribute("symmetry")) return {};
    try {
        return parse_symmetry(docking.read_attribute<std::string>("symmetry"));
    } catch (const Error& error) {
        docking.refuse("'/docking@symmetry'", error.what());
    }
}

std::vector<std::string> read_set_names(const Group& docking) {
    auto names = docking.read_attributes<std::string>("sets");
    for (auto name = names.begin(); name != names.end(); ++name) {
        io::require_file_name(docking.file(), "coefficient set", *name);
        if (io::without_capitals(*name) == consensus_name)
            docking.refuse("'/docking@sets'", "a set has the name of the consensus");
        if (std::find(names.begin(), name, *name) != name)
            docking.refuse("'/docking@sets'", "a name appears twice");
    }
    if (names.empty()) docking.refuse("'/docking@sets'", "it is empty");
    return names;
}

CoefficientSet read_set(const Group& poses, const std::string& name) {
    CoefficientSet set{name, {}};
    read_weights(poses, "weights", set.weights);
    return set;
}

DockSummary read_dock_summary(const Group& root) {
    const Group docking = root.open_group("docking");
    DockSummary summary;
    summary.frame = read_frame(docking);
    summary.symmetry = read_symmetry(docking);
    const Shape rotations = docking.open_dataset("rotations").shape();
    summary.rotations = rotations.empty() ? 0 : rotations[0];
    io::require_stored(docking, "rotations", {summary.rotations, 4});
    summary.receptor_sha256 = docking.read_attribute<std::string>("receptor_sha256");
    summary.ligand_sha256 = docking.read_attribute<std::string>("ligand_sha256");
    const Group poses = docking.open_group("poses");
    for (const std::string& name : read_set_names(docking)) {
        const Group group = poses.open_group(name);
        summary.sets.push_back(
            {read_list(group, {{"rotation"}, {"voxel"}, {"translation", 3}, {"terms", term_count}}),
             read_set(group, name)});
    }
    summary.restraints = read_restraint_groups(docking);
    summary.membrane = read_membrane(docking);
    const auto conformers = [&](const std::string& partner) -> std::uint64_t {
        const std::string path = "conformers/" + partner;
        return docking.contains(path) ? io::length_of(docking.open_group(path), "name") : 1;
    };
    summary.receptor_conformers = conformers("receptor");
    summary.ligand_conformers = conformers("ligand");
    summary.left_out = read_left_out(docking);
    summary.chemistry = read_chemistry(docking);
    if (docking.contains(consensus_name))
        summary.consensus =
            read_consensus_summary(docking.open_group(consensus_name), summary.symmetry.dihedral);
    return summary;
}

}  // namespace tessera::docking
