#include "docking/result/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "docking/result/chosen_list.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

namespace {

constexpr const char* class_names[] = {"-", "acceptable", "medium", "high"};

std::string cluster_of(const std::vector<Cluster>& clusters, std::size_t pose) {
    for (std::size_t c = 0; c < clusters.size(); ++c)
        if (std::binary_search(clusters[c].members.begin(), clusters[c].members.end(), pose))
            return std::to_string(c + 1);
    return "-";
}

constexpr const char* quality_titles = "  L-RMSD  i-RMSD  CA-RMSD  fnat  DockQ CAPRI";

std::string quality_columns(const PoseQuality& q) {
    return fmt::format(" {:>7.2f} {:>7.2f} {:>7.2f} {:>5.2f} {:>6.3f} {}", q.ligand_rmsd,
                       q.interface_rmsd, q.ligand_interface_ca_rmsd, q.fnat, q.dockq,
                       class_names[capri_class(q)]);
}

/// "  41/45", or nothing without restraints.
std::string restraint_column(const std::optional<StoredRestraints>& restraints,
                             std::int64_t satisfied) {
    if (!restraints) return "";
    return fmt::format(" {:>10}", fmt::format("{}/{}", satisfied, restraints->size()));
}

/// "   1/3" of the conformers of receptor and ligand, or nothing without an ensemble.
std::string conformer_column(const DockResult& result, std::int64_t number) {
    if (!result.ensemble) return "";
    const Combination pair = result.ensemble->combination(static_cast<std::size_t>(number));
    return fmt::format(" {:>10}", fmt::format("{}/{}", pair.receptor + 1, pair.ligand + 1));
}

/// The titles of the columns that not every result has.
std::string more_titles(const DockResult& result) {
    return std::string(result.restraints ? " restraints" : "") +
           (result.ensemble ? " conformers" : "");
}

std::string pose_row(const DockResult& result, std::size_t set, std::size_t place) {
    const Pose& pose = result.lists[set].poses[place];
    std::string row =
        fmt::format("{:>4} {:>10.2f} {:>9.1f} {:>9.1f} {:>8.4f} {:>8.2f} {:>7}", place + 1,
                    pose.score, pose.terms[0], pose.terms[1], pose.terms[2], pose.terms[3],
                    cluster_of(result.clusters[set], place)) +
        restraint_column(result.restraints, pose.satisfied) + conformer_column(result, pose.pair);
    if (!result.quality.empty()) row += quality_columns(result.quality[set][place]);
    return row + "\n";
}

/// The list of refined poses of all sets together.
std::string consensus_table(const DockResult& result, std::size_t rows) {
    const Consensus& list = *result.consensus;
    std::string text =
        fmt::format("\nconsensus ({})\nrank      score from set         {}",
                    io::counted(list.poses.size(), "refined pose"), "at rank cluster") +
        more_titles(result);
    if (!list.quality.empty()) text += quality_titles;
    text += "\n";
    for (std::size_t i = 0; i < std::min(rows, list.poses.size()); ++i) {
        const ConsensusPose& pose = list.poses[i];
        const auto set = static_cast<std::size_t>(pose.origin.set);
        text += fmt::format("{:>4} {:>10.2f} {:<16} {:>7} {:>7}", i + 1, pose.score,
                            result.lists.at(set).set.name, pose.origin.place + 1,
                            cluster_of(list.clusters, i)) +
                restraint_column(result.restraints, pose.satisfied) +
                conformer_column(result, pose.origin.pair);
        if (!list.quality.empty()) text += quality_columns(list.quality[i]);
        text += "\n";
    }
    return text;
}

std::string first_hit(std::optional<std::size_t> index, const char* what) {
    return index ? fmt::format("{} {}", what, *index + 1) : fmt::format("no {}", what);
}

/// Names the places of the first near-native pose and cluster of a list. The centre decides for a
/// cluster.
std::string near_native_line(const ChosenList& list) {
    const auto& quality = list.quality();
    const auto& clusters = list.clusters();
    const auto near = [](const PoseQuality& q) { return q.ligand_interface_ca_rmsd < near_native; };
    std::optional<std::size_t> pose, cluster;
    const auto hit = std::find_if(quality.begin(), quality.end(), near);
    if (hit != quality.end()) pose = static_cast<std::size_t>(hit - quality.begin());
    const auto found = std::find_if(clusters.begin(), clusters.end(),
                                    [&](const Cluster& c) { return near(quality[c.center]); });
    if (found != clusters.end()) cluster = static_cast<std::size_t>(found - clusters.begin());
    const auto within = std::count_if(
        quality.begin(),
        quality.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(quality.size(), 1000)),
        near);
    return fmt::format("  {}: first near-native {}, {}; {} near-native among the first 1000\n",
                       list.name(), first_hit(pose, "pose"), first_hit(cluster, "cluster"), within);
}

}  // namespace

std::string report_table(const DockResult& result, std::size_t rows) {
    std::string text;
    for (std::size_t s = 0; s < result.lists.size(); ++s) {
        const PoseList& list = result.lists[s];
        text += fmt::format("\nset {} ({} kept)\n", list.set.name,
                            io::counted(list.poses.size(), "pose"));
        text += "rank      score repulsion attraction   elec     pair cluster";
        text += more_titles(result);
        if (!result.quality.empty()) text += quality_titles;
        text += "\n";
        for (std::size_t i = 0; i < std::min(rows, list.poses.size()); ++i)
            text += pose_row(result, s, i);
    }
    if (result.consensus) text += consensus_table(result, rows);
    if (!result.quality.empty()) {
        text +=
            fmt::format("\nnear-native: ligand interface C-alpha RMSD below {} A\n", near_native);
        for (const ChosenList& list : all_lists(result))
            if (!list.quality().empty()) text += near_native_line(list);
    }
    return text;
}

}  // namespace tessera::docking
