#include "docking/result/pose_table.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "docking/result/consensus_file.hpp"
#include "docking/result/dock_result.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::Cell;
using io::h5::Group;
using Cells = std::vector<Cell>;
using Columns = std::vector<io::TableColumn>;
using Kind = io::TableColumn::Kind;

/// What a list has besides its poses.
struct Judgement {
    std::vector<std::int64_t> cluster_of;     ///< of each pose, from 1; 0: in no cluster
    std::vector<std::int64_t> cluster_sizes;  ///< largest number of poses first
    std::vector<PoseQuality> quality;         ///< empty without a reference
};

/// The poses of `count` that each cluster has. Throws Error if the group is damaged.
void read_clusters(const Group& group, std::uint64_t count, Judgement& judgement) {
    const auto poses = static_cast<std::int64_t>(count);
    judgement.cluster_of.assign(count, 0);
    judgement.cluster_sizes = io::read_within<std::int64_t>(
        group, "size", {io::length_of(group, "size")}, 1, std::max<std::int64_t>(1, poses));
    const auto members = io::read_within<std::int64_t>(
        group, "members", {io::length_of(group, "members")}, 0, poses - 1);
    auto next = members.begin();
    for (std::size_t c = 0; c < judgement.cluster_sizes.size(); ++c)
        for (std::int64_t i = 0; i < judgement.cluster_sizes[c]; ++i) {
            if (next == members.end())
                group.refuse("'" + group.name() + "/members'", "it is shorter than the sizes say");
            judgement.cluster_of[static_cast<std::size_t>(*next++)] =
                static_cast<std::int64_t>(c) + 1;
        }
    if (next != members.end())
        group.refuse("'" + group.name() + "/members'", "it is longer than the sizes say");
}

/// `name`: of the groups of the list within the groups `clusters` and `evaluation` of `parent`.
Judgement read_judgement(const Group& parent, const std::string& name, std::uint64_t count) {
    Judgement judgement;
    read_clusters(parent.open_group("clusters" + name), count, judgement);
    if (parent.contains("evaluation"))
        judgement.quality = read_quality(parent.open_group("evaluation" + name), count);
    return judgement;
}

void add(Cells& cells, std::initializer_list<double> values) {
    cells.insert(cells.end(), values.begin(), values.end());
}

void add_cluster(Cells& cells, const Judgement& judgement, std::size_t pose) {
    const std::int64_t cluster = judgement.cluster_of[pose];
    if (cluster == 0) return cells.resize(cells.size() + 2);
    cells.insert(cells.end(),
                 {cluster, judgement.cluster_sizes[static_cast<std::size_t>(cluster - 1)]});
}

void add_place(Cells& cells, const Quaternion& q, Vec3 t) {
    add(cells, {q.w, q.x, q.y, q.z, t.x, t.y, t.z});
}

void add_quality(Cells& cells, const Judgement& judgement, std::size_t pose) {
    constexpr const char* class_names[] = {"incorrect", "acceptable", "medium", "high"};
    if (judgement.quality.empty()) return;
    const PoseQuality& q = judgement.quality[pose];
    add(cells, {q.ligand_rmsd, q.interface_rmsd, q.ligand_interface_ca_rmsd, q.fnat, q.dockq});
    cells.emplace_back(class_names[capri_class(q)]);
}

template <class Names>
void name_terms(Columns& columns, const std::string& prefix, const Names& names) {
    for (const char* name : names) columns.push_back({prefix + name});
}

/// A pose may be in no cluster.
void name_cluster(Columns& columns) {
    for (const char* name : {"cluster", "cluster_size"})
        columns.push_back({name, Kind::whole, {}, true});
}

void name_place(Columns& columns, const std::string& prefix) {
    for (const char* name : {"rotation_w", "rotation_x", "rotation_y", "rotation_z"})
        columns.push_back({prefix + name});
    for (const char* name :
         {"translation_x_angstrom", "translation_y_angstrom", "translation_z_angstrom"})
        columns.push_back({prefix + name, Kind::real, "angstrom"});
}

