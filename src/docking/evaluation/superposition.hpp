// Least-squares superposition of paired points (Horn 1987).
#pragma once

#include <cstddef>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// Paired points, in Angstrom: model[i] corresponds to reference[i].
struct PointPairs {
    std::vector<Vec3> model;
    std::vector<Vec3> reference;

    void add(Vec3 model_point, Vec3 reference_point) {
        model.push_back(model_point);
        reference.push_back(reference_point);
    }
    std::size_t size() const { return model.size(); }
};

/// Sums over paired points, from which their distances after any motion follow.
struct PairMoments {
    double count = 0, squares = 0;  ///< squares: of the coordinates of all points of both sides
    Vec3 model, reference;          ///< sums
    Matrix3 products{};             ///< sum of reference[i] model[j]
};

PairMoments moments_of(const PointPairs& pairs);

/// Moves x to rotation * x + shift.
struct RigidMotion {
    Matrix3 rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3 shift;

    Vec3 operator()(Vec3 x) const { return rotation * x + shift; }
};

/// The mean square distance between motion(model) and reference, Angstrom^2. At least one pair.
double mean_square(const PairMoments& moments, const RigidMotion& motion);

/// The proper rigid motion that brings `moving` nearest to `fixed`. Both have the same number of
/// points, at least one.
RigidMotion superpose(const std::vector<Vec3>& moving, const std::vector<Vec3>& fixed);

/// Root mean square distance of paired points after superposition.
double superposed_rmsd(const std::vector<Vec3>& moving, const std::vector<Vec3>& fixed);

}  // namespace tessera::docking
