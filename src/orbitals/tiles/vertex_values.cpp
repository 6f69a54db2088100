#include "orbitals/tiles/vertex_values.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/tiles/combined_rows.hpp"

namespace tessera::orbitals {

namespace {

using kernels::PointValue;

double gradient_norm(const PointValue& value) {
    return std::hypot(value.gradient[0], value.gradient[1], value.gradient[2]);
}

}  // namespace

std::vector<std::array<float, 3>> outward_normals(std::span<const PointValue> values,
                                                  std::size_t positive) {
    std::vector<std::array<float, 3>> normals;
    normals.reserve(values.size());
    for (const PointValue& value : values) {
        const double sign = normals.size() < positive ? 1 : -1, length = gradient_norm(value);
        std::array<float, 3> normal{0, 0, 1};
        for (std::size_t a = 0; a < 3 && length > 0; ++a)
            normal[a] = static_cast<float>(-sign * value.gradient[a] / length);
        normals.push_back(normal);
    }
    return normals;
}

/// Vertices lie in the box of the grid.
kernels::OrbitalProblem VertexValues::unscreened() const {
    kernels::OrbitalProblem problem;
    problem.grid = prepared_.grid;
    problem.tolerance = 0;
    problem.derivatives = 1;
    return problem;
}

std::vector<PointValue> VertexValues::orbital(const TrackedOrbital& orbital,
                                              Vertices vertices) const {
    kernels::OrbitalProblem problem = unscreened();
    fold_orbitals(frame_.wavefunction, {orbital.orbital}, problem);
    const double weight = orbital.sign;
    return evaluator_.evaluate(problem, {std::span(&weight, 1), false}, vertices);
}

std::vector<PointValue> VertexValues::density(bool of_spin, Vertices vertices) const {
    const auto all = density_weights(frame_.wavefunction, of_spin);
    std::vector<int> orbitals;
    std::vector<double> weights;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] == 0) continue;
        orbitals.push_back(static_cast<int>(i));
        weights.push_back(all[i]);
    }
    kernels::OrbitalProblem problem = unscreened();
    fold_orbitals(frame_.wavefunction, orbitals, problem);
    return evaluator_.evaluate(problem, {weights, true}, vertices);
}

std::vector<PointValue> VertexValues::combination(int index, Vertices vertices) const {
    const CombinedRows rows =
        combine(prepared_, static_cast<std::size_t>(number_), static_cast<std::size_t>(index));
    std::vector<int> all(rows.weights.size());
    std::iota(all.begin(), all.end(), 0);
    kernels::OrbitalProblem problem = unscreened();
    fold_orbitals(rows.wavefunction, all, problem);
    return evaluator_.evaluate(problem, {rows.weights, rows.of_squares}, vertices);
}

std::vector<double> VertexValues::derived_fields(Vertices vertices) const {
    std::vector<kernels::DerivedField> fields;
    for (const VertexField& field : prepared_.vertex_fields)
        if (field.kind == VertexField::Kind::derived) fields.push_back(field.derived);
    if (fields.empty()) return {};
    const auto [orbitals, occupations] = occupied_orbitals(frame_.wavefunction);
    kernels::OrbitalProblem problem = unscreened();
    problem.derivatives = 2;
    fold_orbitals(frame_.wavefunction, orbitals, problem);
    return evaluator_.evaluate_fields(problem, {occupations.alpha, occupations.beta}, fields,
                                      vertices);
}

void VertexValues::add_potential(Vertices vertices, std::vector<double>& scalars) const {
    std::vector<Vec3> points;
    points.reserve(vertices.size());
    for (const auto& vertex : vertices) points.push_back({vertex[0], vertex[1], vertex[2]});
    const std::vector<double> values = potential_->at(number_, points);
    scalars.insert(scalars.end(), values.begin(), values.end());
}

std::vector<PointValue> VertexValues::of_surface(std::int32_t item, Vertices vertices) const {
    if (combination_of(item) >= 0) return combination(combination_of(item), vertices);
    return item < 0 ? density(item == spin_density_item, vertices)
                    : orbital(frame_.items[static_cast<std::size_t>(item)], vertices);
}

std::vector<double> VertexValues::scalars(std::int32_t item, Vertices vertices,
                                          std::vector<PointValue> own) const {
    std::vector<double> scalars;
    scalars.reserve(prepared_.vertex_fields.size() * vertices.size());
    const std::vector<double> derived = derived_fields(vertices);
    auto next_derived = derived.begin();
    for (std::size_t i = 0; i < prepared_.vertex_fields.size(); ++i) {
        using Kind = VertexField::Kind;
        const Kind kind = prepared_.vertex_fields[i].kind;
        if (kind == Kind::gradient_norm) {
            if (own.empty()) own = of_surface(item, vertices);
            for (const PointValue& value : own) scalars.push_back(gradient_norm(value));
            continue;
        }
        if (kind == Kind::derived) {
            const auto end = next_derived + std::ssize(vertices);
            scalars.insert(scalars.end(), next_derived, end);
            next_derived = end;
            continue;
        }
        if (kind == Kind::potential) {
            add_potential(vertices, scalars);
            continue;
        }
        const auto values = kind == Kind::orbital ? orbital(frame_.fields[i], vertices)
                            : kind == Kind::combination
                                ? combination(prepared_.vertex_fields[i].combination, vertices)
                                : density(kind == Kind::spin_density, vertices);
        for (const PointValue& value : values) scalars.push_back(value.value);
    }
    return scalars;
}

}  // namespace tessera::orbitals
