#include "docking/ensemble/elastic_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/cross.hpp"
#include "docking/ensemble/vector_block.hpp"

namespace tessera::docking {

namespace {

constexpr double spring_length = 3.8;  // Angstrom, between neighbours of a chain

}  // namespace

ElasticNetwork::ElasticNetwork(std::vector<Vec3> nodes) : nodes_(std::move(nodes)), begins_{0} {
    std::vector<double> sums(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (std::size_t j = 0; j < nodes_.size(); ++j) {
            const double square = distance_squared(nodes_[i], nodes_[j]);
            if (i == j || square == 0 || square > network_cutoff * network_cutoff) continue;
            springs_.push_back({j, spring_length / square * (nodes_[j] - nodes_[i])});
            sums[i] += spring_length * spring_length / square;
        }
        begins_.push_back(springs_.size());
    }
    // A spring between i and j adds at most k (|x_i| + |x_j|)^2 <= 2 k (|x_i|^2 + |x_j|^2).
    for (const double sum : sums) bound_ = std::max(bound_, 2 * sum);
}

void ElasticNetwork::multiply(const std::vector<double>& x, std::size_t columns,
                              std::vector<double>& result) const {
    result.assign(x.size(), 0);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const double* const here = &x[3 * i * columns];
        double* const out = &result[3 * i * columns];
        for (std::size_t s = begins_[i]; s < begins_[i + 1]; ++s) {
            const double* const there = &x[3 * springs_[s].other * columns];
            const Vec3 d = springs_[s].direction;
            for (std::size_t c = 0; c < columns; ++c) {
                const double stretch = d.x * (here[c] - there[c]) +
                                       d.y * (here[columns + c] - there[columns + c]) +
                                       d.z * (here[2 * columns + c] - there[2 * columns + c]);
                out[c] += d.x * stretch;
                out[columns + c] += d.y * stretch;
                out[2 * columns + c] += d.z * stretch;
            }
        }
    }
}

std::vector<std::vector<double>> rigid_motions(const std::vector<Vec3>& nodes) {
    const std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    Vec3 center;
    for (const Vec3& node : nodes) center = center + node;
    center = (1.0 / static_cast<double>(nodes.size())) * center;
    VectorBlock motions(3 * nodes.size(), 6);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Vec3 turn = cross(axes[axis], nodes[i] - center);
            motions.at(3 * i + axis, axis) = 1;
            motions.at(3 * i, 3 + axis) = turn.x;
            motions.at(3 * i + 1, 3 + axis) = turn.y;
            motions.at(3 * i + 2, 3 + axis) = turn.z;
        }
    std::vector<std::vector<double>> orthonormal;
    for (std::size_t column : motions.orthonormalise())
        orthonormal.push_back(motions.column(column));
    return orthonormal;
}

}  // namespace tessera::docking
