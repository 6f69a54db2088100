#include "docking/evaluation/clustering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "io/proteins/nucleotides.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {
namespace {

constexpr std::size_t parallel_from = 200;  // fewer poses are not worth waking up threads

/// Tells whether a receptor atom is nearer to a point than the cutoff. The atoms are sorted into
/// cubes whose edge is at least the cutoff, so the 27 cubes around a point hold all atoms that can
/// be near enough.
class ReceptorCells {
  public:
    ReceptorCells(const std::vector<io::AtomRecord>& atoms, double cutoff) : cutoff_(cutoff) {
        Vec3 high = atoms.front().position;
        low_ = high;
        for (const auto& atom : atoms) {
            const Vec3 p = atom.position;
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        const Vec3 extent = high - low_;
        // Larger cubes keep the table small if a stray atom lies far away.
        edge_ = std::max({cutoff, extent.x / 100, extent.y / 100, extent.z / 100, 1e-3});
        cells_ = {slot(high.x - low_.x) + 1, slot(high.y - low_.y) + 1, slot(high.z - low_.z) + 1};
        fill(atoms);
    }

    bool any_within_cutoff(Vec3 p) const {
        const std::array<int, 3> c{slot(p.x - low_.x), slot(p.y - low_.y), slot(p.z - low_.z)};
        for (int x = std::max(c[0] - 1, 0); x <= std::min(c[0] + 1, cells_[0] - 1); ++x)
            for (int y = std::max(c[1] - 1, 0); y <= std::min(c[1] + 1, cells_[1] - 1); ++y)
                for (int z = std::max(c[2] - 1, 0); z <= std::min(c[2] + 1, cells_[2] - 1); ++z)
                    if (any_in_cell(p, index(x, y, z))) return true;
        return false;
    }

  private:
    int slot(double offset) const {
        return static_cast<int>(std::floor(std::clamp(offset / edge_, -2.0, 1e4)));
    }

    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * cells_[1] + y) * cells_[2] + z;
    }

    bool any_in_cell(Vec3 p, std::size_t cell) const {
        for (std::size_t i = begins_[cell]; i < begins_[cell + 1]; ++i)
            if (distance_squared(p, points_[i]) < cutoff_ * cutoff_) return true;
        return false;
    }

    void fill(const std::vector<io::AtomRecord>& atoms) {
        std::vector<std::size_t> cell_of;
        begins_.assign(index(cells_[0] - 1, cells_[1] - 1, cells_[2] - 1) + 2, 0);
        for (const auto& atom : atoms) {
            const Vec3 offset = atom.position - low_;
            cell_of.push_back(index(slot(offset.x), slot(offset.y), slot(offset.z)));
            ++begins_[cell_of.back() + 1];
        }
        for (std::size_t c = 1; c < begins_.size(); ++c) begins_[c] += begins_[c - 1];
        points_.resize(atoms.size());
        std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
        for (std::size_t i = 0; i < atoms.size(); ++i)
            points_[next[cell_of[i]]++] = atoms[i].position;
    }

    double cutoff_, edge_ = 1;
    Vec3 low_;
    std::array<int, 3> cells_{};
    std::vector<std::size_t> begins_;
    std::vector<Vec3> points_;
};

/// The ligand C-alphas of all poses, and a bit for each that tells whether it is in the interface.
struct PlacedLigands {
    std::size_t points = 0;                ///< C-alphas of a pose
    std::size_t words = 0;                 ///< 64-bit words with the interface bits of a pose
    std::vector<Vec3> positions;           ///< [pose * points + point]
    std::vector<std::uint64_t> interface;  ///< [pose * words + word]

    bool touches(std::size_t pose) const {
        return std::any_of(&interface[pose * words], &interface[pose * words] + words,
                           [](std::uint64_t w) { return w != 0; });
    }
};

/// The C-alphas, and C1' of nucleotides.
std::vector<Vec3> c_alphas(const io::Structure& structure) {
    std::vector<Vec3> points;
    for (const auto& atom : structure.atoms)
        if (io::is_trace(atom)) points.push_back(atom.position);
    return points;
}

PlacedLigands place_ligands(const std::vector<kernels::RigidPose>& poses, Vec3 ligand_center,
                            const std::vector<Vec3>& ligand, const ReceptorCells& receptor) {
    const std::size_t count = poses.size();
    PlacedLigands placed;
    placed.points = ligand.size();
    placed.words = (ligand.size() + 63) / 64;
    placed.positions.resize(count * placed.points);
    placed.interface.assign(count * placed.words, 0);
#pragma omp parallel for schedule(static) if (count >= parallel_from)
    for (std::size_t pose = 0; pose < count; ++pose) {
        const Matrix3 rotation = poses[pose].rotation.matrix();
        for (std::size_t k = 0; k < placed.points; ++k) {
            const Vec3 p = rotation * (ligand[k] - ligand_center) + poses[pose].translation;
            placed.positions[pose * placed.points + k] = p;
            if (receptor.any_within_cutoff(p))
                placed.interface[pose * placed.words + k / 64] |= std::uint64_t{1} << (k % 64);
        }
    }
    return placed;
}

