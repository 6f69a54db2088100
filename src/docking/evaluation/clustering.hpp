// Greedy clustering of poses, as ClusPro does it (Kozakov et al. 2017).
#pragma once

#include <cstddef>
#include <vector>

#include "core/vec3.hpp"
#include "docking/model/pose.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

struct Cluster {
    std::size_t center = 0;            ///< index into the pose list
    std::vector<std::size_t> members;  ///< indices, ascending, the centre among them
};

struct ClusteringOptions {
    std::size_t poses = 1000;        ///< best poses that take part
    double radius = 9.0;             ///< Angstrom
    double interface_cutoff = 10.0;  ///< a ligand C-alpha this near any receptor atom is interface
    std::size_t clusters = 10;       ///< at most
    std::size_t minimum_size = 10;
};

/// Repeatedly takes the pose with most unassigned neighbours (pairwise ligand interface C-alpha RMSD
/// below radius; union of both poses' interfaces, no superposition) as the next centre and removes it
/// with its neighbours. Largest first, ties by lower energy. Poses without interface have no neighbours.
std::vector<Cluster> cluster_poses(const std::vector<Pose>& poses,
                                   const std::vector<Quaternion>& rotations,  ///< one per pose
                                   Vec3 ligand_center, const io::Structure& receptor,
                                   const io::Structure& ligand, const ClusteringOptions& options);

}  // namespace tessera::docking
