#include "docking/search/orbit_cells.hpp"

#include <cmath>

#include "core/octahedral_group.hpp"
#include "core/units.hpp"

namespace tessera::docking {

const std::array<Quaternion, signed_members>& signed_group() {
    static const auto members = [] {
        std::array<Quaternion, signed_members> all;
        const auto group = octahedral_group();
        for (int g = 0; g < 24; ++g) {
            const Quaternion q = group[g].quaternion();
            all[2 * g] = q;
            all[2 * g + 1] = {-q.w, -q.x, -q.y, -q.z};
        }
        return all;
    }();
    return members;
}

double point_spacing(std::size_t bases) {
    const double pi = units::pi;
    return std::cbrt(2 * pi * pi / (signed_members * static_cast<double>(bases)));
}

OrbitCells::OrbitCells(const std::vector<Quaternion>& bases, double reach)
    : reach_(std::min(reach, 2.0)) {
    cells_ = std::clamp(static_cast<int>(2 / reach_), 1, 256);
    const double w_least = least_reachable_w();
    std::vector<std::size_t> cell_of;
    std::vector<OrbitMember> members;
    std::vector<Quaternion> points;
    for (std::size_t b = 0; b < bases.size(); ++b)
        for (int e = 0; e < signed_members; ++e) {
            const Quaternion q = signed_group()[e] * bases[b];
            if (q.w < w_least) continue;
            members.push_back({static_cast<int>(b), e});
            points.push_back(q);
            cell_of.push_back(cell_index(slot(q.x), slot(q.y), slot(q.z)));
        }
    sort_into_cells(cell_of, members, points);
}

/// Representatives lie within 62.8 degrees of the identity (the corner of the truncated cube). This
/// is 31.4 degrees on the 3-sphere, where a chord c spans the angle 2 asin(c / 2).
double OrbitCells::least_reachable_w() const {
    const double corner = 31.4 * units::pi / 180;
    return std::cos(std::min(units::pi, corner + 2 * std::asin(reach_ / 2)));
}

void OrbitCells::sort_into_cells(const std::vector<std::size_t>& cell_of,
                                 const std::vector<OrbitMember>& members,
                                 const std::vector<Quaternion>& points) {
    begins_.assign(cell_index(cells_ - 1, cells_ - 1, cells_ - 1) + 2, 0);
    for (const std::size_t cell : cell_of) ++begins_[cell + 1];
    for (std::size_t c = 1; c < begins_.size(); ++c) begins_[c] += begins_[c - 1];
    members_.resize(members.size());
    points_.resize(points.size());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t place = next[cell_of[i]]++;
        members_[place] = members[i];
        points_[place] = points[i];
    }
}

}  // namespace tessera::docking