/// Whether the RMSD over the union of both interfaces is below the radius. Stops adding once the
/// sum is too large.
bool are_neighbors(const PlacedLigands& placed, std::size_t a, std::size_t b, double radius) {
    const std::uint64_t* bits_a = &placed.interface[a * placed.words];
    const std::uint64_t* bits_b = &placed.interface[b * placed.words];
    int points = 0;
    for (std::size_t w = 0; w < placed.words; ++w) points += std::popcount(bits_a[w] | bits_b[w]);
    const double limit = radius * radius * points;
    const Vec3* positions_a = &placed.positions[a * placed.points];
    const Vec3* positions_b = &placed.positions[b * placed.points];
    double sum = 0;
    for (std::size_t w = 0; w < placed.words; ++w)
        for (std::uint64_t bits = bits_a[w] | bits_b[w]; bits != 0; bits &= bits - 1) {
            const std::size_t k = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
            sum += distance_squared(positions_a[k], positions_b[k]);
            if (sum >= limit) return false;
        }
    return sum < limit;
}

using NeighborLists = std::vector<std::vector<std::uint32_t>>;

/// The neighbours of every pose in ascending order, without the pose itself.
NeighborLists list_neighbors(const PlacedLigands& placed, std::size_t count, double radius) {
    // Behind the poses are the previous copies of their rings, if they stand for rings.
    const bool rings = placed.interface.size() > count * placed.words;
    NeighborLists later(count);
#pragma omp parallel for schedule(dynamic, 16) if (count >= parallel_from)
    for (std::size_t a = 0; a < count; ++a) {
        if (!placed.touches(a)) continue;
        for (std::size_t b = a + 1; b < count; ++b)
            if (placed.touches(b) && (are_neighbors(placed, a, b, radius) ||
                                      (rings && are_neighbors(placed, a, count + b, radius))))
                later[a].push_back(static_cast<std::uint32_t>(b));
    }
    NeighborLists neighbors(count);
    for (std::size_t a = 0; a < count; ++a)
        for (const std::uint32_t b : later[a])
            neighbors[b].push_back(static_cast<std::uint32_t>(a));
    for (std::size_t a = 0; a < count; ++a)
        neighbors[a].insert(neighbors[a].end(), later[a].begin(), later[a].end());
    return neighbors;
}

/// The unassigned pose with the most unassigned neighbours. Among equals the pose with the lowest
/// energy wins, then the first.
std::size_t next_center(const std::vector<Pose>& poses, const std::vector<std::size_t>& free_count,
                        const std::vector<bool>& assigned) {
    std::size_t best = free_count.size();
    for (std::size_t p = 0; p < free_count.size(); ++p) {
        if (assigned[p]) continue;
        if (best == free_count.size() || free_count[p] > free_count[best] ||
            (free_count[p] == free_count[best] && poses[p].score < poses[best].score))
            best = p;
    }
    return best;
}

std::vector<Cluster> greedy_clusters(const std::vector<Pose>& poses, const NeighborLists& neighbors,
                                     const ClusteringOptions& options) {
    const std::size_t count = neighbors.size();
    std::vector<bool> assigned(count, false);
    std::vector<std::size_t> free_count(count);  // unassigned neighbours
    for (std::size_t p = 0; p < count; ++p) free_count[p] = neighbors[p].size();

    std::vector<Cluster> clusters;
    while (clusters.size() < options.clusters) {
        const std::size_t center = next_center(poses, free_count, assigned);
        if (center == count || free_count[center] + 1 < options.minimum_size) break;
        Cluster cluster{center, {center}};
        for (const std::uint32_t p : neighbors[center])
            if (!assigned[p]) cluster.members.push_back(p);
        std::sort(cluster.members.begin(), cluster.members.end());
        for (const std::size_t member : cluster.members) {
            assigned[member] = true;
            for (const std::uint32_t p : neighbors[member]) --free_count[p];
        }
        clusters.push_back(std::move(cluster));
    }
    return clusters;
}

}  // namespace

std::vector<Cluster> cluster_poses(const std::vector<Pose>& poses,
                                   const std::vector<Quaternion>& rotations, Vec3 ligand_center,
                                   const io::Structure& receptor, const io::Structure& ligand,
                                   const ClusteringOptions& options, const kernels::Ring& ring) {
    const std::size_t count = std::min({options.poses, poses.size(), rotations.size()});
    const std::vector<Vec3> points = c_alphas(ligand);
    if (count == 0) return {};
    if (points.empty() || receptor.atoms.empty())
        return greedy_clusters(poses, NeighborLists(count), options);
    const ReceptorCells cells(receptor.atoms, options.interface_cutoff);
    std::vector<kernels::RigidPose> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back({rotations[i], poses[i].translation});
    if (ring.is_set())
        for (std::size_t i = 0; i < count; ++i)
            places.push_back(kernels::previous_copy(places[i], ring));
    const PlacedLigands placed = place_ligands(places, ligand_center, points, cells);
    return greedy_clusters(poses, list_neighbors(placed, count, options.radius), options);
}

}  // namespace tessera::docking
