#include "docking/result/chosen_list.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "docking/result/consensus_file.hpp"

namespace tessera::docking {

const std::string& ChosenList::name() const {
    static const std::string consensus = consensus_name;
    return set_ ? result_->lists[*set_].set.name : consensus;
}

std::size_t ChosenList::size() const {
    return set_ ? result_->lists[*set_].poses.size() : result_->consensus->poses.size();
}

double ChosenList::score(std::size_t pose) const {
    return set_ ? result_->lists[*set_].poses[pose].score : result_->consensus->poses[pose].score;
}

kernels::RigidPose ChosenList::placement(std::size_t pose) const {
    // Refined poses have rotations of their own.
    if (!set_) return result_->consensus->poses[pose].pose;
    const Pose& found = result_->lists[*set_].poses[pose];
    return {result_->rotations.at(found.rotation), found.translation};
}

std::optional<kernels::RigidPose> ChosenList::opposite(std::size_t pose) const {
    if (set_) return std::nullopt;
    return result_->consensus->poses[pose].opposite;
}

Combination ChosenList::conformers(std::size_t pose) const {
    if (!result_->ensemble) return {};
    const std::int64_t pair =
        set_ ? result_->lists[*set_].poses[pose].pair : result_->consensus->poses[pose].origin.pair;
    return result_->ensemble->combination(static_cast<std::size_t>(pair));
}

std::optional<std::int64_t> ChosenList::voxel(std::size_t pose) const {
    if (!set_) return std::nullopt;
    return result_->lists[*set_].poses[pose].voxel;
}

const std::vector<Cluster>& ChosenList::clusters() const {
    static const std::vector<Cluster> none;
    if (!set_) return result_->consensus->clusters;
    return result_->clusters.empty() ? none : result_->clusters[*set_];
}

const std::vector<PoseQuality>& ChosenList::quality() const {
    static const std::vector<PoseQuality> none;
    if (!set_) return result_->consensus->quality;
    return result_->quality.empty() ? none : result_->quality[*set_];
}

std::vector<std::string> ChosenList::remarks(std::size_t pose) const {
    const char* kind = set_ ? "set " : "";
    std::vector<std::string> lines{
        fmt::format("tessera dock, {}{}, rank {}", kind, name(), pose + 1)};
    if (set_) {
        const PoseList& list = result_->lists[*set_];
        lines.push_back(fmt::format("score {:.4f}", score(pose)));
        for (int k = 0; k < term_count; ++k)
            lines.push_back(fmt::format("{} {:.4f} weight {}", term_names[k],
                                        list.poses[pose].terms[k], list.set.weights[k]));
    } else {
        const ConsensusPose& refined = result_->consensus->poses[pose];
        lines.push_back(fmt::format("refined from set {}, rank {}",
                                    result_->lists.at(refined.origin.set).set.name,
                                    refined.origin.place + 1));
        lines.push_back(fmt::format("score {:.4f}", score(pose)));
        for (int k = 0; k < kernels::refine_term_count; ++k)
            lines.push_back(
                fmt::format("{} {:.4f}", kernels::refine_term_names[k], refined.terms[k]));
    }
    if (result_->ensemble) {
        const Combination pair = conformers(pose);
        lines.push_back("receptor conformer " +
                        result_->ensemble->receptor.described(pair.receptor));
        lines.push_back("ligand conformer " + result_->ensemble->ligand.described(pair.ligand));
    }
    if (quality().empty()) return lines;
    const PoseQuality& q = quality()[pose];
    lines.push_back(fmt::format("ligand RMSD {:.3f} A, interface RMSD {:.3f} A", q.ligand_rmsd,
                                q.interface_rmsd));
    lines.push_back(fmt::format("fnat {:.3f}, DockQ {:.3f}", q.fnat, q.dockq));
    return lines;
}

std::vector<ChosenList> all_lists(const DockResult& result) {
    std::vector<ChosenList> lists;
    for (std::size_t set = 0; set < result.lists.size(); ++set) lists.emplace_back(result, set);
    if (result.consensus) lists.emplace_back(result, std::nullopt);
    return lists;
}

ChosenList find_list(const DockResult& result, const std::string& name) {
    std::string known;
    for (const ChosenList& list : all_lists(result)) {
        if (list.name() == name) return list;
        known += (known.empty() ? "" : ", ") + list.name();
    }
    throw Error("no set '" + name + "' in this file", "it holds " + known, "choose one of them");
}

ChosenList best_list(const DockResult& result) {
    return result.consensus ? ChosenList(result, std::nullopt) : ChosenList(result, 0);
}

}  // namespace tessera::docking
