// One list of poses of a result: that of a coefficient set, or the consensus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// A view of the result, which must outlive it. Poses are numbered from 0, the best one first.
class ChosenList {
  public:
    /// The list of set `set`, or the consensus if there is no number.
    ChosenList(const DockResult& result, std::optional<std::size_t> set)
        : result_(&result), set_(set) {}

    const std::string& name() const;
    std::size_t size() const;
    double score(std::size_t pose) const;
    kernels::RigidPose placement(std::size_t pose) const;
    /// The opposite copy of a dihedral assembly (kernels::Assembly). The lists of sets have none:
    /// their poses stand for one ring.
    std::optional<kernels::RigidPose> opposite(std::size_t pose) const;
    /// The conformers of both partners, from 0. Both are 0 without an ensemble.
    Combination conformers(std::size_t pose) const;
    /// The place of the ligand's centre on the grid of the search, if this is the list of a set.
    std::optional<std::int64_t> voxel(std::size_t pose) const;
    /// Both are empty unless they have been read.
    const std::vector<Cluster>& clusters() const;
    const std::vector<PoseQuality>& quality() const;
    /// What a file of the pose says about it: list and rank, origin, score, terms and, where it is
    /// known, its distance from the reference.
    std::vector<std::string> remarks(std::size_t pose) const;

  private:
    const DockResult* result_;
    std::optional<std::size_t> set_;
};

/// All lists: the sets in their order, then the consensus.
std::vector<ChosenList> all_lists(const DockResult& result);

/// The list of this name. Throws Error that names the lists if there is none.
ChosenList find_list(const DockResult& result, const std::string& name);

/// The consensus, or the first set if the result has no consensus.
ChosenList best_list(const DockResult& result);

}  // namespace tessera::docking