void name_place_and_quality(Columns& columns, bool judged) {
    name_place(columns, "");
    if (!judged) return;
    for (const char* name :
         {"ligand_rmsd_angstrom", "interface_rmsd_angstrom", "ligand_interface_ca_rmsd_angstrom"})
        columns.push_back({name, Kind::real, "angstrom", true});
    for (const char* name : {"fnat", "dockq"}) columns.push_back({name, Kind::real, {}, true});
    columns.push_back({"capri_class", Kind::text});
}

/// Number and fraction of the satisfied restraints, if there are any.
void add_restraints(Cells& cells, const std::optional<StoredRestraints>& restraints,
                    std::int64_t satisfied) {
    if (!restraints) return;
    cells.emplace_back(satisfied);
    cells.emplace_back(restraints->fraction(satisfied));
}

void name_restraints(Columns& columns, bool has_restraints) {
    if (!has_restraints) return;
    columns.insert(columns.end(), {{"restraints_satisfied", Kind::whole}, {"restraints_fraction"}});
}

/// The conformers of both partners from 1, if there are several.
void add_conformers(Cells& cells, const std::optional<Ensemble>& ensemble, std::int64_t number) {
    if (!ensemble) return;
    const Combination pair = ensemble->combination(static_cast<std::size_t>(number));
    cells.emplace_back(static_cast<std::int64_t>(pair.receptor) + 1);
    cells.emplace_back(static_cast<std::int64_t>(pair.ligand) + 1);
}

void name_conformers(Columns& columns, bool is_ensemble) {
    if (!is_ensemble) return;
    columns.insert(columns.end(),
                   {{"receptor_conformer", Kind::whole}, {"ligand_conformer", Kind::whole}});
}

Cells consensus_row(const DockResult& result, const Judgement& judgement, std::size_t i) {
    const ConsensusPose& pose = result.consensus->poses[i];
    Cells cells{consensus_name, static_cast<std::int64_t>(i) + 1, pose.score, pose.pose_score};
    cells.insert(cells.end(), pose.terms.begin(), pose.terms.end());
    cells.emplace_back(pose.contact_energy);
    cells.emplace_back(result.lists[static_cast<std::size_t>(pose.origin.set)].set.name);
    cells.emplace_back(pose.origin.place + 1);
    for (const double term : pose.origin.terms) cells.emplace_back(term);
    cells.emplace_back(pose.neighbors);
    add_cluster(cells, judgement, i);
    add_place(cells, pose.pose.rotation, pose.pose.translation);
    add_quality(cells, judgement, i);
    if (result.consensus->weights.has_statistical()) cells.emplace_back(pose.statistical_energy);
    if (result.consensus->weights.cdr_share != 0) cells.emplace_back(pose.cdr_share);
    if (result.restraints) cells.emplace_back(pose.restraint_energy);
    add_restraints(cells, result.restraints, pose.satisfied);
    if (pose.opposite) add_place(cells, pose.opposite->rotation, pose.opposite->translation);
    add_conformers(cells, result.ensemble, pose.origin.pair);
    return cells;
}

io::ValueTable consensus_table(const Group& root, const std::shared_ptr<const DockResult>& stored,
                               std::int64_t most) {
    const DockResult& result = *stored;
    const std::uint64_t count = result.consensus->poses.size();
    auto judgement =
        read_judgement(root.open_group(std::string("docking/") + consensus_name), "", count);
    io::ValueTable table{{{"set", Kind::text}, {"pose", Kind::whole}, {"score"}, {"pose_score"}},
                         std::min(most, static_cast<std::int64_t>(count)),
                         {}};
    Columns& columns = table.columns;
    name_terms(columns, "", kernels::refine_term_names);
    columns.insert(columns.end(),
                   {{"contact_energy"}, {"search_set", Kind::text}, {"search_pose", Kind::whole}});
    name_terms(columns, "search_", term_names);
    columns.push_back({"neighbors", Kind::whole});
    name_cluster(columns);
    name_place_and_quality(columns, !judgement.quality.empty());
    if (result.consensus->weights.has_statistical()) columns.push_back({"statistical_energy"});
    if (result.consensus->weights.cdr_share != 0) columns.push_back({"cdr_share"});
    if (result.restraints) columns.push_back({"restraint_energy"});
    name_restraints(columns, result.restraints.has_value());
    if (result.symmetry.dihedral) name_place(columns, "opposite_");
    name_conformers(columns, result.ensemble.has_value());
    table.row = [stored, judged = std::make_shared<const Judgement>(std::move(judgement))](
                    std::int64_t row) {
        return consensus_row(*stored, *judged, static_cast<std::size_t>(row));
    };
    return table;
}

