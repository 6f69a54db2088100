// Greedy clustering of poses, as ClusPro does it (Kozakov et al. 2017).
#pragma once

#include <cstddef>
#include <vector>

#include "core/vec3.hpp"
#include "docking/model/pose.hpp"
#include "io/proteins/structure.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

struct Cluster {
    std::size_t center = 0;            ///< index into the pose list
    std::vector<std::size_t> members;  ///< indices in ascending order, with the centre
};

struct ClusteringOptions {
    std::size_t poses = 1000;        ///< number of best poses that are clustered
    double radius = 9.0;             ///< Angstrom
    double interface_cutoff = 10.0;  ///< Angstrom, from a ligand C-alpha to any receptor atom
    std::size_t clusters = 10;       ///< largest number of clusters
    std::size_t minimum_size = 10;
};

/// Takes the pose with the most unassigned neighbours as the next centre, assigns it and its
/// neighbours to a cluster, and repeats. Two poses are neighbours if their C-alpha RMSD is below
/// the radius. The RMSD is over the ligand's C-alphas in the interface of either pose, without
/// superposition. The largest cluster comes first, and among equals the one with the lowest energy.
/// Poses without an interface have no neighbours. With `ring` a pose stands for a ring: two are
/// neighbours if the next copy of one lies near the next or the previous copy of the other.
std::vector<Cluster> cluster_poses(const std::vector<Pose>& poses,
                                   const std::vector<Quaternion>& rotations,  ///< one for each pose
                                   Vec3 ligand_center, const io::Structure& receptor,
                                   const io::Structure& ligand, const ClusteringOptions& options,
                                   const kernels::Ring& ring = {});

}  // namespace tessera::docking
