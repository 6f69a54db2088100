#include "docking/refinement/near_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::docking {

namespace {

constexpr double most_boxes_a_side = 400;  // limits the table if a stray atom lies far away

}  // namespace

std::vector<Vec3> positions_of(const std::vector<kernels::RefineAtom>& atoms) {
    std::vector<Vec3> positions;
    positions.reserve(atoms.size());
    for (const kernels::RefineAtom& atom : atoms) positions.push_back(atom.position);
    return positions;
}

NearAtoms::NearAtoms(std::vector<Vec3> positions, double reach)
    : positions_(std::move(positions)), reach_(reach) {
    if (positions_.empty()) {
        begins_ = {0};
        return;
    }
    low_ = positions_.front();
    Vec3 high = low_;
    for (const Vec3 p : positions_) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3 extent = high - low_;
    edge_ = std::max({edge_, extent.x / most_boxes_a_side, extent.y / most_boxes_a_side,
                      extent.z / most_boxes_a_side});
    low_ = low_ - Vec3{reach_, reach_, reach_};
    const auto count = [&](double length) {
        return static_cast<int>((length + 2 * reach_) / edge_) + 1;
    };
    boxes_ = {count(extent.x), count(extent.y), count(extent.z)};
    list_atoms();
}

std::size_t NearAtoms::box_of(Vec3 p) const {
    const Vec3 at = (1 / edge_) * (p - low_);
    const std::size_t none = begins_.size() - 1;
    if (!(at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < boxes_[0] && at.y < boxes_[1] &&
          at.z < boxes_[2]))
        return none;
    return (static_cast<std::size_t>(at.x) * boxes_[1] + static_cast<std::size_t>(at.y)) *
               boxes_[2] +
           static_cast<std::size_t>(at.z);
}

void NearAtoms::list_atoms() {
    const double reach = reach_ + edge_ * std::sqrt(3.0) / 2;
    const auto for_each_box = [&](Vec3 position, auto f) {
        const Vec3 p = position - low_;
        const auto from = [&](double x) {
            return std::max(0, static_cast<int>(std::floor((x - reach) / edge_)));
        };
        const auto to = [&](double x, int boxes) {
            return std::min(boxes - 1, static_cast<int>((x + reach) / edge_));
        };
        for (int x = from(p.x); x <= to(p.x, boxes_[0]); ++x)
            for (int y = from(p.y); y <= to(p.y, boxes_[1]); ++y)
                for (int z = from(p.z); z <= to(p.z, boxes_[2]); ++z)
                    if (distance_squared(p, edge_ * Vec3{x + 0.5, y + 0.5, z + 0.5}) <
                        reach * reach)
                        f((static_cast<std::size_t>(x) * boxes_[1] + y) * boxes_[2] + z);
    };
    begins_.assign(static_cast<std::size_t>(boxes_[0]) * boxes_[1] * boxes_[2] + 1, 0);
    for (const Vec3 position : positions_)
        for_each_box(position, [&](std::size_t box) { ++begins_[box + 1]; });
    for (std::size_t b = 1; b < begins_.size(); ++b) begins_[b] += begins_[b - 1];
    atoms_.resize(begins_.back());
    std::vector<std::int64_t> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t i = 0; i < positions_.size(); ++i)
        for_each_box(positions_[i],
                     [&](std::size_t box) { atoms_[next[box]++] = static_cast<int>(i); });
}

}  // namespace tessera::docking