/// The lists of a table, and where the rows of each begin.
struct ListedSets {
    std::shared_ptr<const DockResult> result;
    std::vector<const PoseList*> lists;  ///< of the result
    std::vector<Judgement> judgements;
    std::vector<std::int64_t> first_rows;
};

Cells set_row(const ListedSets& sets, std::int64_t row) {
    const auto after = std::ranges::upper_bound(sets.first_rows, row);
    const auto s = static_cast<std::size_t>(after - sets.first_rows.begin()) - 1;
    const auto i = static_cast<std::size_t>(row - sets.first_rows[s]);
    const Pose& pose = sets.lists[s]->poses[i];
    Cells cells{sets.lists[s]->set.name, static_cast<std::int64_t>(i) + 1, pose.score};
    cells.insert(cells.end(), pose.terms.begin(), pose.terms.end());
    add_cluster(cells, sets.judgements[s], i);
    cells.emplace_back(pose.rotation);
    add_place(cells, sets.result->rotations[static_cast<std::size_t>(pose.rotation)],
              pose.translation);
    add_quality(cells, sets.judgements[s], i);
    add_restraints(cells, sets.result->restraints, pose.satisfied);
    add_conformers(cells, sets.result->ensemble, pose.pair);
    return cells;
}

io::ValueTable set_table(const Group& root, std::shared_ptr<const DockResult> result,
                         std::vector<const PoseList*> lists, std::int64_t most) {
    const Group docking = root.open_group("docking");
    auto sets = std::make_shared<ListedSets>();
    io::ValueTable table{{{"set", Kind::text}, {"pose", Kind::whole}, {"score"}}, 0, {}};
    for (const PoseList* list : lists) {
        sets->judgements.push_back(
            read_judgement(docking, "/" + list->set.name, list->poses.size()));
        sets->first_rows.push_back(table.rows);
        table.rows += std::min(most, std::ssize(list->poses));
    }
    sets->result = std::move(result);
    sets->lists = std::move(lists);
    name_terms(table.columns, "", term_names);
    name_cluster(table.columns);
    table.columns.push_back({"rotation", Kind::whole});
    name_place_and_quality(table.columns, docking.contains("evaluation"));
    name_restraints(table.columns, sets->result->restraints.has_value());
    name_conformers(table.columns, sets->result->ensemble.has_value());
    table.row = [sets](std::int64_t row) { return set_row(*sets, row); };
    return table;
}

/// The lists that `names` asks for, in that order; all if it is empty.
std::vector<const PoseList*> named_lists(const DockResult& result, const std::string& names) {
    std::vector<const PoseList*> kept;
    if (names.empty()) {
        for (const PoseList& list : result.lists) kept.push_back(&list);
        return kept;
    }
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        std::string known = result.consensus ? consensus_name : "";
        for (const PoseList& list : result.lists) {
            known += (known.empty() ? "" : ", ") + list.set.name;
            if (list.set.name == name) kept.push_back(&list);
        }
        if (name == consensus_name && result.consensus)
            throw Error("--set '" + names + "' mixes the consensus with sets",
                        "it has other columns than the sets", "ask for one of them at a time");
        if (kept.empty() || kept.back()->set.name != name)
            throw Error("no set '" + name + "' in this file", "it holds " + known,
                        "choose one of them");
        begin = end + 1;
    }
    return kept;
}

}  // namespace

io::ValueTable pose_table(const Group& root, std::shared_ptr<const DockResult> result,
                          const std::string& sets, std::int64_t most) {
    if (result->consensus && (sets.empty() || sets == consensus_name))
        return consensus_table(root, result, most);
    auto lists = named_lists(*result, sets);
    return set_table(root, std::move(result), std::move(lists), most);
}

io::ValueTable pose_table(const Group& root, const std::string& sets, std::int64_t most) {
    return pose_table(root, std::make_shared<const DockResult>(read_dock_result(root)), sets, most);
}

}  // namespace tessera::docking
