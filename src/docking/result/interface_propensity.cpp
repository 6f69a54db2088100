#include "docking/result/interface_propensity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace tessera::docking {

namespace {

/// Points in cubic cells that are at least as wide as a contact is long. All points that are near
/// enough to a place lie in its cell and the 26 around it.
class Neighborhoods {
  public:
    explicit Neighborhoods(const std::vector<Vec3>& points) {
        Vec3 high = low_ = points.front();
        for (const Vec3 p : points) {
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        choose_width(high - low_, 4096 + 64 * points.size());
        first_.assign(static_cast<std::size_t>(cells_[0] * cells_[1] * cells_[2]) + 1, 0);
        for (const Vec3 p : points) for_cells_near(p, [&](std::size_t cell) { ++first_[cell]; });
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        points_.resize(first_.back());
        for (std::size_t i = points.size(); i-- > 0;)
            for_cells_near(points[i], [&](std::size_t cell) {
                points_[--first_[cell]] = static_cast<std::uint32_t>(i);
            });
    }

    /// The numbers of all points that are near enough, and of some that are not.
    std::span<const std::uint32_t> near(Vec3 at) const {
        const auto [x, y, z] = place_of(at);
        const auto inside = [](double i, double count) { return i >= 0 && i < count; };
        if (!inside(x, cells_[0]) || !inside(y, cells_[1]) || !inside(z, cells_[2])) return {};
        const std::size_t cell = number_of(x, y, z);
        return {points_.data() + first_[cell], points_.data() + first_[cell + 1]};
    }

  private:
    /// Wide enough for at most so many cells, wherever an atom lies.
    void choose_width(Vec3 size, std::size_t most) {
        for (width_ = contact_distance;; width_ *= 2) {
            const auto count = [&](double length) { return std::floor(length / width_) + 3; };
            cells_ = {count(size.x), count(size.y), count(size.z)};
            if (cells_[0] * cells_[1] * cells_[2] <= static_cast<double>(most)) return;
        }
    }

    /// The cell of a place along each axis. The cells with points begin at 1.
    std::array<double, 3> place_of(Vec3 at) const {
        const auto index = [&](double x, double low) { return std::floor((x - low) / width_) + 1; };
        return {index(at.x, low_.x), index(at.y, low_.y), index(at.z, low_.z)};
    }

    std::size_t number_of(double x, double y, double z) const {
        return static_cast<std::size_t>((x * cells_[1] + y) * cells_[2] + z);
    }

    template <class Use>
    void for_cells_near(Vec3 point, const Use& use) const {
        const auto [x, y, z] = place_of(point);
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz) use(number_of(x + dx, y + dy, z + dz));
    }

    Vec3 low_;
    double width_ = contact_distance;
    std::array<double, 3> cells_{};
    std::vector<std::uint32_t> first_, points_;  ///< points_[first_[c]] … belong to cell c
};

std::vector<Vec3> positions_of(const io::Structure& structure) {
    std::vector<Vec3> positions;
    positions.reserve(structure.atoms.size());
    for (const io::AtomRecord& atom : structure.atoms) positions.push_back(atom.position);
    return positions;
}

std::size_t residue_of(const io::Structure& structure, std::size_t atom) {
    return static_cast<std::size_t>(structure.atoms[atom].residue_index);
}

std::size_t residues_of(const io::Structure& structure) {
    return residue_of(structure, structure.atoms.size() - 1) + 1;
}

void add(std::vector<std::int64_t>& counts, const std::vector<char>& touched) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += touched[i];
}

}  // namespace

InterfacePropensity
interface_propensity(const Partners& partners, Vec3 ligand_center,
                     const std::vector<std::vector<kernels::RigidPose>>& poses) {
    const auto& [receptor, ligand] = partners;
    const std::vector<Vec3> fixed = positions_of(receptor);
    const Neighborhoods neighborhoods(fixed);
    InterfacePropensity counts{std::vector<std::int64_t>(residues_of(receptor)),
                               std::vector<std::int64_t>(residues_of(ligand))};
    std::vector<char> receptor_touched, ligand_touched;
    const auto touch = [&](const kernels::RigidPose& place) {
        const Matrix3 matrix = place.rotation.matrix();
        for (std::size_t i = 0; i < ligand.atoms.size(); ++i) {
            const Vec3 at = matrix * (ligand.atoms[i].position - ligand_center) + place.translation;
            for (const std::uint32_t j : neighborhoods.near(at))
                if (distance_squared(at, fixed[j]) < contact_distance * contact_distance)
                    receptor_touched[residue_of(receptor, j)] =
                        ligand_touched[residue_of(ligand, i)] = 1;
        }
    };
    for (const std::vector<kernels::RigidPose>& places : poses) {
        receptor_touched.assign(counts.receptor.size(), 0);
        ligand_touched.assign(counts.ligand.size(), 0);
        for (const kernels::RigidPose& place : places) touch(place);
        add(counts.receptor, receptor_touched);
        add(counts.ligand, ligand_touched);
    }
    return counts;
}

}  // namespace tessera::docking
